// The index behind the search box: one entry per heading, with the text below it. It is a script, not
// JSON, because a page opened from a disk may load scripts but fetch nothing.
const KEPT = new Set(['text', 'code_inline', 'formula']);

function textOf(token) {
  if (token.type === 'fence') return token.content;
  if (token.type !== 'inline') return '';
  return token.children.filter((child) => KEPT.has(child.type) || child.type === 'softbreak')
    .map((child) => child.content || ' ').join('');
}

// Sections of a parsed page: [anchor, heading, text].
export function sectionsOf(page) {
  const sections = [];
  let heading = 0;
  let current = null;
  page.tokens.forEach((token, i) => {
    if (token.type === 'heading_open') {
      const { anchor, title } = page.headings[heading++];
      current = [anchor, title, ''];
      sections.push(current);
    } else if (current && page.tokens[i - 1]?.type !== 'heading_open') {
      const text = textOf(token);
      if (text) current[2] += `${text} `;
    }
  });
  return sections.map(([anchor, title, text]) => [anchor, title, text.replace(/\s+/g, ' ').trim()]);
}

// pages: those of the site that are Markdown.
export function searchIndex(pages) {
  const entries = pages.map((page) => ({ address: page.address, title: page.title,
                                         sections: sectionsOf(page) }));
  return `window.searchIndex = ${JSON.stringify(entries).replaceAll('</', '<\\/')};\n`;
}
