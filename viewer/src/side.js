// One run in its own picture. The page shows one of them, or two side by side, with the same time,
// camera, colours and settings, which the app keeps.
import { Box3, Vector3 } from 'three';
import { Arrows } from './arrows.js';
import { Bodies } from './bodies.js';
import { forceColour } from './colours.js';
import { Cut } from './cut.js';
import { Ghost } from './ghost.js';
import { ContactMarks, FindingMarks, HeldMarks, PickMark } from './marks.js';
import { Obstacles } from './obstacles.js';
import { pickDot, pickSurface, rayAt } from './pick.js';
import { frameAt } from './player.js';
import { Stage } from './stage.js';

export const ARROWS = { contact: 'Contact', friction: 'Friction' };
const ARROW_LENGTH = 0.35; // of the extent's radius

export class Side {
  // parts: surface, inside, obstacle meshes and history, already parsed.
  constructor(source, frames, parts, number) {
    this.source = source;
    this.run = source.run;
    this.frames = frames;
    this.history = parts.history;
    this.parts = parts;
    this.number = number;
  }

  // names: the materials and bodies of all runs, which define the order of colours; up: the same
  // for all.
  build(canvas, up, names) {
    const { run, parts, frames } = this;
    this.canvas = canvas;
    this.stage = new Stage(canvas, up);
    this.bodies = new Bodies(run, parts.surface, names);
    this.cut = new Cut(this.bodies, parts.inside);
    this.obstacles = new Obstacles(run, parts.obstacles);
    this.arrows = {};
    for (const plane of Object.keys(ARROWS))
      if (frames.known.has(plane)) this.arrows[plane] = new Arrows(plane, forceColour(plane));
    this.marks = { pick: new PickMark() };
    if (frames.known.has('state')) this.marks.contacts = new ContactMarks(this.bodies);
    if (frames.known.has('findings')) this.marks.flags = new FindingMarks();
    if (parts.held.length) this.marks.held = new HeldMarks(this.bodies, parts.held);
    this.ghost = new Ghost(this.bodies);
    this.stage.scene.add(this.bodies.mesh, this.bodies.faded, this.bodies.wires, this.cut.group,
                         this.ghost.group, this.obstacles.group,
                         ...Object.values(this.arrows).map((arrows) => arrows.group),
                         ...Object.values(this.marks).map((marks) => marks.group));
  }

  // The box of all motion, and obstacles in it that are not much larger. With another deformation
  // than the true one, of the bodies as they are drawn.
  extent() {
    const { low, high } = this.frames.box;
    const box = new Box3(new Vector3(...low), new Vector3(...high));
    if (this.bodies.frame && this.bodies.deformation !== 1)
      box.setFromArray(this.bodies.position.array).union(new Box3().setFromArray(this.bodies.surface.rest));
    const size = box.getSize(new Vector3()).length();
    for (const obstacle of this.obstacles.boxes())
      if (obstacle.getSize(new Vector3()).length() < 3 * size) box.union(obstacle);
    return box;
  }

  frameAt(time) {
    return frameAt(this.run.times, time);
  }

  // The frame of this time, or undefined while it is loading.
  get(time) {
    return this.frames.get(this.frameAt(time));
  }

  show(time, frame) {
    this.time = time;
    this.bodies.show(frame);
    this.cut.show();
    this.obstacles.show(this.frameAt(time));
    this.stage.refresh();
  }

  // It shows with the next frame.
  setColouring(colouring, component) {
    this.bodies.setColouring(colouring, component);
  }

  setScale(scale) {
    this.bodies.setScale(scale);
    this.stage.refresh();
  }

  // factor: by which displacements are multiplied.
  setDeformation(factor) {
    this.bodies.deformation = factor;
    if (!this.bodies.frame) return;
    this.bodies.move();
    this.cut.show();
    this.stage.refresh();
  }

  setGhost(visible) {
    this.ghost.show(visible);
    this.stage.refresh();
  }

  setLooks(looks) {
    this.bodies.setLooks(this.run.bodies.map((name) => looks.get(name) || 'shown'));
    this.ghost.setLooks();
    this.cut.show();
    this.stage.refresh();
  }

  setClip(plane) {
    this.bodies.clip(plane);
    this.cut.place(plane);
    this.ghost.clip(plane);
    this.obstacles.clip(plane);
    this.stage.refresh();
  }

  setTheme(name) {
    this.stage.setTheme(name);
    this.obstacles.setTheme(name);
    this.ghost.setTheme(name);
    const ink = name === 'dark' ? '#ffffff' : '#10141a';
    this.bodies.wires.material.color.set(ink);
    this.cut.lines.material.color.set(ink);
  }

  setWires(visible) {
    this.bodies.wires.visible = visible;
    this.cut.setLines(visible);
    this.stage.refresh();
  }

  // rangeOf(plane): the force of the longest arrow.
  showArrows(settings, rangeOf) {
    if (!this.bodies.frame) return;
    const longest = ARROW_LENGTH * this.stage.radius * settings.arrowScale;
    for (const [plane, arrows] of Object.entries(this.arrows)) {
      const range = rangeOf(plane);
      if (settings[plane] && range > 0)
        arrows.show(this.bodies, range, longest);
      else arrows.hide();
    }
    this.stage.refresh();
  }

  showMarks(settings, picked) {
    if (!this.bodies.frame) return;
    for (const name of ['contacts', 'flags', 'held'])
      if (this.marks[name] && settings[name]) this.marks[name].show(this.bodies, this.time);
      else this.marks[name]?.hide();
    this.marks.pick.show(this.bodies, picked?.side === this ? picked : null);
    this.stage.refresh();
  }

  // What is under this point of the window, dots first: they are drawn over everything.
  find(x, y) {
    const { bodies, canvas, marks, stage } = this;
    const dots = [...(marks.flags?.list || []), ...(marks.contacts?.list || [])];
    const dot = pickDot(bodies, dots, stage, canvas, x, y);
    if (dot) return { ...dot, side: this };
    const ray = rayAt(stage, canvas, x, y);
    const hits = [pickSurface(bodies, ray, bodies.plane), this.cut.pick(ray)].filter(Boolean);
    if (!hits.length) return null;
    const away = ({ point }) => point.distanceTo(ray.origin);
    return { ...hits.reduce((near, hit) => (away(hit) < away(near) ? hit : near)), side: this };
  }
}
