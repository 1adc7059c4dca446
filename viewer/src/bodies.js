// The bodies: one surface whose positions, colours and normals change from frame to frame.
import {
  BufferAttribute, BufferGeometry, DataTexture, DoubleSide, DynamicDrawUsage, Mesh,
  MeshBasicMaterial, MeshStandardMaterial, NearestFilter, SRGBColorSpace, Vector3,
} from 'three';
import { listTable, mapTable } from './colours.js';
import { reader, stepOf } from './fields.js';

const WAY = { NUMBER: 0, SCALE: 1, KIND: 2 }; // how values become colours
const MOST_SMOOTH = 400000; // triangles; beyond, flat shading, which is free

function dynamic(array, size) {
  const attribute = new BufferAttribute(array, size);
  attribute.setUsage(DynamicDrawUsage);
  return attribute;
}

function colourTexture() {
  const texture = new DataTexture(new Uint8Array(4 * 256), 256, 1);
  texture.colorSpace = SRGBColorSpace;
  texture.minFilter = NearestFilter;
  texture.magFilter = NearestFilter;
  return texture;
}

// Values are blended over the triangle and only then looked up, so that bands follow the field and
// not the mesh. Of kinds (free, sticking, sliding) there is no blend: each vertex has a weight of one
// for its own, and a point takes the kind with the largest weight there, which cuts a triangle into
// the shares of its corners. Other numbers are the same at all three.
const VERTEX_HEAD = `
  attribute float value;
  varying float vValue;
  varying vec4 vKindsLow, vKindsHigh;
  void main() {
    vValue = value;
    vec4 count = vec4(0.0, 1.0, 2.0, 3.0);
    vKindsLow = vec4(equal(vec4(value), count));
    vKindsHigh = vec4(equal(vec4(value), count + 4.0));
`;
const FRAGMENT_HEAD = `
  uniform int way;
  uniform vec2 ends;
  uniform bool logarithmic;
  uniform sampler2D table;
  varying float vValue;
  varying vec4 vKindsLow, vKindsHigh;
  float largestKind() {
    float most = vKindsLow[0], kind = 0.0;
    for (int i = 1; i < 8; i++) {
      float weight = i < 4 ? vKindsLow[i] : vKindsHigh[i - 4];
      if (weight > most) { most = weight; kind = float(i); }
    }
    return kind;
  }
  float share() {
    if (!logarithmic) return (vValue - ends[0]) / (ends[1] - ends[0]);
    return log(max(vValue, ends[0]) / ends[0]) / log(ends[1] / ends[0]);
  }
  void main() {
`;
const FRAGMENT_COLOUR = `
  float entry = way == ${WAY.SCALE} ? floor(clamp(share(), 0.0, 1.0) * 255.0)
    : way == ${WAY.KIND} ? largestKind() : floor(vValue + 0.5);
  diffuseColor.rgb = texture2D(table, vec2((entry + 0.5) / 256.0, 0.5)).rgb;
`;

export const LOOKS = ['shown', 'faded', 'hidden'];

// As colours, numbers are bytes; beyond 256 they wrap. list: all names.
function codes(own, list) {
  return own.map((name) => list.indexOf(name) % 256);
}

