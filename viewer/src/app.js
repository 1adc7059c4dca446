// The viewer as a whole: what is shown of which frame, and what happens when that changes.
import { Box3, Vector3 } from 'three';
import { Arrows } from './arrows.js';
import { Bodies, LOOKS } from './bodies.js';
import { CLIPS, Clip } from './clip.js';
import { MAPS, colourings } from './colours.js';
import { Inspector } from './inspector.js';
import { Legend } from './legend.js';
import { Link } from './link.js';
import { ContactMarks, FindingMarks, PickMark } from './marks.js';
import { Obstacles } from './obstacles.js';
import { pickDot, pickSurface, rayAt } from './pick.js';
import { composePicture, savePicture } from './picture.js';
import { Player } from './player.js';
import { Plot, listPlots } from './plots.js';
import { Recording, recorderType } from './record.js';
import { Stage } from './stage.js';
import { Timing } from './timing.js';

const ARROW_LENGTH = 0.35; // of the extent's radius
const ARROWS = { contact: 'Contact', friction: 'Friction' };

function firstColouring(run, list) {
  const has = (key) => list.some((entry) => entry.key === key) && key;
  if (run.materials.length > 1) return 'material';
  return has('body') || has('von_mises') || has('speed') || 'material';
}

export class App {
  // parts: surface, obstacle meshes and history, already parsed.
  constructor(source, frames, parts, page) {
    this.source = source;
    this.run = source.run;
    this.frames = frames;
    this.page = page;
    this.history = parts.history;
    this.player = new Player(this.run.times, this.run.state === 'running' && this.run.duration);
    this.timing = new Timing();
    this.shown = -1;
    this.follow = source.live && this.run.state === 'running';
    this.ranges = new Map(); // what the user has chosen
    this.settings = { wires: false, contact: false, friction: false, contacts: false, flags: true,
                      plots: true, panel: true, arrowScale: 1 };
    this.clip = new Clip();
    this.picked = null; // { vertex, triangle }
    this.followed = -1; // a body
    this.colourings = colourings(this.run);
    this.colouring = this.colourings.find(
      (entry) => entry.key === firstColouring(this.run, this.colourings));
    this.build(parts);
  }

  build(parts) {
    this.stage = new Stage(this.page.view, this.run.up);
    this.bodies = new Bodies(this.run, parts.surface);
    this.obstacles = new Obstacles(this.run, parts.obstacles);
    this.setExtent();
    this.obstacles.addGround(this.stage);
    this.arrows = {};
    for (const plane of Object.keys(ARROWS))
      if (this.run.planes.includes(plane)) this.arrows[plane] = new Arrows(plane, MAPS[plane][3]);
    this.marks = { pick: new PickMark() };
    if (this.run.planes.includes('state')) this.marks.contacts = new ContactMarks(this.bodies);
    if (this.run.planes.includes('findings')) this.marks.flags = new FindingMarks();
    this.stage.scene.add(this.bodies.mesh, this.bodies.faded, this.bodies.wires,
                         this.obstacles.group,
                         ...Object.values(this.arrows).map((arrows) => arrows.group),
                         ...Object.values(this.marks).map((marks) => marks.group));
    this.legend = new Legend(this.page.legend);
    this.curves = listPlots(this.history).filter(({ usual }) => usual).map(({ key }) => key);
    this.makePlots();
    this.inspector = new Inspector(this, this.page.inspector);
    this.link = new Link(this);
    this.stage.controls.addEventListener('end', () => this.remember());
  }

  // What a link need not tell.
  setUsual() {
    this.usual = { ...this.settings, theme: this.theme, colour: this.colouring.key,
                   speed: this.player.speed, curves: this.curves.join('~') };
  }

  // What is seen has changed: the address is to tell of it.
  remember() {
    this.link.touch();
  }

  // The box of all motion, and obstacles in it that are not much larger.
  setExtent() {
    const { low, high } = this.frames.box;
    const box = new Box3(new Vector3(...low), new Vector3(...high));
    const size = box.getSize(new Vector3()).length();
    for (const obstacle of this.obstacles.boxes())
      if (obstacle.getSize(new Vector3()).length() < 3 * size) box.union(obstacle);
    this.stage.setExtent(box);
  }

