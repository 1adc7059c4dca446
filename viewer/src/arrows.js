// Forces as arrows on the vertices they act on.
import {
  ConeGeometry, CylinderGeometry, DynamicDrawUsage, Group, InstancedBufferAttribute,
  InstancedBufferGeometry, Mesh, MeshStandardMaterial,
} from 'three';
import { mergeGeometries } from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import { decodeDirection, decodeValue } from './codec.js';

const MOST = 4000;
const SHORTEST = 0.02; // of the longest; shorter ones would be mere dots

// An arrow of length 1 along z.
function arrowShape() {
  const shaft = new CylinderGeometry(0.022, 0.022, 0.76, 6).translate(0, 0.38, 0);
  const head = new ConeGeometry(0.075, 0.24, 10).translate(0, 0.88, 0);
  return mergeGeometries([shaft, head]).rotateX(Math.PI / 2);
}

// Turns z into the instance's direction and stretches by its length; thin arrows stay visible as
// their width shrinks more slowly than their length.
const VERTEX_HEAD = `
  attribute vec3 start;
  attribute vec3 vector;
  uniform float width;
  vec3 turn(vec3 v, vec3 d) {
    vec3 side = abs(d.z) < 0.99 ? normalize(cross(vec3(0, 0, 1), d)) : vec3(1, 0, 0);
    return side * v.x + cross(d, side) * v.y + d * v.z;
  }
  void main() {
`;

export class Arrows {
  constructor(plane, colour) {
    this.plane = plane;
    const shape = arrowShape();
    this.geometry = new InstancedBufferGeometry();
    this.geometry.setIndex(shape.index);
    this.geometry.setAttribute('position', shape.getAttribute('position'));
    this.geometry.setAttribute('normal', shape.getAttribute('normal'));
    this.start = new InstancedBufferAttribute(new Float32Array(3 * MOST), 3);
    this.vector = new InstancedBufferAttribute(new Float32Array(3 * MOST), 3);
    for (const attribute of [this.start, this.vector]) attribute.setUsage(DynamicDrawUsage);
    this.geometry.setAttribute('start', this.start);
    this.geometry.setAttribute('vector', this.vector);
    this.width = { value: 1 };
    // Contact forces point into the body, so hidden parts show through it, faintly.
    this.group = new Group();
    this.group.add(new Mesh(this.geometry, this.makeMaterial({ color: colour, roughness: 0.5 })));
    const hidden = { color: colour, roughness: 0.5, transparent: true, opacity: 0.4,
                     depthTest: false, depthWrite: false };
    this.group.add(new Mesh(this.geometry, this.makeMaterial(hidden)));
    for (const mesh of this.group.children) mesh.frustumCulled = false;
    this.group.visible = false;
  }

  makeMaterial(look) {
    const material = new MeshStandardMaterial(look);
    material.onBeforeCompile = (shader) => {
      shader.uniforms.width = this.width;
      shader.vertexShader = shader.vertexShader
        .replace('void main() {', VERTEX_HEAD)
        .replace('#include <beginnormal_vertex>',
                 'vec3 objectNormal = turn(normal, normalize(vector));')
        .replace('#include <begin_vertex>', `
          float reach = length(vector);
          float thick = sqrt(reach * width);
          vec3 transformed =
            start + turn(vec3(position.xy * thick, position.z * reach), vector / reach);`);
    };
    return material;
  }

  // longest: length in metres of the arrow of a force of `range` newtons.
  show(bodies, range, longest) {
    const { frame } = bodies;
    const planes = frame.fields[this.plane];
    this.group.visible = Boolean(planes);
    if (!planes) return;
    const [lengths, first, second] = planes;
    const largest = frame.header.groups[this.plane].largest[0];
    const acting = [];
    const least = 255 * Math.sqrt(SHORTEST * range / largest);
    for (let v = 0; v < lengths.length; v++)
      if (lengths[v] > least && !bodies.isAway(v)) acting.push(v);
    const stride = Math.max(1, Math.ceil(acting.length / MOST));
    const place = [0, 0, 0];
    const direction = [0, 0, 0];
    let count = 0;
    for (let i = 0; i < acting.length; i += stride, count++) {
      const v = acting[i];
      const reach = Math.min(1.5, decodeValue(lengths[v], largest) / range) * longest;
      bodies.place(v, place);
      decodeDirection(first[v], second[v], direction);
      for (let k = 0; k < 3; k++) {
        this.start.array[3 * count + k] = place[k];
        this.vector.array[3 * count + k] = direction[k] * reach;
      }
    }
    this.start.needsUpdate = true;
    this.vector.needsUpdate = true;
    this.width.value = longest;
    this.geometry.instanceCount = count;
    this.group.visible = count > 0;
  }

  hide() {
    this.group.visible = false;
  }
}
