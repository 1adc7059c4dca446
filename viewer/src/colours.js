// Colour maps and palettes. Fields of which most of a surface has none (contact, friction) start in
// the grey of untouched bodies; the others use maps that keep their order for every eye.

// Viridis without its darkest quarter, which would hide the shape of a body.
const VIRIDIS = ['#414487', '#355f8d', '#2a788e', '#21918c', '#22a884', '#44bf70', '#7ad151',
                 '#bddf26', '#fde725'];
const TIDE = ['#e6e8e1', '#bfe0cb', '#83c9bd', '#47a6b5', '#2f7aa6', '#2f4d8c', '#2b2560'];
const EMBER = ['#ced2d9', '#f6cfa3', '#f7a35c', '#e8672e', '#c02c18', '#7a0c12'];
const VIOLET = ['#ced2d9', '#b9c3e6', '#9398d8', '#7a68c4', '#66389f', '#45136b'];

export const MAPS = {
  speed: VIRIDIS,
  slip_speed: VIRIDIS,
  held: VIRIDIS,
  von_mises: TIDE,
  contact: EMBER,
  friction: VIOLET,
};

export const STATE_COLOURS = ['#ced2d9', '#1f9e89', '#ef6c3b'];
export const STATE_NAMES = ['free', 'sticking', 'sliding'];

// In the order of the judge's kinds of findings.
export const FINDING_COLOURS = ['#ced2d9', '#d1495b', '#8f3fa8', '#f28f1c', '#7a0c12', '#1d1d1f',
                                '#0b6e99'];
export const FINDING_NAMES = ['nothing found', 'crosses another body', 'crosses itself',
                              'reaches into an obstacle', 'inside', 'inverted tet',
                              'passed through something'];

const PALETTE = [
  '#e07a5f', '#3d8eb9', '#81b29a', '#f2cc8f', '#8f6bb3', '#d1669e', '#6a9c3f', '#b98b5e', '#5b7fd1',
  '#c9b037', '#4fb3a5', '#a3555b',
];

export const PALETTE_SIZE = PALETTE.length;

export function paletteColour(index) {
  return PALETTE[index % PALETTE.length];
}

export function parseColour(hex) {
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
}

// [size][4] bytes, as the table of a texture.
export function mapTable(anchors, size = 256) {
  const colours = anchors.map(parseColour);
  const table = new Uint8Array(4 * size);
  for (let i = 0; i < size; i++) {
    const at = (i / (size - 1)) * (colours.length - 1);
    const low = Math.min(Math.floor(at), colours.length - 2);
    for (let c = 0; c < 3; c++)
      table[4 * i + c] = colours[low][c] + (at - low) * (colours[low + 1][c] - colours[low][c]);
    table[4 * i + 3] = 255;
  }
  return table;
}

export function listTable(list, size = 256) {
  const table = new Uint8Array(4 * size);
  for (let i = 0; i < size; i++) {
    const colour = parseColour(list[i % list.length]);
    table.set([...colour, 255], 4 * i);
  }
  return table;
}

// Everything the runs on the page have, each name once.
export function union(lists) {
  return [...new Set(lists.flat())];
}

function fieldsOf(runs) {
  const all = runs.flatMap(({ fields }) => fields);
  return all.filter(({ plane }, i) => all.findIndex((other) => other.plane === plane) === i);
}

// Everything a legend and a shader need for one colouring. kind: 'scale' over the values of a
// plane, or 'list' of things by number, from a plane or from the vertices. names: { materials,
// bodies } of all runs.
export function colourings(runs, names) {
  const list = [];
  const add = (entry) => list.push(entry);
  const entries = (items) => items.map((name, i) => ({ name, colour: paletteColour(i) }));
  add({ key: 'material', label: 'Material', kind: 'list', fixed: 'material',
        entries: entries(names.materials) });
  if (names.bodies.length > 1)
    add({ key: 'body', label: 'Body', kind: 'list', fixed: 'body',
          entries: entries(names.bodies) });
  for (const field of fieldsOf(runs)) {
    if (field.plane === 'state')
      add({ key: 'state', label: 'Stick or slip', kind: 'list', plane: 'state',
            entries: STATE_NAMES.map((name, i) => ({ name, colour: STATE_COLOURS[i] })) });
    else if (field.plane === 'findings')
      add({ key: 'findings', label: field.label, kind: 'list', plane: 'findings',
            entries: FINDING_NAMES.map((name, i) => ({ name, colour: FINDING_COLOURS[i] })) });
    else
      add({ key: field.plane, label: field.label, kind: 'scale', plane: field.plane,
            unit: field.unit, map: MAPS[field.plane] || VIRIDIS });
  }
  return list;
}
