// The whole viewer: which moment is shown and how, and what happens when that changes. Runs are its
// sides, one or two; shared state is kept here.
import { Box3, Vector3 } from 'three';
import { LOOKS } from './bodies.js';
import { CLIPS, Clip } from './clip.js';
import { forceColour, union } from './colours.js';
import { nextFactor, suitableFactor } from './deformation.js';
import { film, filmAlone, toggleFilm } from './film.js';
import { isGrave } from './findings.js';
import { Inspector } from './inspector.js';
import { Legend } from './legend.js';
import { Link } from './link.js';
import { composePicture, savePicture } from './picture.js';
import { Player, mergeTimes } from './player.js';
import { Plot, mergePlots } from './plots.js';
import { Shading } from './shading.js';
import { ARROWS } from './side.js';
import { Timing } from './timing.js';

const NEEDED_BY = { contact: 'contact', friction: 'friction', contacts: 'state', flags: 'findings' };

export class App {
  constructor(sides, page) {
    this.sides = sides;
    this.page = page;
    const runs = sides.map(({ run }) => run);
    this.names = { materials: union(runs.map(({ materials }) => materials)),
                   bodies: union(runs.map(({ bodies }) => bodies)) };
    this.player = new Player(mergeTimes(runs.map(({ times }) => times)), this.expectedEnd());
    this.timing = new Timing();
    this.shown = -1;
    this.follow = this.isRunning();
    this.settings = { wires: false, contact: false, friction: false, contacts: false,
                      flags: sides.some(({ history }) => isGrave(history)), plots: true,
                      panel: true, ghost: false, held: false, arrowScale: 1 };
    this.deformation = 1; // by which displacements are multiplied
    this.clip = new Clip();
    this.looks = this.names.bodies.map(() => 'shown');
    this.picked = null; // { side, vertex, triangle }
    this.followed = -1; // a body
    this.shading = new Shading(runs, this.names);
    this.build();
  }

  build() {
    const { sides, page } = this;
    page.addViews(sides);
    for (const side of sides) side.build(page.views[side.number], sides[0].run.up, this.names);
    this.setExtent();
    for (const { obstacles, stage } of sides) obstacles.addGround(stage);
    this.legend = new Legend(page.legend);
    this.curves = this.listPlots().filter(({ usual }) => usual).map(({ key }) => key);
    this.makePlots();
    this.inspector = new Inspector(this, page.inspector);
    this.link = new Link(this);
    for (const { stage } of sides) {
      stage.controls.addEventListener('end', () => this.remember());
      stage.controls.addEventListener('change', () => this.mirror(stage));
    }
  }

  // Of the first run, usually the only one.
  get run() { return this.sides[0].run; }
  get frames() { return this.sides[0].frames; }
  get stage() { return this.sides[0].stage; }
  get bodies() { return this.sides[0].bodies; }
  get obstacles() { return this.sides[0].obstacles; }
  get marks() { return this.sides[0].marks; }
  get history() { return this.sides[0].history; }

  // All pictures use the same camera.
  mirror(from) {
    if (this.mirroring) return;
    this.mirroring = true;
    for (const { stage } of this.sides) if (stage !== from) stage.copyView(from);
    this.mirroring = false;
  }

  isLive() {
    return this.sides.some(({ source }) => source.live);
  }

  isRunning() {
    return this.sides.some(({ source, run }) => source.live && run.state === 'running');
  }

  // When runs in progress will end, 0 if there are none.
  expectedEnd() {
    return Math.max(...this.sides.map(({ run }) => (run.state === 'running' ? run.duration : 0)));
  }

  // Settings that a link need not contain.
  setUsual() {
    this.usual = { ...this.settings, theme: this.theme, colour: this.shading.colouring.key,
                   speed: this.player.speed, curves: this.curves.join('~') };
  }

  // The view has changed: update the address.
  remember() {
    this.link.touch();
  }

  setExtent() {
    const box = this.sides.reduce((all, side) => all.union(side.extent()), new Box3());
    for (const { stage } of this.sides) stage.setExtent(box);
  }

  listPlots() {
    return mergePlots(this.sides.map(({ history }) => history));
  }

