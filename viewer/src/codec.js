// Unpacks what src/show/view_pack.c packs. A pack holds some frames of a run one after the other: a
// group for displacements, with planes of 16 bits per vertex for x, y and z, and one for each field,
// with planes of one byte.
// What is stored of a number is how far it is from what was expected: its own value one frame
// earlier, plus the change the vertex before it has just made.

export async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export function fromBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

function addAxis(bytes, start, count, before, position, axis) {
  const high = start + count;
  let change = 0;
  for (let i = 0, at = axis; i < count; i++, at += 3) {
    const coded = bytes[start + i] | (bytes[high + i] << 8);
    change += (coded >>> 1) ^ -(coded & 1);
    position[at] = before ? before[at] + change : change;
  }
}

// Displacements of one frame of an inflated pack, [count][3] from 0 to 65535 over the pack's cube;
// before: those one frame earlier in the same pack, null for the first.
export function unpackPosition(bytes, index, count, before) {
  const position = new Uint16Array(3 * count);
  for (let axis = 0; axis < 3; axis++)
    addAxis(bytes, (6 * index + 2 * axis) * count, count, before, position, axis);
  return position;
}

function addPlane(bytes, start, count, before, plane) {
  let change = 0;
  for (let i = 0; i < count; i++) {
    const coded = bytes[start + i];
    change += (coded >>> 1) ^ -(coded & 1);
    plane[i] = before ? before[i] + change : change;
  }
}

// The same for a field: a list of its planes, one byte for each vertex.
export function unpackField(bytes, index, count, planeCount, before) {
  return Array.from({ length: planeCount }, (_, i) => {
    const plane = new Uint8Array(count);
    addPlane(bytes, (planeCount * index + i) * count, count, before && before[i], plane);
    return plane;
  });
}

// A byte is the square root of the ratio to the largest value, so that small values keep digits.
export function decodeValue(code, largest) {
  const share = code / 255;
  return share * share * largest;
}

// The same with a sign, on both sides of 128.
export function decodeSigned(code, largest) {
  const share = (code - 128) / 127;
  return share * Math.abs(share) * largest;
}

// A unit vector from a point of the unfolded octahedron, in two bytes.
export function decodeDirection(a, b, out) {
  let x = a / 127.5 - 1;
  let y = b / 127.5 - 1;
  const z = 1 - Math.abs(x) - Math.abs(y);
  if (z < 0) {
    const folded = (1 - Math.abs(y)) * (x < 0 ? -1 : 1);
    y = (1 - Math.abs(x)) * (y < 0 ? -1 : 1);
    x = folded;
  }
  const length = Math.hypot(x, y, z);
  out[0] = x / length;
  out[1] = y / length;
  out[2] = z / length;
}
