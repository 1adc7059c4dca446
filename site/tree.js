// Files of the tree, and the addresses they have in the site: docs/NAME.md is NAME.html, pictures
// under docs/ keep their place, and any other file gets a page of its own under files/.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { PAGES } from './pages.js';

const HOME = 'README.md';

export class Tree {
  constructor(root) {
    this.root = root;
  }

  at(path) {
    return posix.join(this.root, path);
  }

  read(path) {
    return readFileSync(this.at(path), 'utf8');
  }

  has(path) {
    return !path.startsWith('..') && existsSync(this.at(path)) && statSync(this.at(path)).isFile();
  }

  // A page that a command writes and that nobody has written yet.
  isAwaited(path) {
    return !this.has(path) && PAGES.some((page) => page.path === path && page.made);
  }

  // The file a link of a page means: a folder stands for its README.
  target(from, link) {
    const path = posix.normalize(posix.join(posix.dirname(from), decodeURI(link)));
    const readme = posix.join(path, 'README.md');
    return !this.has(path) && this.has(readme) ? readme : path;
  }
}

export function isMarkdown(path) {
  return path.endsWith('.md');
}

export function isPicture(path) {
  return /\.(png|webp|svg|jpe?g|gif)$/.test(path);
}

export function addressOf(path) {
  if (path === HOME) return 'index.html';
  const top = path.match(/^(?:docs\/)?([^/]+)\.md$/);
  if (top) return `${top[1]}.html`;
  const beside = path.match(/^docs\/(.+)$/);
  if (beside && isPicture(path)) return beside[1];
  return `files/${path}.html`;
}

// How the page at one address names another.
export function relative(from, to) {
  return posix.relative(posix.dirname(from), to) || posix.basename(to);
}