  makePlots() {
    this.panels = this.listPlots();
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
    return Math.max(this.player.end(), this.expectedEnd());
  }

  drawPlots() {
    const histories = this.sides.map(({ history }) => history);
    for (const plot of this.plots) {
      plot.draw(histories, this.plotEnd(), this.style());
      plot.showTime(this.player.time);
    }
    this.inspector.draw();
  }

  style() {
    const style = getComputedStyle(document.documentElement);
    const value = (name) => style.getPropertyValue(name).trim();
    return { ink: value('--ink'), soft: value('--soft'), line: value('--line') };
  }

  // The largest force of an arrow, over all runs.
  forceRange(plane) {
    return Math.max(...this.sides.map(({ frames }) => frames.rangeOf(plane, 0)?.high || 0));
  }

  // Has what is shown unpacked; true if that is more or less than before.
  want() {
    const before = this.wanted;
    const { colouring } = this.shading;
    const all = Object.keys(NEEDED_BY).filter((name) => this.settings[name])
      .map((name) => NEEDED_BY[name]);
    if (colouring.field) all.push(colouring.field.group);
    for (const { run } of this.sides)
      if (this.picked) all.push(...run.fields.map(({ name }) => name));
    this.wanted = [...new Set(all)].sort().join();
    for (const { frames } of this.sides) frames.setWanted(all);
    return this.wanted !== before;
  }

  // Shows the moment again, as soon as what is wanted of it is there.
  reshow() {
    const { frame } = this.player;
    const frames = this.framesAt(frame);
    if (frames) this.showFrames(frame, frames);
    else this.shown = -1;
  }

  // Colours by what the shading says now.
  recolour() {
    const { colouring, component } = this.shading;
    for (const side of this.sides) side.setColouring(colouring, component);
    this.want();
    this.reshow();
    this.page.showColouring(this);
    this.remember();
  }

  // The scale of the moment; it may differ in every frame.
  applyScale() {
    this.scale = this.shading.scale(this.sides);
    const state = JSON.stringify([this.shading.label(), this.scale]);
    for (const side of this.sides) side.setScale(this.scale);
    if (state === this.scaleState) return;
    this.scaleState = state;
    this.drawLegend();
    this.page.showScale(this);
  }

  drawLegend() {
    const arrows = Object.keys(ARROWS)
      .filter((plane) => this.settings[plane] && this.sides.some((side) => side.arrows[plane]))
      .map((plane) => ({ label: ARROWS[plane], colour: forceColour(plane),
                         range: this.forceRange(plane) }));
    const { colouring } = this.shading;
    this.legend.draw({ ...colouring, label: this.shading.label(), scale: this.scale }, arrows,
                     this.style().ink);
  }

  setColouring(key) {
    this.shading.choose(key);
    this.recolour();
  }

  nextColouring(step) {
    this.shading.step(step);
    this.recolour();
  }

  setComponent(name) {
    this.shading.chooseComponent(name);
    this.recolour();
  }

  nextComponent(step) {
    this.shading.stepComponent(step);
    this.recolour();
  }

  // part: of shading.setting().
  changeScale(part) {
    this.shading.change(part);
    this.applyScale();
    this.remember();
  }

  setDeformation(factor) {
    this.deformation = factor;
    for (const side of this.sides) side.setDeformation(factor);
    this.showOverlays();
    this.page.showSettings(this);
    this.remember();
  }

  nextDeformation(step) {
    this.setDeformation(nextFactor(this.deformation, step));
  }

  // So that the largest displacement of the run is well visible.
  suitDeformation() {
    const farthest = Math.max(...this.sides.map(({ frames }) => frames.moved.farthest));
    this.setDeformation(suitableFactor(this.stage.radius, farthest));
  }

  set(name, value) {
    this.settings[name] = value;
    for (const side of this.sides) {
      side.setWires(this.settings.wires);
      side.setGhost(this.settings.ghost);
    }
    if (this.want()) this.reshow();
    else this.showOverlays();
    this.drawLegend();
    this.page.showSettings(this);
    this.remember();
  }

  toggle(name) {
    this.set(name, !this.settings[name]);
  }

