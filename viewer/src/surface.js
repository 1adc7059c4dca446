// The surface of all bodies as sent by the program; the same in all frames.

export function parseSurface(bytes, run) {
  const { buffer } = bytes;
  let at = 0;
  const take = (Type, count) => {
    const array = new Type(buffer, at, count);
    at += array.byteLength;
    return array;
  };
  const triangles = take(Uint32Array, 3 * run.triangle_count);
  const cells = take(Uint32Array, run.triangle_count); // cell of the frames behind each triangle
  const numbers = take(Uint32Array, run.vertex_count); // among the vertices of all bodies
  const bodyOf = take(Uint16Array, run.vertex_count);
  const materialOf = take(Uint16Array, run.vertex_count);
  const rest = take(Float32Array, 3 * run.vertex_count); // undeformed positions
  return { triangles, cells, numbers, bodyOf, materialOf, rest };
}

// The tets inside, by the vertices of the surface and the inner ones after them.
export function parseInside(bytes, run) {
  const tets = new Uint32Array(bytes.buffer, 0, 4 * run.inside_count);
  return { tets, materials: new Uint16Array(bytes.buffer, tets.byteLength, run.inside_count) };
}

// Tets come before triangles among the cells of a frame.
export function nameOfCell(run, cell) {
  return cell < run.tet_count ? `tet ${cell}` : `triangle ${cell - run.tet_count}`;
}

// For each boundary { name, axes, release, numbers: of its vertices among those of all bodies }.
export function parseHeld(bytes, run) {
  let at = 0;
  return run.boundaries.map(({ name, axes, release, vertices }) => {
    const numbers = new Uint32Array(bytes.buffer, at, vertices);
    at += numbers.byteLength;
    return { name, axes, release: release ?? Infinity, numbers };
  });
}
