// Obstacles where they are at each moment, and the ground.
import {
  BackSide, Box3, BufferAttribute, BufferGeometry, CircleGeometry, Color, DoubleSide, FrontSide, Group,
  Mesh, MeshBasicMaterial, MeshStandardMaterial, ShadowMaterial, Vector3,
} from 'three';
import { toCreasedNormals } from 'three/examples/jsm/utils/BufferGeometryUtils.js';

const ROUND = ['sphere', 'capsule']; // without edges, so smooth normals are right
const STYLES = ['solid', 'see-through', 'hidden'];
const THEMES = {
  light: { solid: '#97a0ae', floor: '#e4e6ea', line: '#aab0bb', shadow: 0.2 },
  dark: { solid: '#6d7686', floor: '#23272f', line: '#4a5160', shadow: 0.45 },
};

function parseMesh(bytes) {
  const [vertices, triangles] = new Uint32Array(bytes.buffer, 0, 2);
  const geometry = new BufferGeometry();
  geometry.setAttribute(
    'position', new BufferAttribute(new Float32Array(bytes.buffer, 8, 3 * vertices), 3));
  geometry.setIndex(
    new BufferAttribute(new Uint32Array(bytes.buffer, 8 + 12 * vertices, 3 * triangles), 1));
  return { geometry: toCreasedNormals(geometry, 0.7), closed: isClosed(geometry.index.array) };
}

// Whether every edge has a triangle on both sides.
function isClosed(triangles) {
  const open = new Set();
  for (let i = 0; i < triangles.length; i++) {
    const a = triangles[i];
    const b = triangles[i % 3 === 2 ? i - 2 : i + 1];
    const opposite = `${b},${a}`;
    if (open.has(opposite)) open.delete(opposite);
    else open.add(`${a},${b}`);
  }
  return open.size === 0;
}

// Draws slightly farther away and, by `inset` metres, smaller: cloth on a ball spans it with flat
// triangles, through which the ball would show.
function setBack(material, inset) {
  material.onBeforeCompile = (shader) => {
    shader.uniforms.inset = inset;
    shader.vertexShader = shader.vertexShader
      .replace('void main() {', 'uniform float inset;\nvoid main() {')
      .replace('#include <begin_vertex>', 'vec3 transformed = position - inset * normal;')
      .replace('#include <project_vertex>', `
        #include <project_vertex>
        vec4 farther = projectionMatrix * vec4(1.005 * mvPosition.xyz, 1.0);
        gl_Position.z = farther.z * gl_Position.w / farther.w;`);
  };
  return material;
}

// What a cut lays open looks filled: faces seen from inside have one colour, hatched. This is right
// for closed obstacles, in which nothing else can be. They lie back a little, so that none shows at
// the outline.
function fillingOf(geometry, inset) {
  const material = setBack(new MeshBasicMaterial({
    side: BackSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 }), inset);
  const { onBeforeCompile } = material;
  material.onBeforeCompile = (shader) => {
    onBeforeCompile(shader);
    shader.fragmentShader = shader.fragmentShader.replace('#include <color_fragment>', `
      float stripe = fract((gl_FragCoord.x + gl_FragCoord.y) / 9.0);
      diffuseColor.rgb *= stripe < 0.14 ? 0.35 : 0.9;`);
  };
  const filling = new Mesh(geometry, material);
  filling.visible = false;
  return filling;
}

// Lines on a plane that fades out towards its rim. size: radius; cell: distance of lines.
function gridMaterial(material, size, cell) {
  const uniforms = { cell: { value: cell }, size: { value: size }, line: { value: new Color() } };
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = shader.vertexShader
      .replace('void main() {', 'varying vec2 vPlane;\nvoid main() {\n  vPlane = position.xy;');
    shader.fragmentShader = shader.fragmentShader
      .replace('void main() {', `
        uniform float cell, size;
        uniform vec3 line;
        varying vec2 vPlane;
        float lines(vec2 at, float width) {
          vec2 away = abs(fract(at - 0.5) - 0.5) / (fwidth(at) * width);
          return 1.0 - min(min(away.x, away.y), 1.0);
        }
        void main() {`)
      .replace('#include <tonemapping_fragment>', `
        float fine = lines(vPlane / cell, 1.0) * 0.25;
        float bold = lines(vPlane / (5.0 * cell), 1.2) * 0.6;
        float mark = max(fine, bold);
        float fade = 1.0 - smoothstep(0.25, 1.0, length(vPlane) / size);
        gl_FragColor.rgb = mix(gl_FragColor.rgb, line, mark);
        gl_FragColor.a = max(gl_FragColor.a, mark) * fade;
        #include <tonemapping_fragment>`);
  };
  material.transparent = true;
  material.depthWrite = false;
  material.gridUniforms = uniforms;
  return material;
}

// 1, 2 or 5 times a power of ten.
function roundCell(length) {
  const power = 10 ** Math.floor(Math.log10(length));
  return power * (length < 2 * power ? 1 : length < 5 * power ? 2 : 5);
}

export class Obstacles {
  constructor(run, meshes) {
    this.run = run;
    this.style = 'solid';
    this.inset = { value: 0 };
    this.group = new Group();
    this.items = run.obstacles.map((obstacle, i) => {
      const flat = obstacle.shape === 'half_space';
      const object = flat ? new Group() : this.makeSolid(obstacle, meshes[i]);
      object.matrixAutoUpdate = false;
      this.group.add(object);
      return { obstacle, object, flat };
    });
    this.floor = null;
    this.show(0);
  }

