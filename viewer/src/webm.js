// WebM, written from the description of Matroska: one video track in clusters that each begin with a
// picture that needs no others, and cues by which players find them.
import { bytesOf, concat } from './bytes.js';

// An id is written as it is; sizes have eight bytes, the first of which says so.
function idBytes(id) {
  const text = id.toString(16);
  return Uint8Array.from(text.match(/../g), (pair) => parseInt(pair, 16));
}

function sizeBytes(size) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(size));
  bytes[0] = 1;
  return bytes;
}

function element(id, ...content) {
  const inside = concat(content);
  return concat([idBytes(id), sizeBytes(inside.length), inside]);
}

function whole(id, value) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
  return element(id, bytes);
}

function real(id, value) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value);
  return element(id, bytes);
}

function text(id, value) {
  return element(id, new TextEncoder().encode(value));
}

const EBML = 0x1a45dfa3;
const SEGMENT = 0x18538067;
const INFO = 0x1549a966;
const TRACKS = 0x1654ae6b;
const CUES = 0x1c53bb6b;
const CLUSTER = 0x1f43b675;

function head() {
  return element(EBML, whole(0x4286, 1), whole(0x42f7, 1), whole(0x42f2, 4), whole(0x42f3, 8),
                 text(0x4282, 'webm'), whole(0x4287, 4), whole(0x4285, 2));
}

function info(milliseconds) {
  return element(INFO, whole(0x2ad7b1, 1000000), real(0x4489, milliseconds),
                 text(0x4d80, 'Stiction'), text(0x5741, 'Stiction'));
}

function tracks({ width, height }, codec) {
  const video = element(0xe0, whole(0xb0, width), whole(0xba, height));
  return element(TRACKS, element(0xae, whole(0xd7, 1), whole(0x73c5, 1), whole(0x83, 1),
                                 whole(0x9c, 0), text(0x86, codec), video));
}

// A SimpleBlock: track 1, time from the cluster's start in 16 bits, and whether it stands alone.
function block(picture, start) {
  const lead = new Uint8Array(4);
  lead[0] = 0x81;
  new DataView(lead.buffer).setInt16(1, picture.time - start);
  lead[3] = picture.key ? 0x80 : 0;
  return element(0xa3, lead, picture.bytes);
}

function cluster(pictures) {
  const start = pictures[0].time;
  return element(CLUSTER, whole(0xe7, start), ...pictures.map((picture) => block(picture, start)));
}

function cues(groups, positions) {
  return element(CUES, ...groups.map((pictures, i) =>
    element(0xbb, whole(0xb3, pictures[0].time),
            element(0xb7, whole(0xf7, 1), whole(0xf1, positions[i])))));
}

export class WebM {
  // codec: as Matroska calls it.
  constructor(size, codec) {
    this.size = size;
    this.codec = codec;
    this.pictures = [];
  }

  // chunk: an EncodedVideoChunk.
  add(chunk) {
    this.pictures.push({ bytes: bytesOf(chunk), key: chunk.type === 'key',
                         time: Math.round(chunk.timestamp / 1000) });
  }

  groups() {
    const groups = [];
    for (const picture of this.pictures)
      if (picture.key || !groups.length) groups.push([picture]);
      else groups[groups.length - 1].push(picture);
    return groups;
  }

  // seconds: how long it lasts.
  finish(seconds) {
    const groups = this.groups();
    const clusters = groups.map(cluster);
    const before = [info(1000 * seconds),
                    tracks(this.size, this.codec)];
    // All numbers have the same width, so the cues' size is known before what they say.
    let at = before.reduce((size, part) => size + part.length, 0) +
      cues(groups, groups.map(() => 0)).length;
    const positions = clusters.map((part) => (at += part.length) - part.length);
    const segment = element(SEGMENT, ...before, cues(groups, positions), ...clusters);
    return new Blob([head(), segment], { type: 'video/webm' });
  }
}
