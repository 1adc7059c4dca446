// Camera, light, ground and background: the space in which bodies and obstacles are shown.
import {
  Color, DirectionalLight, HemisphereLight, PCFShadowMap, PerspectiveCamera, Scene, Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';

const THEMES = {
  light: { back: '#eef0f3', sky: '#ffffff', ground: '#b9bdc6', hemisphere: 1.75, key: 1.9 },
  dark: { back: '#15181d', sky: '#dfe6f5', ground: '#30343d', hemisphere: 1.5, key: 2.0 },
};

export class Stage {
  constructor(canvas, up) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio || 1, 2));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.localClippingEnabled = true;
    this.scene = new Scene();
    this.up = new Vector3(...up).normalize();
    this.camera = new PerspectiveCamera(32, 1, 0.01, 100);
    this.camera.up.copy(this.up);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.zoomToCursor = true;
    this.chosen = false; // the user has chosen the view
    let held = false;
    this.controls.addEventListener('start', () => (held = true));
    this.controls.addEventListener('end', () => (held = false));
    this.controls.addEventListener('change', () => {
      this.chosen ||= held;
      this.refresh();
    });
    this.addLights();
    this.centre = new Vector3();
    this.radius = 1;
    this.dirty = true;
  }

  addLights() {
    this.hemisphere = new HemisphereLight('#ffffff', '#888888', 1.4);
    this.hemisphere.position.copy(this.up);
    this.key = new DirectionalLight('#fff6ea', 1.9);
    this.key.castShadow = true;
    this.key.shadow.mapSize.set(2048, 2048);
    this.key.shadow.radius = 5;
    this.fill = new DirectionalLight('#dfe9ff', 0.5);
    this.scene.add(this.hemisphere, this.key, this.key.target, this.fill, this.fill.target);
  }

  setTheme(name) {
    const theme = THEMES[name];
    this.scene.background = new Color(theme.back);
    this.hemisphere.color.set(theme.sky);
    this.hemisphere.groundColor.set(theme.ground);
    this.hemisphere.intensity = theme.hemisphere;
    this.key.intensity = theme.key;
    this.refresh();
  }

  // Two directions along the ground, for the camera and the lights.
  sides() {
    const along = Math.abs(this.up.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
    const right = along.addScaledVector(this.up, -along.dot(this.up)).normalize();
    return { right, front: new Vector3().crossVectors(right, this.up) };
  }

  // The box that contains all motion.
  setExtent(box) {
    const half = box.getSize(new Vector3()).multiplyScalar(0.5);
    this.half = half;
    const centre = box.getCenter(this.centre);
    const radius = half.length() || 1;
    this.radius = radius;
    this.depth = Math.abs(this.up.x * half.x) + Math.abs(this.up.y * half.y) +
      Math.abs(this.up.z * half.z);
    const { right, front } = this.sides();
    const place = (light, x, y, z) =>
      light.position.copy(centre).addScaledVector(right, x * radius)
        .addScaledVector(front, y * radius).addScaledVector(this.up, z * radius);
    place(this.key, -1.6, 1.3, 3.2);
    place(this.fill, 2.5, 1.5, 0.6);
    this.key.target.position.copy(centre);
    this.fill.target.position.copy(centre);
    const shadow = this.key.shadow.camera;
    const reach = 1.8 * radius;
    Object.assign(shadow, { left: -reach, right: reach, top: reach, bottom: -reach });
    Object.assign(shadow, { near: 0.1 * radius, far: 8 * radius });
    shadow.updateProjectionMatrix();
    this.key.shadow.bias = -0.001;
    this.key.shadow.normalBias = 0.006 * radius; // three texels of the map
    this.camera.near = 0.005 * radius;
    this.camera.far = 120 * radius;
    this.controls.minDistance = 0.02 * radius;
    this.controls.maxDistance = 40 * radius;
    this.camera.updateProjectionMatrix();
  }

  // From the front, slightly from the right and above, with all of the motion in view.
  fit() {
    const { right, front } = this.sides();
    const direction = new Vector3().addScaledVector(front, 1).addScaledVector(right, 0.55)
      .addScaledVector(this.up, 0.42).normalize();
    this.chosen = false;
    this.controls.target.copy(this.centre);
    this.camera.position.copy(this.centre).addScaledVector(direction, this.distance(direction));
    this.controls.update();
    this.refresh();
  }

  // Distance at which the camera, in this direction, sees every corner of the box.
  distance(direction) {
    const across = new Vector3().crossVectors(this.up, direction).normalize();
    const upward = new Vector3().crossVectors(direction, across);
    const tall = Math.tan((this.camera.fov * Math.PI) / 360);
    const wide = tall * this.camera.aspect;
    let distance = 0;
    for (let i = 0; i < 8; i++) {
      const corner = new Vector3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)
        .multiply(this.half);
      const need = Math.max(Math.abs(corner.dot(across)) / wide,
                            Math.abs(corner.dot(upward)) / tall);
      distance = Math.max(distance, corner.dot(direction) + 1.06 * need);
    }
    return distance;
  }

  // Looks from one side: along an axis of the ground, or from above.
  lookFrom(side) {
    const { right, front } = this.sides();
    this.chosen = true;
    const axis = { front, right, top: this.up.clone().addScaledVector(front, 1e-3) }[side];
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.camera.position.copy(this.controls.target).addScaledVector(axis.normalize(), distance);
    this.controls.update();
    this.refresh();
  }

  // Makes this point the centre of rotation, and halves the distance to it.
  focus(point) {
    this.chosen = true;
    const { position } = this.camera;
    const away = position.clone().sub(this.controls.target).multiplyScalar(0.5);
    this.controls.target.copy(point);
    position.copy(point).add(away);
    this.controls.update();
    this.refresh();
  }

  // Moves the camera along with what it follows.
  move(step) {
    this.chosen = true;
    this.controls.target.add(step);
    this.camera.position.add(step);
    this.controls.update();
    this.refresh();
  }

  // Where the camera is and what it looks at: six numbers.
  view() {
    return [...this.camera.position.toArray(), ...this.controls.target.toArray()];
  }

  // Copies the view of another stage's camera.
  copyView(other) {
    this.chosen = other.chosen;
    this.camera.position.copy(other.camera.position);
    this.controls.target.copy(other.controls.target);
    this.controls.update();
    this.refresh();
  }

  setView(numbers) {
    this.chosen = true;
    this.camera.position.fromArray(numbers, 0);
    this.controls.target.fromArray(numbers, 3);
    this.controls.update();
    this.refresh();
  }

  // hidden: pixels at the edges that panels cover; the view is centred in the rest.
  resize(width, height, hidden) {
    this.size = { width, height };
    this.renderer.setSize(width, height, false);
    const { left, right, top, bottom } = hidden;
    const full = { width: width - left - right, height: height - top - bottom };
    this.camera.aspect = width / height;
    if (full.width > 50 && full.height > 50) {
      // The field of view is set for the free part and extended to the rest of the window.
      this.camera.aspect = full.width / full.height;
      this.camera.setViewOffset(full.width, full.height, -left, -top, width, height);
    } else this.camera.clearViewOffset();
    this.camera.updateProjectionMatrix();
    this.refresh();
  }

  refresh() {
    this.dirty = true;
  }

  render() {
    if (!this.dirty) return false;
    this.dirty = false;
    this.renderer.render(this.scene, this.camera);
    return true;
  }
}
