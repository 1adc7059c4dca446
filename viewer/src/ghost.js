// The undeformed bodies, as a pale shape with the outlines of their smooth sides.
import {
  BufferAttribute, BufferGeometry, DoubleSide, Group, LineBasicMaterial, LineSegments, Mesh,
  MeshBasicMaterial,
} from 'three';

// Edges of one triangle only: rims, and sharp edges, at which the surface is split.
function outline(triangles) {
  const edges = new Map(); // "a,b" → [a, b]; null: of two triangles
  for (let t = 0; t < triangles.length; t++) {
    const a = triangles[t];
    const b = triangles[t % 3 === 2 ? t - 2 : t + 1];
    const key = a < b ? a * 2 ** 26 + b : b * 2 ** 26 + a;
    edges.set(key, edges.has(key) ? null : [a, b]);
  }
  return [...edges.values()].filter(Boolean).flat();
}

export class Ghost {
  constructor(bodies) {
    this.bodies = bodies;
    this.plane = null;
    this.group = new Group();
    this.group.visible = false;
  }

  build() {
    const position = new BufferAttribute(this.bodies.surface.rest, 3);
    const make = () => new BufferGeometry().setAttribute('position', position);
    const look = { color: this.ink, transparent: true, depthWrite: false };
    this.faces = new Mesh(make(), new MeshBasicMaterial({ ...look, opacity: 0.14,
                                                          side: DoubleSide }));
    this.lines = new LineSegments(make(), new LineBasicMaterial({ ...look, opacity: 0.7 }));
    for (const object of [this.faces, this.lines]) object.frustumCulled = false;
    this.group.add(this.faces, this.lines);
    this.setLooks();
    this.clip(this.plane);
  }

  show(visible) {
    if (visible && !this.faces) this.build();
    this.group.visible = visible;
  }

  // Of bodies that are not hidden. Call after every change of looks.
  setLooks() {
    if (!this.faces) return;
    const { surface, looks } = this.bodies;
    const shown = surface.triangles.filter((_, i) => {
      const first = surface.triangles[i - i % 3];
      return looks[surface.bodyOf[first]] !== 'hidden';
    });
    for (const { geometry } of [this.faces, this.lines]) geometry.dispose();
    this.faces.geometry.setIndex(new BufferAttribute(shown, 1));
    this.lines.geometry.setIndex(new BufferAttribute(Uint32Array.from(outline(shown)), 1));
  }

  // plane: parts behind it are not drawn; null: no cut.
  clip(plane) {
    this.plane = plane;
    if (!this.faces) return;
    for (const { material } of [this.faces, this.lines]) {
      material.clippingPlanes = plane ? [plane] : [];
      material.needsUpdate = true;
    }
  }

  setTheme(name) {
    this.ink = name === 'dark' ? '#b9c8e6' : '#5b6b86';
    if (!this.faces) return;
    for (const { material } of [this.faces, this.lines]) material.color.set(this.ink);
  }
}
