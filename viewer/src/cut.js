// The section of solids by a cutting plane: through every tet, coloured like the bodies.
import {
  BufferAttribute, BufferGeometry, DynamicDrawUsage, Group, LineBasicMaterial, LineSegments, Vector3,
} from 'three';

const FEWEST = 256; // initial capacity in triangles

// Whether the points are counter-clockwise when seen along the plane's normal, from the side that
// is cut away.
function facesOut([a, b, c], normal) {
  const [ux, uy, uz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const [vx, vy, vz] = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
  return normal.x * (uy * vz - uz * vy) + normal.y * (uz * vx - ux * vz) +
    normal.z * (ux * vy - uy * vx) < 0;
}

// inside: { tets, materials } of all solids; none if the run was packed hollow.
export class Cut {
  constructor(bodies, inside) {
    this.bodies = bodies;
    this.inside = inside;
    this.plane = null;
    this.geometry = new BufferGeometry();
    this.lineGeometry = new BufferGeometry();
    this.mesh = bodies.makeMesh(this.geometry, { polygonOffset: false });
    // Edges between two tets are drawn twice.
    this.lines = new LineSegments(this.lineGeometry, new LineBasicMaterial({
      color: '#10141a', transparent: true, opacity: 0.16, depthWrite: false }));
    this.lines.frustumCulled = false;
    this.lines.visible = false;
    this.group = new Group();
    this.group.add(this.mesh, this.lines);
    this.group.visible = false;
    this.distance = new Float32Array(bodies.run.vertex_count);
    this.grow(FEWEST);
  }

  grow(triangles) {
    this.room = triangles;
    const old = { place: this.place3, value: this.value, line: this.line, tetOf: this.tetOf };
    const make = (count, before) => {
      const array = new Float32Array(count);
      if (before) array.set(before);
      return array;
    };
    this.place3 = make(9 * triangles, old.place);
    this.value = make(3 * triangles, old.value);
    this.line = make(18 * triangles, old.line); // three sides to a triangle
    this.tetOf = make(triangles, old.tetOf);
    const attribute = (geometry, name, array, size) => {
      geometry.dispose();
      geometry.setAttribute(name, new BufferAttribute(array, size).setUsage(DynamicDrawUsage));
    };
    attribute(this.geometry, 'position', this.place3, 3);
    attribute(this.geometry, 'value', this.value, 1);
    attribute(this.geometry, 'normal', new Float32Array(9 * triangles), 3);
    attribute(this.lineGeometry, 'position', this.line, 3);
    this.normalOf = null;
  }

  // plane: parts behind it are cut away; null: no cut.
  place(plane) {
    this.plane = plane;
    this.show();
  }

  setLines(visible) {
    this.lines.visible = visible;
  }

  // Call after every change of frame, plane, colours or looks.
  show() {
    this.count = 0;
    this.lineCount = 0;
    this.group.visible = Boolean(this.plane && this.bodies.frame && this.inside.tets.length);
    if (!this.group.visible) return;
    this.measure();
    this.section();
    this.publish();
  }

  // Signed distance of each vertex from the plane.
  measure() {
    const place = this.bodies.position.array;
    const { normal, constant } = this.plane;
    for (let v = 0, at = 0; v < this.distance.length; v++, at += 3)
      this.distance[v] = constant + normal.x * place[at] + normal.y * place[at + 1] +
        normal.z * place[at + 2];
  }

  section() {
    const { tets } = this.inside;
    const { bodies, distance } = this;
    const shown = bodies.looks.map((look) => look === 'shown');
    for (let t = 0; t < tets.length; t += 4) {
      const front = distance[tets[t]] >= 0;
      if (front === distance[tets[t + 1]] >= 0 && front === distance[tets[t + 2]] >= 0 &&
          front === distance[tets[t + 3]] >= 0) continue;
      if (shown[bodies.surface.bodyOf[tets[t]]]) this.addTet(t / 4, tets.subarray(t, t + 4));
    }
  }

  // One corner alone on its side gives a triangle; two and two give four points in order.
  addTet(tet, corners) {
    const front = [];
    const back = [];
    for (const v of corners) (this.distance[v] >= 0 ? front : back).push(v);
    let edges;
    if (front.length === 2)
      edges = [[front[0], back[0]], [front[0], back[1]], [front[1], back[1]], [front[1], back[0]]];
    else edges = front.flatMap((f) => back.map((b) => [f, b]));
    const points = edges.map(([from, to]) => this.point(tet, from, to));
    if (!facesOut(points, this.plane.normal)) points.reverse();
    this.addTriangle(tet, points[0], points[1], points[2]);
    if (points.length === 4) this.addTriangle(tet, points[0], points[2], points[3]);
    points.forEach((point, i) => this.addLine(point, points[(i + 1) % points.length]));
  }

  // [x, y, z, value] where the edge goes through the plane.
  point(tet, from, to) {
    const { distance } = this;
    const place = this.bodies.position.array;
    const share = distance[from] / (distance[from] - distance[to]);
    const along = (axis) => {
      const x = place[3 * from + axis];
      return x + share * (place[3 * to + axis] - x);
    };
    return [along(0), along(1), along(2), this.valueAt(tet, from, to, share)];
  }

  // Of kinds, the nearer corner's.
  valueAt(tet, from, to, share) {
    const { colouring, value, surface } = this.bodies;
    if (colouring.fixed === 'material') return this.bodies.materialCode(this.inside.materials[tet]);
    if (colouring.fixed) return surface.body[from];
    const [a, b] = [value.array[from], value.array[to]];
    if (colouring.kind !== 'scale') return share < 0.5 ? a : b;
    return a + share * (b - a);
  }

  addTriangle(tet, ...points) {
    if (this.count === this.room) this.grow(2 * this.room);
    points.forEach((point, i) => {
      for (let k = 0; k < 3; k++) this.place3[9 * this.count + 3 * i + k] = point[k];
      this.value[3 * this.count + i] = point[3];
    });
    this.tetOf[this.count++] = tet;
  }

  addLine(from, to) {
    for (let k = 0; k < 3; k++) {
      this.line[6 * this.lineCount + k] = from[k];
      this.line[6 * this.lineCount + 3 + k] = to[k];
    }
    this.lineCount++;
  }

  publish() {
    const { geometry, lineGeometry } = this;
    const normal = geometry.getAttribute('normal');
    const facing = this.plane.normal.clone().negate();
    if (!this.normalOf || !this.normalOf.equals(facing)) {
      for (let i = 0; i < normal.array.length; i += 3) facing.toArray(normal.array, i);
      normal.needsUpdate = true;
      this.normalOf = facing;
    }
    for (const name of ['position', 'value']) geometry.getAttribute(name).needsUpdate = true;
    lineGeometry.getAttribute('position').needsUpdate = true;
    geometry.setDrawRange(0, 3 * this.count);
    lineGeometry.setDrawRange(0, 2 * this.lineCount);
  }

  // { vertex, triangle: -1, tet, point } of the section under a ray, or null.
  pick(ray) {
    if (!this.group.visible) return null;
    const point = new Vector3();
    const corner = [new Vector3(), new Vector3(), new Vector3()];
    for (let t = 0; t < this.count; t++) {
      corner.forEach((place, i) => place.fromArray(this.place3, 9 * t + 3 * i));
      if (!ray.intersectTriangle(...corner, false, point)) continue;
      const tet = this.tetOf[t];
      return { vertex: this.nearest(tet, point), triangle: -1, tet, point };
    }
    return null;
  }

  nearest(tet, point) {
    const place = new Vector3();
    const away = (v) => place.fromArray(this.bodies.place(v, [0, 0, 0])).distanceTo(point);
    return [...this.inside.tets.subarray(4 * tet, 4 * tet + 4)]
      .reduce((best, v) => (away(v) < away(best) ? v : best));
  }
}