export class Bodies {
  // names: { materials, bodies } of all runs on the page.
  constructor(run, surface, names) {
    this.run = run;
    const bodyCodes = codes(run.bodies, names.bodies);
    this.materialCodes = codes(run.materials, names.materials);
    this.surface = { ...surface, body: Uint8Array.from(surface.bodyOf, (body) => bodyCodes[body]),
                     material: Uint8Array.from(surface.materialOf, (m) => this.materialCode(m)) };
    this.geometry = new BufferGeometry();
    this.fadedGeometry = new BufferGeometry();
    this.looks = run.bodies.map(() => 'shown');
    const count = run.vertex_count;
    this.smooth = run.triangle_count <= MOST_SMOOTH;
    this.deformation = 1; // by which displacements are multiplied
    this.position = dynamic(new Float32Array(3 * count), 3);
    this.normal = dynamic(new Float32Array(3 * count), 3);
    this.value = dynamic(new Float32Array(count), 1);
    for (const geometry of [this.geometry, this.fadedGeometry]) {
      geometry.setAttribute('position', this.position);
      geometry.setAttribute('normal', this.normal);
      geometry.setAttribute('value', this.value);
    }
    this.uniforms = {
      table: { value: colourTexture() },
      way: { value: WAY.NUMBER },
      ends: { value: [0, 1] },
      logarithmic: { value: false },
    };
    this.mesh = this.makeMesh(this.geometry, {});
    this.mesh.castShadow = true;
    this.faded = this.makeMesh(this.fadedGeometry,
                               { transparent: true, opacity: 0.2, depthWrite: false });
    this.wires = this.makeWires();
    this.frame = null;
    this.plane = null; // the cutting plane
    this.point = new Vector3();
    this.at = [0, 0, 0];
    this.setLooks(this.looks);
  }

  materialCode(material) {
    return this.materialCodes[material];
  }

  // looks: one of LOOKS for each body. Each mesh gets the triangles that look like it.
  setLooks(looks) {
    this.looks = looks;
    const all = this.surface.triangles;
    const pick = (look) => {
      if (looks.every((one) => one === look)) return all;
      const list = [];
      for (let t = 0; t < all.length; t += 3)
        if (looks[this.surface.bodyOf[all[t]]] === look) list.push(all[t], all[t + 1], all[t + 2]);
      return Uint32Array.from(list);
    };
    const show = (geometry, index) => {
      geometry.dispose();
      geometry.setIndex(new BufferAttribute(index, 1));
    };
    show(this.geometry, pick('shown'));
    show(this.fadedGeometry, pick('faded'));
    this.faded.visible = this.fadedGeometry.index.count > 0;
    this.mesh.visible = this.geometry.index.count > 0;
  }

  isHidden(vertex) {
    return this.looks[this.surface.bodyOf[vertex]] === 'hidden';
  }

  // Also true if a cut has removed it.
  isAway(vertex) {
    if (this.isHidden(vertex)) return true;
    return this.plane !== null &&
      this.plane.distanceToPoint(this.point.fromArray(this.place(vertex, this.at))) < 0;
  }

