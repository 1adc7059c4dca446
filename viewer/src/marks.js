// Dots and patches that show through bodies: the picked vertex, contacts, the judge's findings, and
// held vertices.
import {
  BufferAttribute, BufferGeometry, DynamicDrawUsage, Group, LineBasicMaterial, LineLoop, Mesh,
  MeshBasicMaterial, Points, PointsMaterial, SRGBColorSpace, Color, DoubleSide,
} from 'three';
import { FINDING_COLOURS, STATE_COLOURS, paletteColour } from './colours.js';
import { numbers } from './fields.js';

const OVERLAY = { depthTest: false, depthWrite: false, transparent: true };

const SQUARE = 'max(abs(gl_PointCoord.x - 0.5), abs(gl_PointCoord.y - 0.5))';
const ROUND = 'length(gl_PointCoord - 0.5)';

// Dots of a fixed size on the screen, each with its own colour. away: of a point from the centre.
class Dots {
  constructor(size, order, away = ROUND) {
    this.geometry = new BufferGeometry();
    const material = new PointsMaterial({ size, sizeAttenuation: false, vertexColors: true,
                                          ...OVERLAY });
    material.onBeforeCompile = (shader) => {
      shader.fragmentShader = shader.fragmentShader.replace('#include <color_fragment>', `
        #include <color_fragment>
        float away = ${away};
        if (away > 0.5) discard;
        if (away > 0.36) diffuseColor.rgb = vec3(1.0);`);
    };
    this.points = new Points(this.geometry, material);
    this.points.frustumCulled = false;
    this.points.renderOrder = order;
    this.capacity = 0;
  }

  // list: vertices; colour(vertex): a Color.
  show(bodies, list, colour) {
    this.grow(list.length);
    const place = [0, 0, 0];
    list.forEach((vertex, i) => {
      this.position.array.set(bodies.place(vertex, place), 3 * i);
      colour(vertex).toArray(this.colour.array, 3 * i);
    });
    this.geometry.setDrawRange(0, list.length);
    this.points.visible = list.length > 0;
    if (!list.length) return;
    this.position.needsUpdate = true;
    this.colour.needsUpdate = true;
  }

  grow(count) {
    if (count <= this.capacity) return;
    this.capacity = 2 * count;
    const make = () => new BufferAttribute(new Float32Array(3 * this.capacity), 3)
      .setUsage(DynamicDrawUsage);
    this.position = make();
    this.colour = make();
    this.geometry.dispose();
    this.geometry.setAttribute('position', this.position);
    this.geometry.setAttribute('color', this.colour);
  }
}

function toColours(list) {
  return list.map((hex) => new Color().setStyle(hex, SRGBColorSpace));
}

const STATES = toColours(STATE_COLOURS);
const FINDINGS = toColours(FINDING_COLOURS);

// Vertices where a plane is not zero, without hidden or cut ones.
function marked(bodies, plane) {
  const values = numbers(bodies.frame, plane) || [];
  const list = [];
  for (let v = 0; v < values.length; v++) if (values[v] && !bodies.isAway(v)) list.push(v);
  return list;
}

export class ContactMarks {
  constructor(bodies) {
    this.dots = new Dots(8, 11);
    this.patchGeometry = new BufferGeometry();
    for (const name of ['position', 'normal', 'value'])
      this.patchGeometry.setAttribute(name, bodies.geometry.getAttribute(name));
    this.patches = new Mesh(this.patchGeometry, new MeshBasicMaterial({
      color: '#1f6fb2', opacity: 0.34, side: DoubleSide, ...OVERLAY }));
    this.patches.frustumCulled = false;
    this.patches.renderOrder = 10;
    this.group = new Group();
    this.group.add(this.patches, this.dots.points);
    this.list = [];
  }

