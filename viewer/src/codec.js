// Unpacks what src/show/view_pack.c packs. A pack holds some frames of a run one after the other,
// each as planes of one number per vertex: x, y, z in 16 bits, then one byte per field.
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

// Positions have four entries per vertex, the last one unused, for alignment on the graphics card.
function addPosition(bytes, start, count, before, position, axis) {
  const high = start + count;
  let change = 0;
  for (let i = 0, at = axis; i < count; i++, at += 4) {
    const coded = bytes[start + i] | (bytes[high + i] << 8);
    change += (coded >>> 1) ^ -(coded & 1);
    position[at] = before ? before[at] + change : change;
  }
}

function addField(bytes, start, count, before, field) {
  let change = 0;
  for (let i = 0; i < count; i++) {
    const coded = bytes[start + i];
    change += (coded >>> 1) ^ -(coded & 1);
    field[i] = before ? before[i] + change : change;
  }
}

export function bytesPerFrame(count, planeCount) {
  return count * (6 + planeCount);
}

// One frame of an inflated pack; before: the frame before it in the same pack, null for the first.
export function unpackFrame(bytes, index, count, planeNames, before) {
  let start = index * bytesPerFrame(count, planeNames.length);
  const position = new Uint16Array(4 * count);
  for (let axis = 0; axis < 3; axis++, start += 2 * count)
    addPosition(bytes, start, count, before && before.position, position, axis);
  const planes = {};
  for (const name of planeNames) {
    planes[name] = new Uint8Array(count);
    addField(bytes, start, count, before && before.planes[name], planes[name]);
    start += count;
  }
  return { position, planes };
}

// A byte is the square root of the ratio to the largest value, so that small values keep digits.
export function decodeValue(code, largest) {
  const share = code / 255;
  return share * share * largest;
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
