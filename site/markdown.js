// Markdown with GitHub's anchors, highlighted code and formulas: blocks of the language `math`, and
// $`…`$ within a line; a block of the language `live` is a packed run. Links are those of the tree; a
// page's `env` turns them into the site's.
import hljs from 'highlight.js/lib/core';
import c from 'highlight.js/lib/languages/c';
import cmake from 'highlight.js/lib/languages/cmake';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import shell from 'highlight.js/lib/languages/bash';
import katex from 'katex';
import MarkdownIt from 'markdown-it';

const { escapeHtml } = MarkdownIt().utils;
const LANGUAGES = { c, cmake, javascript, json, python, sh: shell };
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);
const BY_ENDING = { h: 'c', c: 'c', py: 'python', json: 'json', js: 'javascript', sh: 'sh',
                    cmake: 'cmake' };

export function highlight(text, language) {
  if (!hljs.getLanguage(language)) return escapeHtml(text);
  return hljs.highlight(text, { language }).value;
}

export function languageOf(path) {
  return BY_ENDING[path.split('.').pop()] ?? '';
}

// place: what a mistake in the formula is told with.
function setFormula(text, displayMode, place) {
  try {
    return katex.renderToString(text, { displayMode, strict: 'error', throwOnError: true });
  } catch (error) {
    throw new Error(`${place}: the formula ${text.trim()}: ${error.message}`);
  }
}

// The anchor GitHub gives a heading, told apart from those before it on the page.
export function anchorOf(title, taken) {
  const plain = title.trim().toLowerCase().replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-');
  const count = taken.get(plain) ?? 0;
  taken.set(plain, count + 1);
  return count ? `${plain}-${count}` : plain;
}

function plainText(inline) {
  return inline.children.filter((token) => ['text', 'code_inline'].includes(token.type))
    .map((token) => token.content).join('');
}

// Headings get their anchors and are listed for the page.
function anchorHeadings(state) {
  const taken = new Map();
  state.env.headings = [];
  state.tokens.forEach((token, i) => {
    if (token.type !== 'heading_open') return;
    const title = plainText(state.tokens[i + 1]);
    const anchor = anchorOf(title, taken);
    token.attrSet('id', anchor);
    state.env.headings.push({ level: Number(token.tag.slice(1)), title, anchor });
  });
}

// $`…`$: the dollar signs leave the text beside the code between them.
function markFormulas(state) {
  for (const block of state.tokens.filter((token) => token.type === 'inline')) {
    block.children.forEach((token, i, all) => {
      const before = all[i - 1];
      const after = all[i + 1];
      if (token.type !== 'code_inline' || !before?.content.endsWith('$') ||
          !after?.content.startsWith('$')) return;
      token.type = 'formula';
      before.content = before.content.slice(0, -1);
      after.content = after.content.slice(1);
    });
  }
}

function renderFence(tokens, i, options, env) {
  const { info, content, map } = tokens[i];
  if (info.trim() === 'math') {
    const formula = setFormula(content, true, `${env.path}:${map[0] + 1}`);
    return `<div class="formula">${formula}</div>\n`;
  }
  const [language] = info.trim().split(/\s+/);
  if (language === 'live') return env.media.live(env.address, content.trim().split(/\s+/));
  return `<pre data-language="${language}"><code>${highlight(content, language)}</code></pre>\n`;
}

function renderLink(tokens, i, options, env, self) {
  const token = tokens[i];
  const name = token.type === 'image' ? 'src' : 'href';
  token.attrSet(name, env.resolve(token.attrGet(name)));
  if (token.type !== 'image') return self.renderToken(tokens, i, options);
  token.attrSet('alt', token.content);
  const video = env.media.video(env.address, token.attrGet('src'), escapeHtml(token.content));
  return video || self.renderToken(tokens, i, options);
}

export function makeMarkdown() {
  const markdown = new MarkdownIt({ html: false, typographer: false });
  markdown.core.ruler.push('anchors', anchorHeadings);
  markdown.core.ruler.push('formulas', markFormulas);
  Object.assign(markdown.renderer.rules, {
    fence: renderFence,
    image: renderLink,
    link_open: renderLink,
    formula: (tokens, i, options, env) => setFormula(tokens[i].content, false, env.path),
    table_open: () => '<div class="wide"><table>\n',
    table_close: () => '</table></div>\n',
  });
  return markdown;
}

// Every link and picture of parsed text, with the line its block begins at.
export function linksOf(tokens) {
  const found = [];
  for (const block of tokens) {
    for (const token of block.children ?? []) {
      const link = token.type === 'image' ? token.attrGet('src')
        : token.type === 'link_open' && token.attrGet('href');
      if (link) found.push({ link, line: (block.map?.[0] ?? 0) + 1 });
    }
  }
  return found;
}
