// Reads the run and starts the viewer.
import { App } from './app.js';
import { Frames } from './frames.js';
import { listenToKeys } from './keys.js';
import { read } from './link.js';
import { Page } from './page.js';
import { parseHistory } from './plots.js';
import { listenToPointer } from './pointer.js';
import { openSource } from './source.js';
import { parseSurface } from './surface.js';

function preferredTheme() {
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

async function readParts(source) {
  const { run } = source;
  const surface = parseSurface(await source.block('surface'), run);
  const obstacles = await Promise.all(run.obstacles.map((_, i) => source.block(`obstacle-${i}`)));
  const history = parseHistory(await source.block('history'), run.history);
  return { surface, obstacles, history };
}

async function start(page) {
  const source = await openSource((reason) => page.fail(`Waiting for the run: ${reason}`));
  page.hush();
  const frames = new Frames(source);
  const last = source.run.times.length - 1;
  // A served run tells of its extent frame by frame: the first and the last give an idea.
  await Promise.all([frames.need(0), source.live && frames.need(last), readParts(source)])
    .then(([, , parts]) => {
      const app = new App(source, frames, parts, page);
      window.viewer = app;
      run(app, page);
    });
}

function run(app, page) {
  page.connect(app);
  listenToKeys(app);
  listenToPointer(app, page.view);
  app.settings.panel = window.innerWidth > 700;
  app.settings.plots = window.innerHeight > 480;
  page.showRun(app);
  page.showSettings(app);
  app.setTheme(preferredTheme());
  app.applyColouring();
  app.resize();
  app.fit();
  if (app.follow) app.setFollow(true);
  else app.player.playing = !matchMedia('(prefers-reduced-motion: reduce)').matches;
  app.setUsual();
  const wanted = location.hash.slice(1);
  app.tick(0);
  if (wanted) read(app, wanted);
  page.showPlayer(app);
  app.source.follow((state) => app.update(state));
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