  nextObstacleStyle() {
    this.setObstacleStyle(this.obstacles.nextStyle());
  }

  setObstacleStyle(style) {
    for (const { obstacles, stage } of this.sides) {
      obstacles.setStyle(style);
      stage.refresh();
    }
    this.page.showSettings(this);
    this.remember();
  }

  // Arrows and marks.
  showOverlays() {
    for (const side of this.sides) {
      side.showArrows(this.settings, (plane) => this.forceRange(plane));
      side.showMarks(this.settings, this.picked);
    }
  }

  pickAt(side, x, y) {
    this.pick(side.find(x, y));
  }

  // picked: { side, vertex, triangle }, or null.
  pick(picked) {
    this.picked = picked && { side: this.sides[0], ...picked };
    for (const side of this.sides) side.showMarks(this.settings, this.picked);
    if (this.want()) this.reshow();
    this.remember();
    return this.inspector.pick(this.picked);
  }

  focusAt(side, x, y) {
    const found = side.find(x, y);
    if (found) side.stage.focus(found.point);
    else this.fit();
    this.remember();
  }

  // Index among the names of all bodies; -1: nothing picked.
  pickedBody() {
    if (!this.picked) return -1;
    const { side, vertex } = this.picked;
    return this.names.bodies.indexOf(side.run.bodies[side.bodies.surface.bodyOf[vertex]]);
  }

  setLooks(looks) {
    this.looks = looks;
    const byName = new Map(this.names.bodies.map((name, i) => [name, looks[i]]));
    for (const side of this.sides) side.setLooks(byName);
    this.showOverlays();
    this.page.showBodies(this);
    this.remember();
  }

  setLook(body, look) {
    this.setLooks(this.looks.map((old, i) => (i === body ? look : old)));
  }

  // Shows this body alone; if it is alone already, all of them.
  isolate(body) {
    const alone = this.looks.every((look, i) => (look === 'hidden') !== (i === body));
    this.setLooks(this.looks.map((_, i) => (alone || i === body ? 'shown' : 'hidden')));
  }

  isolatePicked() {
    if (this.picked) this.isolate(this.pickedBody());
    else this.setLooks(this.looks.map(() => 'shown'));
  }

  nextLookOfPicked() {
    const body = this.pickedBody();
    if (body < 0) return;
    const next = (LOOKS.indexOf(this.looks[body]) + 1) % LOOKS.length;
    this.setLook(body, LOOKS[next]);
  }

  // Current position of the followed body, in the first run that has it; null: none.
  placeOfFollowed() {
    const name = this.names.bodies[this.followed];
    const side = this.sides.find(({ run, bodies }) => bodies.frame && run.bodies.includes(name));
    if (!side) return null;
    return new Vector3(...side.bodies.centre(side.run.bodies.indexOf(name), [0, 0, 0]));
  }

  // -1: the camera does not follow.
  setFollowed(body) {
    this.followed = body;
    this.followedAt = this.placeOfFollowed();
    this.page.showBodies(this);
    this.remember();
  }

  followPicked() {
    this.setFollowed(this.followed >= 0 ? -1 : this.pickedBody());
  }

  goAlong() {
    if (this.followed < 0) return;
    const now = this.placeOfFollowed();
    if (this.followedAt && now) this.stage.move(now.clone().sub(this.followedAt));
    this.followedAt = now;
  }

  // change: called with the clip to modify.
  changeClip(change) {
    change(this.clip);
    const plane = this.clip.place(this.stage);
    for (const side of this.sides) side.setClip(plane);
    this.showOverlays();
    this.page.showClip(this);
    this.remember();
  }

  nextClip() {
    const next = CLIPS[(CLIPS.indexOf(this.clip.kind) + 1) % CLIPS.length];
    this.changeClip((clip) => clip.choose(next, this.stage.camera));
  }

  setTheme(name) {
    this.theme = name;
    document.documentElement.dataset.theme = name;
    for (const side of this.sides) side.setTheme(name);
    this.drawLegend();
    this.drawPlots();
    this.remember();
  }

  nextTheme() {
    this.setTheme(this.theme === 'dark' ? 'light' : 'dark');
  }