  makePlots() {
    this.panels = listPlots(this.history);
    this.plots = this.panels.filter(({ key }) => this.curves.includes(key))
      .map((plot) => new Plot(plot, (time) => this.seekTime(time)));
    this.page.plots.replaceChildren(...this.plots.map((plot) => plot.element));
    this.page.showCurves(this);
  }

  // keys: of the panels above the time line.
  setCurves(keys) {
    this.curves = keys;
    this.makePlots();
    this.resize();
    this.remember();
  }

  plotEnd() {
    return Math.max(this.player.end(), this.run.state === 'running' ? this.run.duration : 0);
  }

  drawPlots() {
    for (const plot of this.plots) {
      plot.draw(this.history, this.plotEnd(), this.style());
      plot.showTime(this.player.time);
    }
    this.inspector.draw();
  }

  style() {
    const style = getComputedStyle(document.documentElement);
    const value = (name) => style.getPropertyValue(name).trim();
    return { ink: value('--ink'), soft: value('--soft'), line: value('--line') };
  }

  // What a scale of this plane reaches.
  rangeOf(plane) {
    return this.ranges.get(plane) ?? this.frames.ranges.get(plane) ?? 0;
  }

  applyColouring() {
    const { colouring } = this;
    const range = colouring.kind === 'scale' ? this.rangeOf(colouring.plane) : 0;
    this.bodies.setColouring(colouring, range);
    this.drawLegend();
    this.stage.refresh();
    this.page.showColouring(this);
    this.remember();
  }

  drawLegend() {
    const arrows = Object.keys(this.arrows).filter((plane) => this.settings[plane])
      .map((plane) => ({ label: ARROWS[plane], colour: MAPS[plane][3],
                         range: this.frames.ranges.get(plane) || 0 }));
    const { colouring } = this;
    const range = colouring.kind === 'scale' ? this.rangeOf(colouring.plane) : 0;
    this.legend.draw(colouring, range, arrows, this.style().ink);
  }

  setColouring(key) {
    this.colouring = this.colourings.find((entry) => entry.key === key) || this.colouring;
    this.applyColouring();
  }

  nextColouring(step) {
    const count = this.colourings.length;
    const index = this.colourings.indexOf(this.colouring);
    this.setColouring(this.colourings[(index + step + count) % count].key);
  }

  // value: what the scale is to reach; null: as the run asks for.
  setRange(value) {
    if (value > 0) this.ranges.set(this.colouring.plane, value);
    else this.ranges.delete(this.colouring.plane);
    this.applyColouring();
  }

  set(name, value) {
    this.settings[name] = value;
    this.bodies.wires.visible = this.settings.wires;
    this.showArrows();
    this.showMarks();
    this.drawLegend();
    this.page.showSettings(this);
    this.stage.refresh();
    this.remember();
  }

  toggle(name) {
    this.set(name, !this.settings[name]);
  }

  nextObstacleStyle() {
    this.obstacles.nextStyle();
    this.page.showSettings(this);
    this.stage.refresh();
    this.remember();
  }

  setObstacleStyle(style) {
    this.obstacles.setStyle(style);
    this.page.showSettings(this);
    this.stage.refresh();
    this.remember();
  }

  showMarks() {
    if (!this.bodies.frame) return;
    for (const name of ['contacts', 'flags'])
      if (this.marks[name] && this.settings[name]) this.marks[name].show(this.bodies);
      else this.marks[name]?.hide();
    this.marks.pick.show(this.bodies, this.picked);
  }

  // What is under this point of the window, dots first: they are drawn over everything.
  find(x, y) {
    const canvas = this.page.view;
    const dots = [...(this.marks.flags?.list || []), ...(this.marks.contacts?.list || [])];
    return pickDot(this.bodies, dots, this.stage, canvas, x, y) ||
      pickSurface(this.bodies, rayAt(this.stage, canvas, x, y), this.clip.place(this.stage));
  }

  pickAt(x, y) {
    this.pick(this.find(x, y));
  }

  // picked: { vertex, triangle }, or null.
  pick(picked) {
    this.picked = picked;
    this.marks.pick.show(this.bodies, picked);
    this.stage.refresh();
    this.remember();
    return this.inspector.pick(picked);
  }

  focusAt(x, y) {
    const found = this.find(x, y);
    if (found) this.stage.focus(found.point);
    else this.fit();
    this.remember();
  }