  // The boxes of all bounded obstacles.
  boxes() {
    this.group.updateMatrixWorld(true);
    return this.items.filter((item) => !item.flat)
      .map((item) => new Box3().setFromObject(item.object));
  }

  // Half-spaces have no size: they are drawn as wide as the stage requires.
  addGround(stage) {
    this.inset.value = 0.004 * stage.radius;
    for (const item of this.items)
      if (item.flat) item.object.add(this.makePlane(item.obstacle, stage));
    if (!this.items.some((item) => item.flat)) this.floor = this.makeFloor(stage);
  }

  makeSolid(obstacle, bytes) {
    const inset = ROUND.includes(obstacle.shape) ? this.inset : { value: 0 };
    const material =
      setBack(new MeshStandardMaterial({ roughness: 0.85, side: DoubleSide, shadowSide: DoubleSide, clipShadows: true }),
              inset);
    const { geometry, closed } = parseMesh(bytes);
    const mesh = new Mesh(geometry, material);
    mesh.castShadow = true;
    mesh.receiveShadow = true;
    if (closed) mesh.add(fillingOf(geometry, inset));
    return mesh;
  }

  // A disc of the half-space's face below the action. Invisible from inside.
  makePlane(obstacle, stage) {
    const { radius, centre, up } = stage;
    const poses = obstacle.poses;
    const normal = new Vector3(poses[2], poses[5], poses[8]);
    const ground = normal.dot(up) > 0.5;
    const size = ground ? 14 * radius : 2.2 * radius;
    const from = centre.clone().sub(new Vector3(...poses.slice(9, 12)));
    const material = new MeshStandardMaterial({ roughness: 0.95, side: FrontSide });
    gridMaterial(material, size, roundCell(radius / 2));
    const plane = new Mesh(new CircleGeometry(size, 96), material);
    plane.receiveShadow = true;
    // The ground hides parts of walls below it.
    material.depthWrite = ground;
    Object.assign(material, { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 4 });
    plane.renderOrder = ground ? -2 : -1;
    // Centre of the disc in the half-space's own frame: the point of its face nearest to the
    // stage's centre.
    const x = poses[0] * from.x + poses[3] * from.y + poses[6] * from.z;
    const y = poses[1] * from.x + poses[4] * from.y + poses[7] * from.z;
    plane.position.set(x, y, 0);
    return plane;
  }

  // If the scene has no ground: lines and a shadow for orientation, slightly below everything.
  makeFloor(stage) {
    const { radius, centre, up, depth } = stage;
    const size = 6 * radius;
    const material =
      gridMaterial(new ShadowMaterial({ side: FrontSide }), size, roundCell(radius / 2));
    const floor = new Mesh(new CircleGeometry(size, 96), material);
    floor.receiveShadow = true;
    floor.renderOrder = -1;
    floor.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), up);
    floor.position.copy(centre).addScaledVector(up, -depth - 0.04 * radius);
    this.group.add(floor);
    return floor;
  }

  setTheme(name) {
    const theme = THEMES[name];
    const paint = (mesh, colour) => {
      mesh.material.color.set(colour);
      if (mesh.material.gridUniforms) mesh.material.gridUniforms.line.value.set(theme.line);
    };
    for (const { object, flat } of this.items)
      if (flat) paint(object.children[0], theme.floor);
      else for (const mesh of [object, ...object.children]) paint(mesh, theme.solid);
    if (this.floor) {
      paint(this.floor, '#000000');
      this.floor.material.opacity = theme.shadow;
    }
  }

  nextStyle() {
    return STYLES[(STYLES.indexOf(this.style) + 1) % STYLES.length];
  }

  setStyle(style) {
    this.style = style;
    this.group.visible = style !== 'hidden';
    for (const { object, flat } of this.items) {
      if (flat) continue;
      for (const { material } of [object, ...object.children]) {
        material.transparent = style === 'see-through';
        material.opacity = style === 'see-through' ? 0.3 : 1;
        material.depthWrite = style !== 'see-through';
        material.needsUpdate = true;
      }
      object.castShadow = style !== 'see-through';
    }
  }

  // plane: parts behind it are not drawn; null: no cut. Half-spaces stay whole.
  clip(plane) {
    for (const { object, flat } of this.items) {
      if (flat) continue;
      const [filling] = object.children;
      if (filling) filling.visible = Boolean(plane);
      object.material.side = plane && filling ? FrontSide : DoubleSide;
      for (const { material } of [object, ...object.children]) {
        material.clippingPlanes = plane ? [plane] : [];
        material.needsUpdate = true;
      }
    }
  }

  show(frame) {
    for (const { obstacle, object } of this.items) {
      const count = obstacle.poses.length / 12;
      const start = 12 * Math.min(frame, count - 1);
      const p = obstacle.poses.slice(start, start + 12);
      object.matrix.set(p[0], p[1], p[2], p[9], p[3], p[4], p[5], p[10], p[6], p[7], p[8], p[11],
                        0, 0, 0, 1);
      object.matrixWorldNeedsUpdate = true;
    }
  }

  // A run in progress has more frames.
  update(run) {
    this.run = run;
    this.items.forEach((item, i) => (item.obstacle = run.obstacles[i]));
  }
}
