// Reads the run and starts the viewer.
import { App } from './app.js';
import { Frames } from './frames.js';
import { listenToKeys } from './keys.js';
import { read } from './link.js';
import { Page } from './page.js';
import { parseHistory } from './plots.js';
import { listenToPointer } from './pointer.js';
import { Side } from './side.js';
import { openSources } from './source.js';
import { parseHeld, parseInside, parseSurface } from './surface.js';

function preferredTheme() {
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

async function readParts(source) {
  const { run } = source;
  const surface = parseSurface(await source.block('surface'), run);
  const inside = parseInside(await source.block('inside'), run);
  const obstacles = await Promise.all(run.obstacles.map((_, i) => source.block(`obstacle-${i}`)));
  const history = parseHistory(await source.block('history'), run.history);
  const held = parseHeld(await source.block('held'), run);
  return { surface, inside, obstacles, history, held };
}

async function openSide(source, number) {
  const frames = new Frames(source);
  const last = source.run.times.length - 1;
  // A served run reveals its extent frame by frame: the first and the last give an estimate.
  const [parts] = await Promise.all([readParts(source), frames.need(0),
                                     source.live && frames.need(last)]);
  return new Side(source, frames, parts, number);
}

async function start(page) {
  const sources = await openSources((reason) => page.fail(`Waiting for the run: ${reason}`));
  page.hush();
  const app = new App(await Promise.all(sources.map(openSide)), page);
  app.want();
  await app.ready();
  window.viewer = app;
  run(app, page);
}

function run(app, page) {
  page.connect(app);
  listenToKeys(app);
  for (const side of app.sides) listenToPointer(app, side);
  app.settings.panel = window.innerWidth > 700 && window.innerHeight > 480;
  const stacked = app.sides.length > 1 && window.innerHeight > window.innerWidth;
  app.settings.plots = window.innerHeight > (stacked ? 900 : 480);
  for (const side of app.sides) page.showRun(app, side);
  page.showSettings(app);
  app.setTheme(preferredTheme());
  app.recolour();
  app.resize();
  app.fit();
  if (app.follow) app.setFollow(true);
  else app.player.playing = !matchMedia('(prefers-reduced-motion: reduce)').matches;
  app.setUsual();
  const wanted = location.hash.slice(1);
  app.tick(0);
  if (wanted) read(app, wanted);
  page.showPlayer(app);
  for (const side of app.sides) side.source.follow((state) => app.update(side, state));
  let before = performance.now();
  const tick = (now) => {
    app.tick(Math.min(0.25, Math.max(0, (now - before) / 1000)));
    before = now;
    requestAnimationFrame(tick);
  };
  document.documentElement.dataset.ready = Math.round(performance.now());
  requestAnimationFrame(tick);
}

const page = new Page();
start(page).catch((error) => {
  page.fail(`The run cannot be shown: ${error.message}`);
  throw error;
});