  pickedBody() {
    return this.picked ? this.bodies.surface.bodyOf[this.picked.vertex] : -1;
  }

  setLooks(looks) {
    this.bodies.setLooks(looks);
    this.showArrows();
    this.showMarks();
    this.page.showBodies(this);
    this.stage.refresh();
    this.remember();
  }

  setLook(body, look) {
    this.setLooks(this.bodies.looks.map((old, i) => (i === body ? look : old)));
  }

  // This body alone; when it is alone already, all of them.
  isolate(body) {
    const alone = this.bodies.looks.every((look, i) => (look === 'hidden') !== (i === body));
    this.setLooks(this.bodies.looks.map((_, i) => (alone || i === body ? 'shown' : 'hidden')));
  }

  isolatePicked() {
    if (this.picked) this.isolate(this.pickedBody());
    else this.setLooks(this.bodies.looks.map(() => 'shown'));
  }

  nextLookOfPicked() {
    const body = this.pickedBody();
    if (body < 0) return;
    const next = (LOOKS.indexOf(this.bodies.looks[body]) + 1) % LOOKS.length;
    this.setLook(body, LOOKS[next]);
  }

  // -1: the camera stays where it is.
  setFollowed(body) {
    this.followed = body;
    this.followedAt = body >= 0 && this.bodies.frame
      ? new Vector3(...this.bodies.centre(body, [0, 0, 0])) : null;
    this.page.showBodies(this);
    this.remember();
  }

  followPicked() {
    this.setFollowed(this.followed >= 0 ? -1 : this.pickedBody());
  }

  goAlong() {
    if (this.followed < 0) return;
    const now = new Vector3(...this.bodies.centre(this.followed, [0, 0, 0]));
    if (this.followedAt) this.stage.move(now.clone().sub(this.followedAt));
    this.followedAt = now;
  }

  // change: gets the clip to set it.
  changeClip(change) {
    change(this.clip);
    const plane = this.clip.place(this.stage);
    this.bodies.clip(plane);
    this.showArrows();
    this.showMarks();
    this.page.showClip(this);
    this.stage.refresh();
    this.remember();
  }

  nextClip() {
    const next = CLIPS[(CLIPS.indexOf(this.clip.kind) + 1) % CLIPS.length];
    this.changeClip((clip) => clip.choose(next, this.stage.camera));
  }

  showArrows() {
    if (!this.bodies.frame) return;
    const longest = ARROW_LENGTH * this.stage.radius * this.settings.arrowScale;
    for (const [plane, arrows] of Object.entries(this.arrows)) {
      const range = this.frames.ranges.get(plane) || 0;
      if (this.settings[plane] && range > 0)
        arrows.show(this.bodies, this.run.planes.indexOf(plane), range, longest);
      else arrows.hide();
    }
  }

  setTheme(name) {
    this.theme = name;
    document.documentElement.dataset.theme = name;
    this.stage.setTheme(name);
    this.obstacles.setTheme(name);
    this.bodies.wires.material.color.set(name === 'dark' ? '#ffffff' : '#10141a');
    this.drawLegend();
    this.drawPlots();
    this.remember();
  }

  nextTheme() {
    this.setTheme(this.theme === 'dark' ? 'light' : 'dark');
  }

  fit() {
    this.frames.grown = false;
    this.setExtent();
    this.stage.fit();
    this.remember();
  }

  lookFrom(side) {
    this.stage.lookFrom(side);
    this.remember();
  }

  togglePlay() {
    this.player.toggle();
    this.setFollow(false);
    this.page.showPlayer(this);
    this.remember();
  }

  toggleLoop() {
    this.player.loop = !this.player.loop;
    this.page.showPlayer(this);
  }

  changeSpeed(step) {
    this.player.changeSpeed(step);
    this.page.showPlayer(this);
  }

  setSpeed(speed) {
    this.player.speed = speed;
    this.page.showPlayer(this);
  }

  seekFrame(frame) {
    this.setFollow(false);
    this.player.seekFrame(frame);
  }

  seekTime(time) {
    this.setFollow(false);
    this.player.seekTime(time);
  }

  stepFrames(count) {
    this.player.playing = false;
    this.seekFrame(this.player.frame + count);
    this.page.showPlayer(this);
  }

  toggleFollow() {
    this.setFollow(!this.follow);
  }

