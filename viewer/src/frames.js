// Frames of the run, unpacked on demand and dropped when memory runs short.
import { bytesPerFrame, unpackFrame } from './codec.js';

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
    this.planes = source.run.planes;
    this.frames = new Map();
    this.packs = new Map(); // index → promise, in order of use
    this.headers = new Map();
    this.ranges = new Map(); // plane → end of its legend
    this.box = null;
    this.grown = false; // the box has grown since it was last read
    for (const [index, header] of (source.packs || []).entries()) this.learn(index, header);
  }

  // Collects from a header what concerns the whole run: the extent of motion and the largest
  // values.
  learn(index, header) {
    if (this.headers.has(index)) return;
    this.headers.set(index, header);
    const low = header.low;
    const high = header.high;
    if (!this.box) this.box = { low: [...low], high: [...high] };
    for (let axis = 0; axis < 3; axis++) {
      if (low[axis] < this.box.low[axis] || high[axis] > this.box.high[axis]) this.grown = true;
      this.box.low[axis] = Math.min(this.box.low[axis], low[axis]);
      this.box.high[axis] = Math.max(this.box.high[axis], high[axis]);
    }
    this.planes.forEach((name, plane) => {
      this.ranges.set(name, Math.max(this.ranges.get(name) || 0, header.typical[plane]));
    });
  }

  // The frame, or undefined while it is loading.
  get(frame) {
    const found = this.frames.get(frame);
    this.want(frame);
    return found;
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
    let promise = this.packs.get(index);
    if (promise) this.packs.delete(index);
    else promise = this.unpack(index);
    this.packs.set(index, promise);
    this.forget();
    return promise;
  }

  async unpack(index) {
    let pack;
    try {
      pack = await this.source.pack(index);
    } catch {
      setTimeout(() => this.packs.delete(index), RETRY);
      return;
    }
    const { header, bytes } = pack;
    this.learn(index, header);
    let before = null;
    let started = performance.now();
    for (let i = 0; i < header.count; i++) {
      before = unpackFrame(bytes, i, this.vertexCount, this.planes, before);
      before.header = header;
      this.frames.set(header.first + i, before);
      if (performance.now() - started < SLICE) continue;
      await pause();
      started = performance.now();
    }
  }

  forget() {
    const size = bytesPerFrame(this.vertexCount, this.planes.length) + 2 * this.vertexCount;
    const most = Math.max(8, Math.floor(MEMORY / size));
    for (const index of this.packs.keys()) {
      if (this.frames.size <= most || this.packs.size <= this.source.ahead + 2) return;
      const header = this.headers.get(index);
      if (!header) continue;
      this.packs.delete(index);
      for (let i = 0; i < header.count; i++) this.frames.delete(header.first + i);
    }
  }
}
