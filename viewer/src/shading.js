// What bodies are coloured by, and over which scale: shared by all runs on the page.
import { DIVERGING, MAPS, colourings, usualMap } from './colours.js';

const DECADES = 1e-4; // of the high end: smaller codes of values are zero (codec.js)
export const MODES = ['run', 'frame', 'fixed'];

function firstKey(names, list) {
  const has = (key) => list.some((entry) => entry.key === key) && key;
  if (names.materials.length > 1) return 'material';
  return has('body') || has('stress') || has('speed') || 'material';
}

// The least low and the largest high of { low, high } of all sides; undefined ones are left out.
function envelope(ranges) {
  const known = ranges.filter((range) => range && range.low <= range.high);
  return known.length ? { low: Math.min(...known.map(({ low }) => low)),
                          high: Math.max(...known.map(({ high }) => high)) } : { low: 0, high: 0 };
}

export class Shading {
  constructor(runs, names) {
    this.colourings = colourings(runs, names);
    this.chosen = new Map(); // field → number of its component
    this.settings = new Map(); // of scales, by scaleKey, where the user has changed them
    this.choose(firstKey(names, this.colourings));
  }

  choose(key) {
    this.colouring = this.colourings.find((entry) => entry.key === key) || this.colouring;
  }

  step(count) {
    const all = this.colourings.length;
    const index = this.colourings.indexOf(this.colouring);
    this.choose(this.colourings[(index + count + all) % all].key);
  }

  isScale() {
    return this.colouring.kind === 'scale';
  }

  components() {
    return this.isScale() ? this.colouring.field.components : [];
  }

  get component() {
    return this.chosen.get(this.colouring.key) || 0;
  }

  // By its name; unknown ones are ignored.
  chooseComponent(name, key = this.colouring.key) {
    const entry = this.colourings.find((one) => one.key === key);
    const index = entry?.field?.components.findIndex((one) => one.name === name) ?? -1;
    if (index >= 0) this.chosen.set(key, index);
  }

  stepComponent(count) {
    const all = this.components();
    if (all.length)
      this.chosen.set(this.colouring.key, (this.component + count + all.length) % all.length);
  }

  // "Stress, von Mises"
  label() {
    const { colouring } = this;
    const component = this.components()[this.component];
    return component?.label ? `${colouring.label}, ${component.label.split(',')[0]}`
      : colouring.label;
  }

  scaleKey() {
    const component = this.components()[this.component];
    return component.name ? `${this.colouring.key}.${component.name}` : this.colouring.key;
  }

  // { mode, low, high, logarithmic, map } as chosen; map is null for the usual one.
  setting() {
    const usual = { mode: 'run', low: 0, high: 0, logarithmic: false, map: null };
    return this.settings.get(this.scaleKey()) || usual;
  }

  change(part) {
    if (this.isScale()) this.settings.set(this.scaleKey(), { ...this.setting(), ...part });
  }

  // What the sides' colours go by now: { low, high, logarithmic, map, anchors, mode }; null if the
  // colouring is no scale.
  scale(sides) {
    if (!this.isScale()) return null;
    const { field } = this.colouring;
    const setting = this.setting();
    const map = setting.map || usualMap(field, this.component);
    const ends = setting.mode === 'fixed' ? setting : this.automatic(sides, setting, map);
    return { ...this.tidy(ends, setting), map, anchors: MAPS[map], mode: setting.mode };
  }

  automatic(sides, { mode, logarithmic }, map) {
    const { field } = this.colouring;
    const ends = envelope(sides.map(({ bodies, frames }) =>
      (mode === 'frame' && bodies.frame ? bodies.extremes()
        : frames.rangeOf(field.group, this.component))));
    if (logarithmic) return { low: Math.max(ends.low, DECADES * ends.high), high: ends.high };
    const most = Math.max(Math.abs(ends.low), Math.abs(ends.high));
    if (map === DIVERGING) return { low: -most, high: most };
    const amount = field.components[this.component].kind === 'amount';
    return { low: amount && mode === 'run' ? 0 : ends.low, high: ends.high };
  }

  // A logarithm needs positive ends; without any, the scale is linear.
  tidy({ low, high }, { logarithmic }) {
    if (!logarithmic || !(high > 0)) return { low, high, logarithmic: false };
    return { low: low > 0 && low < high ? low : DECADES * high, high, logarithmic: true };
  }

  // For the address: fields with a component, and scales, that were changed.
  toWords() {
    const words = [];
    for (const [key, index] of this.chosen) {
      const { components } = this.colourings.find((one) => one.key === key).field;
      if (index > 0) words.push([`component.${key}`, components[index].name]);
    }
    for (const [key, { mode, low, high, logarithmic, map }] of this.settings) {
      const ends = mode === 'fixed' ? [Number(low.toPrecision(5)), Number(high.toPrecision(5))] : [];
      const all = [mode, ...ends, ...(logarithmic ? ['log'] : []), ...(map ? [map] : [])];
      if (all.join() !== 'run') words.push([`scale.${key}`, all.join('~')]);
    }
    return words;
  }

  // Invalid words are passed over.
  fromWord(key, value) {
    const [kind, name] = [key.slice(0, key.indexOf('.')), key.slice(key.indexOf('.') + 1)];
    if (kind === 'component') this.chooseComponent(value, name);
    if (kind !== 'scale') return;
    const [mode, ...rest] = value.split('~');
    const ends = rest.map(Number).filter(Number.isFinite);
    if (!MODES.includes(mode) || (mode === 'fixed' && !(ends[0] < ends[1]))) return;
    this.settings.set(name, { mode, low: ends[0] ?? 0, high: ends[1] ?? 0,
                              logarithmic: rest.includes('log'),
                              map: rest.find((word) => MAPS[word]) || null });
  }
}
