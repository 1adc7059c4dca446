// The bodies: one surface whose positions, colours and normals change from frame to frame.
import {
  BufferAttribute, BufferGeometry, DataTexture, DoubleSide, DynamicDrawUsage, Mesh,
  MeshBasicMaterial, MeshStandardMaterial, NearestFilter, SRGBColorSpace,
} from 'three';
import { listTable, mapTable } from './colours.js';

const STEPS = 65535;
const MOST_SMOOTH = 400000; // triangles; beyond, faces are shaded flat, which costs nothing

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

// Numbers pick a colour per vertex; amounts are undone from their code, blended over the triangle
// and only then looked up, so that bands follow the field and not the mesh.
const VERTEX_HEAD = `
  attribute float code;
  uniform bool amounts;
  uniform float gain;
  uniform sampler2D table;
  varying float vAmount;
  varying vec3 vTint;
  void main() {
    vAmount = amounts ? code * code * gain : 0.0;
    vTint = amounts ? vec3(0.0) : texture2D(table, vec2((code + 0.5) / 256.0, 0.5)).rgb;
`;
const FRAGMENT_HEAD = `
  uniform bool amounts;
  uniform sampler2D table;
  varying float vAmount;
  varying vec3 vTint;
  void main() {
`;
const FRAGMENT_COLOUR = `
  float at = clamp(vAmount, 0.0, 1.0) * 255.0;
  vec3 below = texture2D(table, vec2((floor(at) + 0.5) / 256.0, 0.5)).rgb;
  diffuseColor.rgb = amounts ? below : vTint;
`;

export class Bodies {
  constructor(run, surface) {
    this.run = run;
    this.surface = surface;
    this.geometry = new BufferGeometry();
    this.geometry.setIndex(new BufferAttribute(surface.triangles, 1));
    const count = run.vertex_count;
    this.smooth = run.triangle_count <= MOST_SMOOTH;
    this.position = dynamic(new Uint16Array(4 * count), 4, true);
    this.normal = dynamic(new Float32Array(3 * count), 3);
    this.code = dynamic(new Uint8Array(count), 1);
    this.geometry.setAttribute('position', this.position);
    this.geometry.setAttribute('normal', this.normal);
    this.geometry.setAttribute('code', this.code);
    this.uniforms = {
      table: { value: colourTexture() },
      amounts: { value: false },
      gain: { value: 1 },
    };
    this.mesh = this.makeMesh();
    this.wires = this.makeWires();
    this.frame = null;
  }

  makeMesh() {
    const material = new MeshStandardMaterial({
      side: DoubleSide, roughness: 0.62, metalness: 0, flatShading: !this.smooth,
      polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
    });
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.uniforms);
      shader.vertexShader = shader.vertexShader.replace('void main() {', VERTEX_HEAD);
      shader.fragmentShader = shader.fragmentShader
        .replace('void main() {', FRAGMENT_HEAD)
        .replace('#include <color_fragment>', `#include <color_fragment>\n${FRAGMENT_COLOUR}`);
    };
    const mesh = new Mesh(this.geometry, material);
    mesh.castShadow = true;
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
    const { table, amounts } = this.uniforms;
    this.colouring = colouring;
    this.range = range;
    amounts.value = colouring.kind === 'scale';
    table.value.image.data = amounts.value
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
    for (const mesh of [this.mesh, this.wires]) {
      mesh.matrix.makeScale(size, size, size).setPosition(...low);
      mesh.matrixWorldNeedsUpdate = true;
    }
    this.showColours();
  }

  showColours() {
    const { colouring, frame } = this;
    if (colouring.fixed) this.code.array = this.surface[colouring.fixed];
    else this.code.array = frame.planes[colouring.plane];
    this.code.needsUpdate = true;
    if (colouring.kind !== 'scale') return;
    const largest = frame.header.largest[this.run.planes.indexOf(colouring.plane)];
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

  // Where a vertex is in the world.
  place(vertex, out) {
    const { position, header } = this.frame;
    const scale = header.size / STEPS;
    for (let i = 0; i < 3; i++) out[i] = header.low[i] + scale * position[4 * vertex + i];
    return out;
  }
}

export function parseSurface(bytes, run) {
  const triangles = new Uint32Array(bytes.buffer, 0, 3 * run.triangle_count);
  const body = new Uint16Array(bytes.buffer, triangles.byteLength, run.vertex_count);
  const material = new Uint16Array(bytes.buffer, triangles.byteLength + body.byteLength,
                                   run.vertex_count);
  // As colours they are bytes like all others; more than 256 begin again.
  return { triangles, body: Uint8Array.from(body), material: Uint8Array.from(material) };
}
