// A page around its content: the pages of the site to the left, the page's own headings to the
// right.
import { SECTIONS, PAGES } from './pages.js';
import { addressOf, relative } from './tree.js';

export function escape(text) {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

function navigation(tree, page) {
  const entry = ({ path, label }) => {
    const here = path === page.path ? ' aria-current="page"' : '';
    return `<li><a href="${relative(page.address, addressOf(path))}"${here}>${label}</a></li>`;
  };
  return SECTIONS.map(({ title, pages }) => {
    const there = pages.filter(({ path }) => tree.has(path));
    return `<h2>${title}</h2>\n<ul>${there.map(entry).join('')}</ul>`;
  }).join('\n');
}

function contents(page) {
  const entries = page.headings.filter(({ level }) => level === 2);
  if (entries.length < 3) return '';
  const items = entries.map(({ anchor, title }) =>
    `<li><a href="#${encodeURIComponent(anchor)}">${escape(title)}</a></li>`);
  return `<aside><h2>On this page</h2><ul>${items.join('')}</ul></aside>`;
}

function neighbours(tree, page) {
  const there = PAGES.filter(({ path }) => tree.has(path));
  const at = there.findIndex(({ path }) => path === page.path);
  if (at < 0) return '';
  const link = (other, rel, mark) => {
    if (!other) return '<span></span>';
    const address = relative(page.address, addressOf(other.path));
    return `<a rel="${rel}" href="${address}">${mark(other.label)}</a>`;
  };
  return `<footer>${link(there[at - 1], 'prev', (label) => `← ${label}`)}${
    link(there[at + 1], 'next', (label) => `${label} →`)}</footer>`;
}

// shell: the text of page.html, whose {{names}} are filled.
export function layOut(shell, tree, page, body) {
  const values = {
    title: page.path === 'README.md' ? 'Stiction' : `${escape(page.title)} · Stiction`,
    home: relative(page.address, 'index.html'),
    base: relative(page.address, 'site.css').replace(/site\.css$/, ''),
    navigation: navigation(tree, page),
    contents: contents(page),
    body: body + neighbours(tree, page),
  };
  return shell.replace(/\{\{(\w+)\}\}/g, (_, name) => values[name]);
}
