// Everything that frames contain about one vertex, as a list of quantities.
import { decodeDirection, decodeValue } from './codec.js';
import { FINDING_NAMES, STATE_NAMES } from './colours.js';

const STEPS = 65535;
const AXES = ['x', 'y', 'z'];

function placeOf(frame, vertex) {
  const { low, size } = frame.header;
  return AXES.map((_, i) => low[i] + (size / STEPS) * frame.position[4 * vertex + i]);
}

function amount(run, plane) {
  const index = run.planes.indexOf(plane);
  return (frame, vertex) =>
    decodeValue(frame.planes[plane][vertex], frame.header.largest[index]);
}

function vector(run, plane) {
  const length = amount(run, plane);
  const direction = [0, 0, 0];
  return (frame, vertex) => {
    const size = length(frame, vertex);
    decodeDirection(frame.planes[`${plane}_a`][vertex], frame.planes[`${plane}_b`][vertex],
                    direction);
    return direction.map((part) => size * part);
  };
}

function names(plane, list) {
  return { value: (frame, vertex) => frame.planes[plane][vertex],
           text: (value) => list[value] || String(value) };
}

// Each { key, label, unit, value(frame, vertex) }, with text(value) if a word is clearer. first:
// the run's first frame, the reference of displacements.
export function quantities(run, first) {
  const list = [];
  const has = (plane) => run.planes.includes(plane);
  const addVector = (key, label, unit, value, size) => {
    if (size) list.push({ key, label, unit,
                          value: (frame, v) => Math.hypot(...value(frame, v)) });
    AXES.forEach((axis, i) =>
      list.push({ key: `${key}_${axis}`, label: size ? axis : `${label} ${axis}`, part: size, unit,
                  value: (frame, v) => value(frame, v)[i] }));
  };
  const moved = (frame, v) => {
    const start = placeOf(first, v);
    return placeOf(frame, v).map((x, i) => x - start[i]);
  };
  addVector('position', 'Position', 'm', placeOf, false);
  addVector('displacement', 'Displacement', 'm', moved, true);
  if (has('speed')) addVector('velocity', 'Velocity', 'm/s', vector(run, 'speed'), true);
  if (has('contact')) addVector('contact', 'Contact force', 'N', vector(run, 'contact'), true);
  if (has('friction')) addVector('friction', 'Friction force', 'N', vector(run, 'friction'), true);
  if (has('state'))
    list.push({ key: 'state', label: 'Stick or slip', unit: '', ...names('state', STATE_NAMES) });
  if (has('gap')) {
    const above = amount(run, 'gap');
    const below = amount(run, 'overlap');
    list.push({ key: 'gap', label: 'Contact gap', unit: 'm',
                value: (frame, v) => above(frame, v) - below(frame, v) });
  }
  const single = (plane, label, unit) =>
    has(plane) && list.push({ key: plane, label, unit, value: amount(run, plane) });
  single('slip_speed', 'Slip speed', 'm/s');
  single('held', 'Held displacement', 'm');
  single('von_mises', 'Stress (von Mises)', 'Pa');
  if (has('findings'))
    list.push({ key: 'findings', label: 'Judge', unit: '', ...names('findings', FINDING_NAMES) });
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