  fit() {
    for (const { frames } of this.sides) frames.grown = false;
    this.setExtent();
    for (const { stage } of this.sides) stage.fit();
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

  // Goes to the first finding of the judge, with its marks.
  seekFinding(time) {
    this.set('flags', true);
    this.seekTime(time * (1 + 1e-6));
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
    this.follow = follow && this.isLive();
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
    const names = this.sides.length > 1
      ? this.sides.map(({ run }) => run.name).join(' | ') : this.run.title || this.run.name;
    return `${names}, ${this.player.times[this.player.frame].toPrecision(4)} s`;
  }

  fileName() {
    return this.sides.map(({ run }) => run.name).join('-');
  }

  // The screen without panels. into: a canvas to reuse.
  compose(into) {
    for (const { stage } of this.sides) {
      stage.refresh();
      stage.render();
    }
    return composePicture(this.sides, this.page.legend, this.caption(), this.style().ink, into);
  }

  savePicture() {
    savePicture(this.compose(), `${this.fileName()}-${this.player.frame}.png`);
  }

  // Films the run; a second call cancels.
  toggleFilm() {
    return toggleFilm(this);
  }

  film(kind) {
    return film(this, kind);
  }

  filmAlone(kind) {
    return filmAlone(this, kind);
  }

  // Also called when panels have changed.
  resize() {
    const places = this.page.measure(this);
    this.sides.forEach((side, i) => {
      side.stage.resize(places[i].width, places[i].height, places[i].hidden);
      if (!side.stage.chosen) side.stage.fit();
    });
    this.drawPlots();
  }

  // A run in progress has new frames; run is null if the server no longer answers.
  async update(side, run) {
    if (!run) {
      this.page.showState(side, 'lost');
      return;
    }
    if (run.state === 'waiting') {
      this.page.showState(side, 'waiting');
      return;
    }
    const grown = run.history.rows !== side.run.history.rows;
    side.run = run;
    this.player.setTimes(mergeTimes(this.sides.map((one) => one.run.times)));
    if (this.sides.length > 1) this.shown = -1; // new frames may have been inserted
    side.obstacles.update(run);
    if (this.follow) this.player.seekFrame(Infinity);
    if (!this.isRunning()) this.setFollow(false);
    this.page.showRun(this, side);
    this.inspector.update();
    if (grown) await this.reloadHistory(side);
  }

  async reloadHistory(side) {
    const history = await this.page.loadHistory(side.source, side.run);
    if (!history) return;
    side.history = history;
    if (this.listPlots().length !== this.panels.length) {
      this.makePlots();
      this.resize();
    } else this.drawPlots();
  }

  // frames: of each side.
  showFrames(index, frames) {
    this.sides.forEach((side, i) => side.show(this.player.times[index], frames[i]));
    this.applyScale();
    this.goAlong();
    this.showOverlays();
    this.page.showTime(this);
    this.inspector.show();
    this.remember();
    for (const plot of this.plots) plot.showTime(this.player.time);
    this.shown = index;
    if (this.sides.some((side) => side.frames.grown) && !this.stage.chosen) this.fit();
  }

  // Resolves when the first frames can be shown.
  async ready() {
    await Promise.all(this.sides.flatMap(({ frames, source, run }) =>
      [frames.need(0), source.live && frames.need(run.times.length - 1)]));
  }

  // Frames of this moment, one for each side; undefined while any is loading.
  framesAt(index) {
    const frames = this.sides.map((side) => side.get(this.player.times[index]));
    return frames.every(Boolean) ? frames : undefined;
  }

  draw() {
    for (const { stage } of this.sides) stage.render();
  }

  // Called before every browser frame.
  tick(seconds) {
    const started = performance.now();
    const before = this.player.playing;
    this.player.advance(seconds, (frame) => this.framesAt(frame) !== undefined);
    if (before !== this.player.playing) this.page.showPlayer(this);
    const { frame } = this.player;
    const found = frame === this.shown ? undefined : this.framesAt(frame);
    if (found) this.showFrames(frame, found);
    const updated = performance.now();
    this.draw();
    this.link.tick();
    if (found) this.timing.add(updated - started, performance.now() - started);
  }
}
