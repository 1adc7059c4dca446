// Renders the pages of the tree, and every file they link to, into a folder. Nothing is written
// when a link leads nowhere. Usage: node build.js TREE FOLDER [MEDIA] (what site/media has made)
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { layOut, escape } from './layout.js';
import { brokenLinks, filesBehind, isOutside, splitLink } from './links.js';
import { highlight, languageOf, linksOf, makeMarkdown } from './markdown.js';
import { Media } from './media.js';
import { PAGES } from './pages.js';
import { searchIndex } from './search.js';
import { Tree, addressOf, isMarkdown, isPicture, relative } from './tree.js';

const here = import.meta.dirname ?? dirname(new URL(import.meta.url).pathname);
const markdown = makeMarkdown();

function readPage(tree, path) {
  const page = { path, address: addressOf(path), title: path, links: [], headings: [] };
  if (!isMarkdown(path)) return page;
  page.env = { path };
  page.tokens = markdown.parse(tree.read(path), page.env);
  page.headings = page.env.headings;
  page.title = page.headings[0]?.title ?? path;
  page.links = linksOf(page.tokens);
  return page;
}

// The pages named, and whatever can be reached from them.
function readAll(tree) {
  const pages = new Map();
  const waiting = PAGES.map(({ path }) => path).filter((path) => !tree.isAwaited(path));
  while (waiting.length) {
    const path = waiting.pop();
    if (pages.has(path)) continue;
    pages.set(path, readPage(tree, path));
    waiting.push(...filesBehind(tree, pages.get(path)));
  }
  return pages;
}

// What stands in a page for a link of the tree.
function resolver(tree, page) {
  return (link) => {
    if (isOutside(link)) return link;
    const { path, anchor } = splitLink(link);
    const target = path ? tree.target(page.path, path) : page.path;
    const address = path ? relative(page.address, addressOf(target)) : '';
    if (tree.isAwaited(target)) return '#';
    return anchor ? `${address}#${encodeURIComponent(anchor)}` : address;
  };
}

function render(tree, media, page) {
  if (isMarkdown(page.path)) {
    Object.assign(page.env, { resolve: resolver(tree, page), media, address: page.address });
    return markdown.renderer.render(page.tokens, markdown.options, page.env);
  }
  const code = highlight(tree.read(page.path), languageOf(page.path));
  return `<h1><code>${escape(page.path)}</code></h1>\n<pre><code>${code}</code></pre>\n`;
}

function write(folder, address, content) {
  const path = join(folder, address);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

// Style sheets and the fonts of formulas.
function writeStyle(folder) {
  const katex = dirname(createRequire(import.meta.url).resolve('katex/package.json'));
  copyFileSync(join(here, 'site.css'), join(folder, 'site.css'));
  copyFileSync(join(katex, 'dist/katex.min.css'), join(folder, 'katex.css'));
  mkdirSync(join(folder, 'fonts'), { recursive: true });
  const fonts = join(katex, 'dist/fonts');
  for (const name of readdirSync(fonts).filter((font) => font.endsWith('.woff2')))
    copyFileSync(join(fonts, name), join(folder, 'fonts', name));
}

function main(root, folder, media = '') {
  const tree = new Tree(root);
  const shown = new Media(media);
  const missing = PAGES.filter(({ path, made }) => !made && !tree.has(path));
  const problems = missing.map(({ path }) => `site/pages.js: there is no ${path}`);
  const pages = problems.length ? new Map() : readAll(tree);
  problems.push(...brokenLinks(tree, pages));
  if (problems.length) throw new Error(problems.join('\n'));

  const shell = readFileSync(join(here, 'page.html'), 'utf8');
  rmSync(folder, { recursive: true, force: true });
  for (const page of pages.values()) {
    if (isPicture(page.path)) write(folder, page.address, readFileSync(tree.at(page.path)));
    else write(folder, page.address, layOut(shell, tree, page, render(tree, shown, page)));
  }
  writeStyle(folder);
  write(folder, 'search-index.js', searchIndex([...pages.values()].filter((page) => page.tokens)));
  copyFileSync(join(here, 'search-box.js'), join(folder, 'search-box.js'));
  shown.copyTo(folder);
  console.log(`${pages.size} pages and pictures; open ${join(folder, 'index.html')}`);
}

try {
  main(...process.argv.slice(2, 5));
} catch (error) {
  console.error(`docs: ${error.message}`);
  process.exitCode = 1;
}
