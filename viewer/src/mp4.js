// MP4, written from the specification of ISO base media files: one track of H.264, with the index
// first so that a film plays while it loads.
import { bytesOf, concat } from './bytes.js';

// Integers of so many bits each, big-endian.
function numbers(bits, ...values) {
  const bytes = new Uint8Array(values.length * bits / 8);
  const view = new DataView(bytes.buffer);
  values.forEach((value, i) => view[`setUint${bits}`](i * bits / 8, value));
  return bytes;
}

const u8 = (...values) => numbers(8, ...values);
const u16 = (...values) => numbers(16, ...values);
const u32 = (...values) => numbers(32, ...values);
const text = (value) => new TextEncoder().encode(value);

function box(name, ...content) {
  const inside = concat(content);
  return concat([u32(inside.length + 8), text(name), inside]);
}

// With version 0 and flags.
function fullBox(name, flags, ...content) {
  return box(name, u32(flags), ...content);
}

const UNITY = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);
const TICKS = 90000; // per second

export class Mp4 {
  constructor(size) {
    this.size = size;
    this.pictures = [];
    this.description = null; // how to set up a decoder
  }

  // chunk: an EncodedVideoChunk; description comes with the first.
  add(chunk, description) {
    if (description)
      this.description = new Uint8Array(description.buffer ? description.buffer.slice(
        description.byteOffset, description.byteOffset + description.byteLength) : description);
    this.pictures.push({ bytes: bytesOf(chunk), key: chunk.type === 'key',
                         time: Math.round(chunk.timestamp * TICKS / 1e6) });
  }

  // How long each picture is shown, as pairs of a count and ticks.
  durations(end) {
    return this.pictures.flatMap(({ time }, i) =>
      [1, (i + 1 < this.pictures.length ? this.pictures[i + 1].time : end) - time]);
  }

  sampleTable(offset, end) {
    const { width, height } = this.size;
    const name = new Uint8Array(32);
    const entry = box('avc1', u8(0, 0, 0, 0, 0, 0), u16(1), new Uint8Array(16), u16(width, height),
                      u32(0x480000, 0x480000, 0), u16(1), name, u16(24, 0xffff),
                      box('avcC', this.description));
    const keys = this.pictures.flatMap(({ key }, i) => (key ? [i + 1] : []));
    const count = this.pictures.length;
    return box('stbl', fullBox('stsd', 0, u32(1), entry),
               fullBox('stts', 0, u32(count, ...this.durations(end))),
               fullBox('stss', 0, u32(keys.length, ...keys)),
               fullBox('stsc', 0, u32(1, 1, count, 1)),
               fullBox('stsz', 0, u32(0, count), ...this.pictures.map(({ bytes }) => u32(bytes.length))),
               fullBox('stco', 0, u32(1, offset)));
  }

  movie(offset, duration) {
    const { width, height } = this.size;
    const media = box('mdia', fullBox('mdhd', 0, u32(0, 0, TICKS, duration), u16(0x55c4, 0)),
                      fullBox('hdlr', 0, u32(0), text('vide'), u32(0, 0, 0), text('Stiction\0')),
                      box('minf', fullBox('vmhd', 1, u16(0, 0, 0, 0)),
                          box('dinf', fullBox('dref', 0, u32(1), fullBox('url ', 1))),
                          this.sampleTable(offset, duration)));
    const track = box('trak',
                      fullBox('tkhd', 3, u32(0, 0, 1, 0, duration, 0, 0), u16(0, 0, 0, 0), UNITY,
                              u32(width << 16, height << 16)), media);
    return box('moov', fullBox('mvhd', 0, u32(0, 0, TICKS, duration, 0x10000), u16(0x100, 0),
                               u32(0, 0), UNITY, new Uint8Array(24), u32(2)), track);
  }

  // seconds: how long it lasts.
  finish(seconds) {
    const end = Math.round(TICKS * seconds);
    const type = box('ftyp', text('isom'), u32(0x200), text('isomiso2avc1mp41'));
    const offset = type.length + this.movie(0, end).length + 8;
    const data = box('mdat', ...this.pictures.map(({ bytes }) => bytes));
    return new Blob([type, this.movie(offset, end), data], { type: 'video/mp4' });
  }
}
