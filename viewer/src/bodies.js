// The bodies: one surface whose positions, colours and normals change from frame to frame.
import {
  BufferAttribute, BufferGeometry, DataTexture, DoubleSide, DynamicDrawUsage, Mesh,
  MeshBasicMaterial, MeshStandardMaterial, NearestFilter, SRGBColorSpace, Vector3,
} from 'three';
import { listTable, mapTable } from './colours.js';

const STEPS = 65535;
const WAY = { NUMBER: 0, AMOUNT: 1, KIND: 2 }; // how codes become colours
const MOST_SMOOTH = 400000; // triangles; beyond, flat shading, which is free

function dynamic(array, size, normalized = false) {
  const attribute = new BufferAttribute(array, size, normalized);
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

// Amounts are undone from their code, blended over the triangle and only then looked up, so that
// bands follow the field and not the mesh. Of kinds (free, sticking, sliding) there is no blend: each
// vertex has a weight of one for its own, and a point takes the kind with the largest weight there,
// which cuts a triangle into the shares of its corners. Other numbers are the same at all three.
const VERTEX_HEAD = `
  attribute float code;
  uniform int way;
  uniform float gain;
  varying float vAmount;
  varying vec4 vKindsLow, vKindsHigh;
  void main() {
    vAmount = way == ${WAY.AMOUNT} ? code * code * gain : code;
    vec4 count = vec4(0.0, 1.0, 2.0, 3.0);
    vKindsLow = vec4(equal(vec4(code), count));
    vKindsHigh = vec4(equal(vec4(code), count + 4.0));
`;
const FRAGMENT_HEAD = `
  uniform int way;
  uniform sampler2D table;
  varying float vAmount;
  varying vec4 vKindsLow, vKindsHigh;
  float largestKind() {
    float most = vKindsLow[0], kind = 0.0;
    for (int i = 1; i < 8; i++) {
      float weight = i < 4 ? vKindsLow[i] : vKindsHigh[i - 4];
      if (weight > most) { most = weight; kind = float(i); }
    }
    return kind;
  }
  void main() {
`;
const FRAGMENT_COLOUR = `
  float entry = way == ${WAY.AMOUNT} ? floor(clamp(vAmount, 0.0, 1.0) * 255.0)
    : way == ${WAY.KIND} ? largestKind() : floor(vAmount + 0.5);
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
    this.nothing = new Uint8Array(run.vertex_count); // for planes that this run does not have
    this.geometry = new BufferGeometry();
    this.fadedGeometry = new BufferGeometry();
    this.looks = run.bodies.map(() => 'shown');
    const count = run.vertex_count;
    this.smooth = run.triangle_count <= MOST_SMOOTH;
    this.position = dynamic(new Uint16Array(4 * count), 4, true);
    this.normal = dynamic(new Float32Array(3 * count), 3);
    this.code = dynamic(new Uint8Array(count), 1);
    for (const geometry of [this.geometry, this.fadedGeometry]) {
      geometry.setAttribute('position', this.position);
      geometry.setAttribute('normal', this.normal);
      geometry.setAttribute('code', this.code);
    }
    this.uniforms = {
      table: { value: colourTexture() },
      way: { value: WAY.NUMBER },
      gain: { value: 1 },
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
    mesh.matrixAutoUpdate = false;
    return mesh;
  }

  makeWires() {
    const material = new MeshBasicMaterial({
      wireframe: true, color: '#10141a', transparent: true, opacity: 0.28, depthWrite: false,
    });
    const wires = new Mesh(this.geometry, material);
    wires.frustumCulled = false;
    wires.visible = false;
    wires.matrixAutoUpdate = false;
    return wires;
  }

  setColouring(colouring, range) {
    const { table, way } = this.uniforms;
    this.colouring = colouring;
    this.range = range;
    if (colouring.kind === 'scale') way.value = WAY.AMOUNT;
    else way.value = colouring.plane ? WAY.KIND : WAY.NUMBER;
    table.value.image.data = colouring.kind === 'scale'
      ? mapTable(colouring.map)
      : listTable(colouring.entries.map((entry) => entry.colour));
    table.value.needsUpdate = true;
    if (this.frame) this.showColours();
  }

  show(frame) {
    this.frame = frame;
    this.position.array = frame.position;
    this.position.needsUpdate = true;
    if (this.smooth) this.computeNormals(frame.position);
    const { low, size } = frame.header;
    for (const mesh of [this.mesh, this.faded, this.wires]) {
      mesh.matrix.makeScale(size, size, size).setPosition(...low);
      mesh.matrixWorldNeedsUpdate = true;
    }
    this.showColours();
  }

  showColours() {
    const { colouring, frame } = this;
    if (colouring.fixed) this.code.array = this.surface[colouring.fixed];
    else this.code.array = frame.planes[colouring.plane] || this.nothing;
    this.code.needsUpdate = true;
    if (colouring.kind !== 'scale') return;
    const largest = frame.header.largest[this.run.planes.indexOf(colouring.plane)] || 0;
    this.uniforms.gain.value = this.range > 0 ? largest / this.range / (255 * 255) : 0;
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
      const x = position[4 * a];
      const y = position[4 * a + 1];
      const z = position[4 * a + 2];
      const ux = position[4 * b] - x;
      const uy = position[4 * b + 1] - y;
      const uz = position[4 * b + 2] - z;
      const vx = position[4 * c] - x;
      const vy = position[4 * c + 1] - y;
      const vz = position[4 * c + 2] - z;
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
    const { position, header } = this.frame;
    const sum = [0, 0, 0];
    let count = 0;
    this.surface.bodyOf.forEach((one, v) => {
      if (one !== body) return;
      count++;
      for (let i = 0; i < 3; i++) sum[i] += position[4 * v + i];
    });
    for (let i = 0; i < 3; i++)
      out[i] = header.low[i] + (header.size / STEPS) * (sum[i] / (count || 1));
    return out;
  }

  // Position of a vertex in the world.
  place(vertex, out) {
    const { position, header } = this.frame;
    const scale = header.size / STEPS;
    for (let i = 0; i < 3; i++) out[i] = header.low[i] + scale * position[4 * vertex + i];
    return out;
  }
}
