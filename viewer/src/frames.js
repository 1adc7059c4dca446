// Frames of the run, unpacked on demand and dropped when memory runs short. Of the fields, only
// those that are shown are unpacked.
import { unpackField, unpackPosition } from './codec.js';

const MEMORY = 512 * 1024 * 1024;
const SLICE = 5; // milliseconds of unpacking before yielding
const RETRY = 1000; // milliseconds before a failed request is repeated

function pause() {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

export class Frames {
  constructor(source) {
    this.source = source;
    this.vertexCount = source.run.vertex_count;
    this.known = new Set(['position', ...source.run.fields.map(({ name }) => name)]);
    this.wanted = new Set(['position']); // groups
    this.frames = new Map();
    this.packs = new Map(); // index → Map of groups → promise, in order of use
    this.headers = new Map();
    this.ranges = new Map(); // group → { low, high } of its components
    this.box = null;
    this.moved = { low: [0, 0, 0], high: [0, 0, 0], farthest: 0 }; // displacements
    this.grown = false; // the box has grown since it was last read
    for (const [index, header] of (source.packs || []).entries()) this.learn(index, header);
  }

  // Collects from a header what concerns the whole run: the extent of motion and the ends of
  // legends.
  learn(index, header) {
    const own = this.headers.get(index);
    for (const [name, group] of Object.entries(header.groups)) {
      if (own?.groups[name]) continue;
      if (name === 'position') this.learnBox(group);
      else this.learnRange(name, group);
    }
    if (own) Object.assign(own.groups, header.groups);
    else this.headers.set(index, header);
    return this.headers.get(index);
  }

  learnBox({ low, high, farthest, box_low: boxLow, box_high: boxHigh }) {
    const { moved } = this;
    if (!this.box) this.box = { low: [...boxLow], high: [...boxHigh] };
    for (let axis = 0; axis < 3; axis++) {
      if (boxLow[axis] < this.box.low[axis] || boxHigh[axis] > this.box.high[axis])
        this.grown = true;
      this.box.low[axis] = Math.min(this.box.low[axis], boxLow[axis]);
      this.box.high[axis] = Math.max(this.box.high[axis], boxHigh[axis]);
      moved.low[axis] = Math.min(moved.low[axis], low[axis]);
      moved.high[axis] = Math.max(moved.high[axis], high[axis]);
    }
    moved.farthest = Math.max(moved.farthest, farthest);
    this.ranges.set('position', { low: [0, ...moved.low],
                                  high: [moved.farthest, ...moved.high] });
  }

  learnRange(name, { low, high }) {
    const before = this.ranges.get(name);
    this.ranges.set(name, {
      low: low.map((end, i) => Math.min(end, before ? before.low[i] : end)),
      high: high.map((end, i) => Math.max(end, before ? before.high[i] : end)) });
  }

  // { low, high } of a component, over the frames seen so far; undefined: the run has none.
  rangeOf(group, component) {
    const range = this.ranges.get(group);
    return range && { low: range.low[component], high: range.high[component] };
  }

  // groups: names, of which the run may have some.
  setWanted(groups) {
    this.wanted = new Set(['position', ...groups.filter((name) => this.known.has(name))]);
  }

  isComplete(frame) {
    return Boolean(frame?.position) &&
      [...this.wanted].every((name) => name === 'position' || frame.fields[name]);
  }

  // The frame, or undefined while it is loading.
  get(frame) {
    const found = this.frames.get(frame);
    this.want(frame);
    return this.isComplete(found) ? found : undefined;
  }

  // Resolves when the frame is loaded.
  async need(frame) {
    await this.load(this.source.packOf(frame));
    return this.frames.get(frame);
  }

  want(frame) {
    const count = this.source.run.times.length;
    const index = this.source.packOf(frame);
    this.load(index);
    const last = this.source.packOf(count - 1);
    for (let i = 1; i <= this.source.ahead && index + i <= last; i++) this.load(index + i);
  }

  load(index) {
    const groups = this.packs.get(index) || new Map();
    this.packs.delete(index);
    this.packs.set(index, groups);
    for (const name of this.wanted)
      if (!groups.has(name)) groups.set(name, this.unpack(index, name, groups));
    this.forget();
    return Promise.all([...this.wanted].map((name) => groups.get(name)));
  }

  async unpack(index, name, groups) {
    let pack;
    try {
      pack = await this.source.pack(index, name);
    } catch {
      setTimeout(() => groups.delete(name), RETRY);
      return;
    }
    const header = this.learn(index, pack.header);
    let before = null;
    let started = performance.now();
    for (let i = 0; i < header.count && this.packs.get(index) === groups; i++) {
      before = this.unpackFrame(pack.bytes, i, header, name, before);
      if (performance.now() - started < SLICE) continue;
      await pause();
      started = performance.now();
    }
  }

  unpackFrame(bytes, i, header, name, before) {
    const number = header.first + i;
    const frame = this.frames.get(number) || { header, position: null, fields: {} };
    this.frames.set(number, frame);
    if (name === 'position')
      return (frame.position = unpackPosition(bytes, i, this.vertexCount, before));
    const { count } = header.groups[name];
    return (frame.fields[name] = unpackField(bytes, i, this.vertexCount, count, before));
  }

  // Of one frame with all that has been unpacked.
  bytesOf({ groups }) {
    const own = [...this.packs.values()].reduce((all, names) => {
      for (const name of names.keys()) all.add(name);
      return all;
    }, new Set());
    return this.vertexCount *
      [...own].reduce((sum, name) => sum + (name === 'position' ? 6 : groups[name]?.count || 0), 0);
  }

  forget() {
    const some = this.headers.values().next().value;
    if (!some || this.packs.size <= this.source.ahead + 2) return;
    const most = Math.max(8, Math.floor(MEMORY / this.bytesOf(some)));
    for (const index of this.packs.keys()) {
      if (this.frames.size <= most || this.packs.size <= this.source.ahead + 2) return;
      const header = this.headers.get(index);
      if (!header) continue;
      this.packs.delete(index);
      for (let i = 0; i < header.count; i++) this.frames.delete(header.first + i);
    }
  }
}