  setFollow(follow) {
    this.follow = follow && this.source.live;
    if (this.follow) {
      this.player.playing = false;
      this.player.seekFrame(Infinity);
    }
    this.page.showPlayer(this);
  }

  toggleHelp() {
    const { help } = this.page;
    if (help.open) help.close();
    else help.showModal();
  }

  caption() {
    return `${this.run.title || this.run.name}, ${this.player.time.toPrecision(4)} s`;
  }

  savePicture() {
    this.stage.refresh();
    this.stage.render();
    const picture = composePicture(this.page.view, this.page.legend, this.caption(),
                                   this.style().ink);
    savePicture(picture, `${this.run.name}-${this.player.frame}.png`);
  }

  // Films the run from its start; a second call ends the film early.
  toggleRecording() {
    if (this.recording) {
      this.endRecording();
      return;
    }
    if (!recorderType()) {
      this.page.say('This browser cannot record video.');
      return;
    }
    this.startRecording(recorderType(), (recording) => recording.save());
  }

  // ended: gets the recording when the run has been played.
  startRecording(type, ended) {
    this.setFollow(false);
    this.recording = new Recording(this, type);
    this.recordingEnded = ended;
    this.page.showPlayer(this);
  }

  endRecording() {
    const { recording } = this;
    this.recording = null;
    this.player.playing = false;
    this.page.showPlayer(this);
    this.recordingEnded(recording);
  }

  // The whole run without panels as a data: URL, for `stiction view --video`. kind: 'webm' or 'mp4'.
  async film(kind) {
    const type = recorderType(kind);
    if (!type) throw new Error(`no recorder for ${kind}`);
    this.set('panel', false);
    this.set('plots', false);
    this.resize();
    this.fit();
    const recording = await new Promise((resolve) => this.startRecording(type, resolve));
    const reader = new FileReader();
    const read = new Promise((resolve) => reader.addEventListener('load', resolve));
    reader.readAsDataURL(await recording.stop());
    await read;
    return reader.result;
  }

  // Also when panels have changed.
  resize() {
    const { width, height, hidden } = this.page.measure(this);
    this.stage.resize(width, height, hidden);
    if (!this.stage.chosen) this.stage.fit();
    this.drawPlots();
  }

  // A run under way has come further: run is null when nobody answers any more.
  async update(run) {
    if (!run) {
      this.page.showState('lost');
      return;
    }
    if (run.state === 'waiting') {
      this.page.showState('waiting');
      return;
    }
    const grown = run.history.rows !== this.run.history.rows;
    this.run = run;
    this.player.setTimes(run.times);
    this.obstacles.update(run);
    if (this.follow) this.player.seekFrame(Infinity);
    if (run.state !== 'running') this.setFollow(false);
    this.page.showRun(this);
    this.inspector.update();
    if (grown) await this.reloadHistory();
  }

  async reloadHistory() {
    const history = await this.page.loadHistory(this.source, this.run);
    if (!history) return;
    const shown = listPlots(history).length !== this.panels.length;
    this.history = history;
    if (shown) {
      this.makePlots();
      this.resize();
    } else this.drawPlots();
  }

  showFrame(index, frame) {
    this.bodies.show(frame);
    this.obstacles.show(index);
    this.goAlong();
    this.showArrows();
    this.showMarks();
    this.page.showTime(this);
    this.inspector.show();
    this.remember();
    for (const plot of this.plots) plot.showTime(this.player.time);
    const { colouring } = this;
    if (colouring.kind === 'scale' && this.bodies.range !== this.rangeOf(colouring.plane))
      this.applyColouring();
    this.shown = index;
    if (this.frames.grown && !this.stage.chosen) this.fit();
    this.stage.refresh();
  }

  // Called before every picture the browser draws.
  tick(seconds) {
    const started = performance.now();
    const before = this.player.playing;
    this.player.advance(seconds, (frame) => this.frames.get(frame) !== undefined);
    if (before !== this.player.playing) this.page.showPlayer(this);
    const { frame } = this.player;
    const found = frame === this.shown ? undefined : this.frames.get(frame);
    if (found) this.showFrame(frame, found);
    const updated = performance.now();
    this.stage.render();
    if (this.recording && !this.recording.tick()) this.endRecording();
    this.link.tick();
    if (found) this.timing.add(updated - started, performance.now() - started);
  }
}
