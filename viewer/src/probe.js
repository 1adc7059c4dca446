// Everything that frames contain about one vertex, as a list of quantities.
import { FINDING_NAMES, STATE_NAMES } from './colours.js';
import { fieldsOf, reader } from './fields.js';

const AXES = ['x', 'y', 'z'];
const NAMES = { state: STATE_NAMES, findings: FINDING_NAMES };

// Each { key, label, unit, value(frame, vertex) }, with text(value) if a word is clearer. part: of
// the quantity before it. rest: undeformed positions.
export function quantities(run, rest) {
  const list = [];
  const fields = fieldsOf(run);
  const valueOf = (field, component) => (frame, v) => reader(frame, field, component)?.(v) ?? NaN;
  const [displacement] = fields;
  AXES.forEach((axis, i) => {
    const moved = valueOf(displacement, i + 1);
    list.push({ key: `position_${axis}`, label: `Position ${axis}`, unit: 'm',
                value: (frame, v) => rest[3 * v + i] + moved(frame, v) });
  });
  for (const field of fields) {
    const { name, label, unit, components } = field;
    const words = NAMES[name];
    components.forEach((component, i) => {
      const whole = component.label && component.label !== 'size'
        ? `${label}, ${component.label}` : label;
      list.push({ key: i ? `${name}_${component.name}` : name, unit, part: i > 0,
                  label: i ? component.label : whole, value: valueOf(field, i),
                  ...(words && { text: (value) => words[value] || String(value) }) });
    });
  }
  return list;
}

// Values of all quantities over all frames, filled as frames arrive.
export class Trace {
  constructor(list, vertex, times) {
    this.list = list;
    this.vertex = vertex;
    this.setTimes(times);
  }

  setTimes(times) {
    const grown = (old) => {
      const array = new Float32Array(times.length).fill(NaN);
      if (old) array.set(old.subarray(0, times.length));
      return array;
    };
    this.times = Float32Array.from(times);
    this.values = this.list.map((_, i) => grown(this.values && this.values[i]));
  }

  isKnown(index) {
    return !Number.isNaN(this.values[0][index]);
  }

  learn(index, frame) {
    this.list.forEach(({ value }, i) => (this.values[i][index] = value(frame, this.vertex)));
  }

  column(key) {
    return this.values[this.list.findIndex((entry) => entry.key === key)];
  }

  // Requests missing frames one after the other; stop(): no longer needed.
  async fill(frames, learnt, stop) {
    for (let i = 0; i < this.times.length && !stop(); i++) {
      if (this.isKnown(i)) continue;
      const frame = await frames.need(i);
      if (frame && !stop()) {
        this.learn(i, frame);
        learnt(i);
      }
    }
  }
}
