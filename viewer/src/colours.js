// Colour maps and palettes, and what bodies can be coloured by. Fields of which most of a surface has
// none (contact, friction) start in the grey of untouched bodies; the others use maps that keep their
// order for every eye.
import { fieldsOf } from './fields.js';

// Viridis without its darkest quarter, which would hide the shape of a body.
const VIRIDIS = ['#414487', '#355f8d', '#2a788e', '#21918c', '#22a884', '#44bf70', '#7ad151',
                 '#bddf26', '#fde725'];
const TIDE = ['#e6e8e1', '#bfe0cb', '#83c9bd', '#47a6b5', '#2f7aa6', '#2f4d8c', '#2b2560'];
const EMBER = ['#ced2d9', '#f6cfa3', '#f7a35c', '#e8672e', '#c02c18', '#7a0c12'];
const VIOLET = ['#ced2d9', '#b9c3e6', '#9398d8', '#7a68c4', '#66389f', '#45136b'];
// Without their darkest part too.
const INFERNO = ['#4a0c6b', '#781c6d', '#a52c60', '#cf4446', '#ed6925', '#fb9b06', '#f7d13d',
                 '#fcffa4'];
const CIVIDIS = ['#123570', '#3b496c', '#575d6d', '#707173', '#8a8678', '#a59c74', '#c3b369',
                 '#e1cc55', '#fee838'];
const GREY = ['#f2f2f2', '#bdbdbd', '#8a8a8a', '#595959', '#2b2b2b'];
// For both signs: pale in the middle.
const BLUE_RED = ['#2166ac', '#4393c3', '#92c5de', '#d1e5f0', '#f7f7f7', '#fddbc7', '#f4a582',
                  '#d6604d', '#b2182b'];

// By the names that the page offers.
export const MAPS = { viridis: VIRIDIS, inferno: INFERNO, cividis: CIVIDIS, tide: TIDE,
                      ember: EMBER, violet: VIOLET, grey: GREY, 'blue to red': BLUE_RED };
export const DIVERGING = 'blue to red';

const USUAL_MAPS = { stress: 'tide', contact: 'ember', pressure: 'ember', friction: 'violet',
                     shear: 'violet' };

// Of a field's component.
export function usualMap(field, component) {
  if (field.components[component].kind === 'signed') return DIVERGING;
  return USUAL_MAPS[field.name] || 'viridis';
}

// Of arrows.
export function forceColour(name) {
  return MAPS[USUAL_MAPS[name]][3];
}

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

function allFields(runs) {
  const all = runs.flatMap(fieldsOf);
  return all.filter(({ name }, i) => all.findIndex((other) => other.name === name) === i);
}

const LISTS = { state: [STATE_NAMES, STATE_COLOURS], findings: [FINDING_NAMES, FINDING_COLOURS] };

// Everything a legend and a shader need for one colouring. kind: 'scale' over the values of a
// field, or 'list' of things by number, from a field or from the vertices. names: { materials,
// bodies } of all runs.
export function colourings(runs, names) {
  const list = [];
  const fixed = (key, label, items) =>
    list.push({ key, label, kind: 'list', fixed: key,
                entries: items.map((name, i) => ({ name, colour: paletteColour(i) })) });
  fixed('material', 'Material', names.materials);
  if (names.bodies.length > 1) fixed('body', 'Body', names.bodies);
  for (const field of allFields(runs)) {
    const { name: key, label, unit } = field;
    const [words, colours] = LISTS[key] || [];
    const entries = words?.map((name, i) => ({ name, colour: colours[i] }));
    if (words) list.push({ key, label, kind: 'list', field, entries });
    else list.push({ key, label, kind: 'scale', field, unit });
  }
  return list;
}