  makeMesh(geometry, look) {
    const material = new MeshStandardMaterial({
      side: DoubleSide, roughness: 0.62, metalness: 0, flatShading: !this.smooth,
      polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1, clipShadows: true, ...look,
    });
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.uniforms);
      shader.vertexShader = shader.vertexShader.replace('void main() {', VERTEX_HEAD);
      shader.fragmentShader = shader.fragmentShader
        .replace('void main() {', FRAGMENT_HEAD)
        .replace('#include <color_fragment>', `#include <color_fragment>\n${FRAGMENT_COLOUR}`);
    };
    const mesh = new Mesh(geometry, material);
    mesh.receiveShadow = true;
    mesh.frustumCulled = false;
    return mesh;
  }

  makeWires() {
    const material = new MeshBasicMaterial({
      wireframe: true, color: '#10141a', transparent: true, opacity: 0.28, depthWrite: false,
    });
    const wires = new Mesh(this.geometry, material);
    wires.frustumCulled = false;
    wires.visible = false;
    return wires;
  }

  // component: of the colouring's field. It shows with the next frame.
  setColouring(colouring, component) {
    this.colouring = colouring;
    this.component = component;
  }

  // scale: { low, high, logarithmic, anchors }; null if colours stand for things by number.
  setScale(scale) {
    const { table, way, ends, logarithmic } = this.uniforms;
    const { colouring } = this;
    if (scale) way.value = WAY.SCALE;
    else way.value = colouring.field ? WAY.KIND : WAY.NUMBER;
    if (scale) {
      ends.value = [scale.low, scale.high > scale.low ? scale.high : scale.low + 1];
      logarithmic.value = scale.logarithmic;
    }
    const name = scale ? scale.map : colouring.key;
    if (name === this.tableName) return;
    this.tableName = name;
    table.value.image.data = scale ? mapTable(scale.anchors)
      : listTable(colouring.entries.map((entry) => entry.colour));
    table.value.needsUpdate = true;
  }

  show(frame) {
    this.frame = frame;
    this.move();
    this.findValues();
  }

  // Vertices to where the frame's displacements, times a factor, bring them.
  move() {
    const { position, header } = this.frame;
    const { rest } = this.surface;
    const place = this.position.array;
    const { low } = header.groups.position;
    const factor = this.deformation;
    const step = factor * stepOf(this.frame);
    const [x, y, z] = low.map((part) => factor * part);
    for (let i = 0; i < place.length; i += 3) {
      place[i] = rest[i] + x + step * position[i];
      place[i + 1] = rest[i + 1] + y + step * position[i + 1];
      place[i + 2] = rest[i + 2] + z + step * position[i + 2];
    }
    this.position.needsUpdate = true;
    if (this.smooth) this.computeNormals(place);
  }

  findValues() {
    const { colouring, frame, value } = this;
    const { array } = value;
    value.needsUpdate = true;
    if (colouring.fixed) {
      array.set(this.surface[colouring.fixed]);
      return;
    }
    const read = reader(frame, colouring.field, this.component);
    if (read) for (let v = 0; v < array.length; v++) array[v] = read(v);
    else array.fill(0);
  }

  // The least and the largest value of visible bodies, { low, high }; NaN is passed over.
  extremes() {
    const { array } = this.value;
    const seen = this.looks.map((look) => look !== 'hidden');
    let [low, high] = [Infinity, -Infinity];
    for (let v = 0; v < array.length; v++) {
      if (!seen[this.surface.bodyOf[v]]) continue;
      if (array[v] < low) low = array[v];
      if (array[v] > high) high = array[v];
    }
    return { low, high };
  }

  // Sums of the faces' normals by area; the shader gives them unit length.
  computeNormals(position) {
    const normal = this.normal.array;
    const triangles = this.surface.triangles;
    normal.fill(0);
    for (let t = 0; t < triangles.length; t += 3) {
      const a = triangles[t];
      const b = triangles[t + 1];
      const c = triangles[t + 2];
      const x = position[3 * a];
      const y = position[3 * a + 1];
      const z = position[3 * a + 2];
      const ux = position[3 * b] - x;
      const uy = position[3 * b + 1] - y;
      const uz = position[3 * b + 2] - z;
      const vx = position[3 * c] - x;
      const vy = position[3 * c + 1] - y;
      const vz = position[3 * c + 2] - z;
      const nx = uy * vz - uz * vy;
      const ny = uz * vx - ux * vz;
      const nz = ux * vy - uy * vx;
      normal[3 * a] += nx;
      normal[3 * a + 1] += ny;
      normal[3 * a + 2] += nz;
      normal[3 * b] += nx;
      normal[3 * b + 1] += ny;
      normal[3 * b + 2] += nz;
      normal[3 * c] += nx;
      normal[3 * c + 1] += ny;
      normal[3 * c + 2] += nz;
    }
    this.normal.needsUpdate = true;
  }

  // plane: parts behind it are not drawn; null: no cut.
  clip(plane) {
    this.plane = plane;
    for (const { material } of [this.mesh, this.faded, this.wires]) {
      material.clippingPlanes = plane ? [plane] : [];
      material.needsUpdate = true;
    }
  }

  // The mean of a body's vertices.
  centre(body, out) {
    const place = this.position.array;
    const sum = [0, 0, 0];
    let count = 0;
    this.surface.bodyOf.forEach((one, v) => {
      if (one !== body) return;
      count++;
      for (let i = 0; i < 3; i++) sum[i] += place[3 * v + i];
    });
    for (let i = 0; i < 3; i++) out[i] = sum[i] / (count || 1);
    return out;
  }

  // Position of a vertex in the world, as it is drawn.
  place(vertex, out) {
    for (let i = 0; i < 3; i++) out[i] = this.position.array[3 * vertex + i];
    return out;
  }
}
