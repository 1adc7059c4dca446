// The judge's findings from the history: how many at a moment, and when first.

const KINDS = {
  crossings: ['crossing', 'crossings'],
  self_crossings: ['crossing of a body with itself', 'crossings of a body with itself'],
  obstacle_crossings: ['crossing with an obstacle', 'crossings with obstacles'],
  vertices_inside: ['vertex inside another body', 'vertices inside other bodies'],
  inverted_tets: ['inverted tet', 'inverted tets'],
  passages: ['passage through another surface', 'passages through other surfaces'],
};

// A coarse mesh spans a round obstacle with flat faces, which always reach into it: mentioned, but
// not marked unless requested.
const COMMON = 'obstacle_crossings';

// Whether anything serious was found at any time.
export function isGrave(columns) {
  return Object.keys(KINDS).some((name) =>
    name !== COMMON && columns[name]?.values.some((count) => count > 0));
}

export function rowAt(columns, time) {
  const times = columns.time.values;
  let row = 0;
  while (row + 1 < times.length && times[row + 1] <= time * (1 + 1e-6)) row++;
  return row;
}

// { text, first } of the moment: text is '' when nothing was found then; first: the time at which
// anything was found at all, or null.
export function findingsAt(columns, time) {
  const known = Object.keys(KINDS).filter((name) => columns[name]);
  if (!known.length) return { text: '', first: null };
  const row = rowAt(columns, time);
  const text = known
    .map((name) => [columns[name].values[row], KINDS[name]])
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${count} ${words[count === 1 ? 0 : 1]}`)
    .join(', ');
  const times = columns.time.values;
  const first = times.findIndex((_, i) => known.some((name) => columns[name].values[i] > 0));
  return { text, first: first < 0 ? null : times[first] };
}