  // Patches: triangles whose corners all touch.
  show(bodies) {
    const state = numbers(bodies.frame, 'state') || [];
    this.list = marked(bodies, 'state');
    this.dots.show(bodies, this.list, (vertex) => STATES[state[vertex]]);
    const { triangles } = bodies.surface;
    const index = [];
    for (let t = 0; t < triangles.length; t += 3) {
      const [a, b, c] = [triangles[t], triangles[t + 1], triangles[t + 2]];
      if (state[a] && state[b] && state[c] && !bodies.isAway(a)) index.push(a, b, c);
    }
    this.patchGeometry.dispose();
    this.patchGeometry.setIndex(new BufferAttribute(Uint32Array.from(index), 1));
    this.patches.visible = index.length > 0;
    this.group.visible = true;
  }

  hide() {
    this.list = [];
    this.group.visible = false;
  }
}

export class FindingMarks {
  constructor() {
    this.dots = new Dots(8, 12);
    this.group = new Group();
    this.group.add(this.dots.points);
    this.list = [];
  }

  show(bodies) {
    const kinds = numbers(bodies.frame, 'findings') || [];
    this.list = marked(bodies, 'findings');
    this.dots.show(bodies, this.list, (vertex) => FINDINGS[kinds[vertex]]);
    this.group.visible = true;
  }

  hide() {
    this.list = [];
    this.group.visible = false;
  }
}

// Vertices that boundaries hold, as squares. held: the boundaries (surface.js).
export class HeldMarks {
  constructor(bodies, held) {
    this.dots = new Dots(8, 12, SQUARE);
    this.group = new Group();
    this.group.add(this.dots.points);
    this.list = [];
    const first = new Map(); // vertices of the surface by their numbers among all bodies
    bodies.surface.numbers.forEach((number, v) => first.has(number) || first.set(number, v));
    this.held = held.map(({ numbers: all, ...rest }) => ({
      ...rest, vertices: [...all].map((number) => first.get(number)).filter((v) => v >= 0) }));
    this.colours = held.map((_, i) => new Color(paletteColour(i + 1)));
  }

  // Those that are not released yet at this time.
  show(bodies, time) {
    const colour = new Map();
    this.held.forEach(({ vertices, release }, i) => {
      if (time >= release) return;
      for (const v of vertices) if (!bodies.isAway(v)) colour.set(v, this.colours[i]);
    });
    this.list = [...colour.keys()];
    this.dots.show(bodies, this.list, (vertex) => colour.get(vertex));
    this.group.visible = true;
  }

  hide() {
    this.list = [];
    this.group.visible = false;
  }

  // { name, axes } of the boundaries that hold a vertex, by its number among all bodies.
  of(bodies, vertex) {
    const { numbers: all } = bodies.surface;
    return this.held.filter(({ vertices }) => vertices.some((v) => all[v] === all[vertex]));
  }
}

// The picked vertex, with the outline of its face.
export class PickMark {
  constructor() {
    this.dot = new Dots(15, 14);
    this.corners = new BufferAttribute(new Float32Array(9), 3).setUsage(DynamicDrawUsage);
    this.outline = new LineLoop(
      new BufferGeometry().setAttribute('position', this.corners),
      new LineBasicMaterial({ color: '#f4c20d', ...OVERLAY }));
    this.outline.frustumCulled = false;
    this.outline.renderOrder = 13;
    this.group = new Group();
    this.group.add(this.outline, this.dot.points);
    this.group.visible = false;
    this.colour = new Color('#f4c20d');
  }

  show(bodies, picked) {
    this.group.visible = Boolean(picked);
    if (!picked) return;
    this.dot.show(bodies, [picked.vertex], () => this.colour);
    this.outline.visible = picked.triangle >= 0;
    if (picked.triangle < 0) return;
    const place = [0, 0, 0];
    for (let i = 0; i < 3; i++)
      this.corners.array.set(
        bodies.place(bodies.surface.triangles[3 * picked.triangle + i], place), 3 * i);
    this.corners.needsUpdate = true;
  }
}
