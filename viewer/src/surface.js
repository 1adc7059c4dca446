// The surface of all bodies as the program tells of it; it is the same in all frames.

export function parseSurface(bytes, run) {
  const { buffer } = bytes;
  let at = 0;
  const take = (Type, count) => {
    const array = new Type(buffer, at, count);
    at += array.byteLength;
    return array;
  };
  const triangles = take(Uint32Array, 3 * run.triangle_count);
  const cells = take(Uint32Array, run.triangle_count); // of the frames, behind each triangle
  const numbers = take(Uint32Array, run.vertex_count); // among the vertices of all bodies
  const bodyOf = take(Uint16Array, run.vertex_count);
  const material = take(Uint16Array, run.vertex_count);
  // As colours they are bytes like all others; more than 256 begin again.
  return { triangles, cells, numbers, bodyOf, body: Uint8Array.from(bodyOf),
           material: Uint8Array.from(material) };
}

// Tets come before triangles among the cells of a frame.
export function nameOfCell(run, cell) {
  return cell < run.tet_count ? `tet ${cell}` : `triangle ${cell - run.tet_count}`;
}
