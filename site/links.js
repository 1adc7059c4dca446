// What links lead to. A link to nothing is a problem, told with file and line.
import { isMarkdown, isPicture } from './tree.js';

const OUTSIDE = /^[a-z]+:/;

export function splitLink(link) {
  const [path, anchor = ''] = link.split('#');
  return { path, anchor: decodeURIComponent(anchor) };
}

export function isOutside(link) {
  return OUTSIDE.test(link);
}

// Files of the tree that a page leads to, for the site to have them too.
export function filesBehind(tree, page) {
  return page.links.filter(({ link }) => !isOutside(link) && splitLink(link).path)
    .map(({ link }) => tree.target(page.path, splitLink(link).path))
    .filter((path) => tree.has(path));
}

function problemOf(tree, pages, page, link) {
  const { path, anchor } = splitLink(link);
  const target = path ? tree.target(page.path, path) : page.path;
  if (tree.isAwaited(target)) return '';
  if (!tree.has(target)) return `there is no ${target}`;
  if (!anchor) return '';
  if (!isMarkdown(target)) return `${target} has no headings to lead to`;
  const known = pages.get(target).headings.map((heading) => heading.anchor);
  return known.includes(anchor) ? '' : `${target} has no heading #${anchor}`;
}

export function brokenLinks(tree, pages) {
  const problems = [];
  for (const page of pages.values()) {
    if (isPicture(page.path)) continue;
    for (const { link, line } of page.links) {
      const problem = isOutside(link) ? '' : problemOf(tree, pages, page, link);
      if (problem) problems.push(`${page.path}:${line}: the link ${link} is broken: ${problem}`);
    }
  }
  return problems;
}
