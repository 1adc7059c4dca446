// A browser for the tests, and what they ask of a page again and again.
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

export const FRAMES = 26; // of run
export const TOUCHING = 20; // a frame in which the block slides and the cloth lies on the ball

const PATIENCE = 90000; // ms; machines that run tests are busy

const ARGUMENTS = [
  '--headless', '--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
  '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync',
];

export async function startBrowser() {
  return chromium.launch({ executablePath: '/usr/bin/chromium', args: ARGUMENTS,
                           timeout: PATIENCE });
}

// A page with the viewer on it. problems: errors it reported; requests: what it asked for.
export async function openViewer(browser, address, size = { width: 880, height: 620 }) {
  const page = await browser.newPage({ viewport: size, acceptDownloads: true });
  page.setDefaultTimeout(PATIENCE);
  const problems = [];
  const requests = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !/GPU stall/.test(message.text()))
      problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(address, { timeout: PATIENCE });
  await page.waitForFunction(() => document.documentElement.dataset.ready);
  return { page, problems, requests };
}

export async function pause(page) {
  await page.evaluate(() => {
    if (window.viewer.player.playing) window.viewer.togglePlay();
  });
}

// Goes to a frame and waits until it is on the screen.
export async function goTo(page, frame) {
  await pause(page);
  await page.evaluate((number) => window.viewer.seekFrame(number), frame);
  await drawn(page);
}

export async function drawn(page) {
  await page.waitForFunction(() => {
    const { viewer } = window;
    return viewer.shown === viewer.player.frame && !viewer.stage.dirty;
  });
}

// What is on the canvas, small: [width × height] of red, green, blue.
export async function pixels(page) {
  await drawn(page);
  return page.evaluate(() => {
    const small = document.createElement('canvas');
    small.width = 160;
    small.height = 112;
    const context = small.getContext('2d');
    context.drawImage(window.viewer.page.views[0], 0, 0, small.width, small.height);
    return [...context.getImageData(0, 0, small.width, small.height).data];
  });
}

// How many of the picture's points differ visibly.
export function difference(a, b) {
  let count = 0;
  for (let i = 0; i < a.length; i += 4)
    if (Math.abs(a[i] - b[i]) + Math.abs(a[i + 1] - b[i + 1]) + Math.abs(a[i + 2] - b[i + 2]) > 12)
      count++;
  return count;
}

export function colourCount(picture) {
  const seen = new Set();
  for (let i = 0; i < picture.length; i += 4)
    seen.add((picture[i] << 16) | (picture[i + 1] << 8) | picture[i + 2]);
  return seen.size;
}

// Without light, so that every point of a body has the colour of its value. Off again with false.
export async function setUnlit(page, unlit) {
  await page.evaluate((off) => {
    const { bodies, stage } = window.viewer;
    const { material } = bodies.mesh;
    for (const light of stage.scene.children.filter((child) => child.isLight)) light.visible = !off;
    if (off) {
      const compile = material.onBeforeCompile;
      window.lit = { compile };
      material.onBeforeCompile = (shader) => {
        compile(shader);
        shader.fragmentShader = shader.fragmentShader.replace(
          '#include <emissivemap_fragment>', 'totalEmissiveRadiance = diffuseColor.rgb;');
      };
    } else material.onBeforeCompile = window.lit.compile;
    material.customProgramCacheKey = () => (off ? 'unlit' : '');
    material.needsUpdate = true;
    stage.refresh();
  }, unlit);
}

// The canvas as [width × height] of red, green, blue, alpha.
export async function canvasPixels(page) {
  await drawn(page);
  return page.evaluate(() => {
    const view = window.viewer.page.views[0];
    const copy = document.createElement('canvas');
    [copy.width, copy.height] = [view.width, view.height];
    const context = copy.getContext('2d');
    context.drawImage(view, 0, 0);
    const { data } = context.getImageData(0, 0, copy.width, copy.height);
    return { width: copy.width, height: copy.height, data: [...data] };
  });
}

// A place in the window where this vertex is seen.
export const placeOf = (page, vertex) => page.evaluate((v) => {
  const { stage, bodies, page: elements } = window.viewer;
  const point = stage.camera.position.clone().set(...bodies.place(v, [0, 0, 0]));
  point.project(stage.camera);
  const box = elements.views[0].getBoundingClientRect();
  return { x: (point.x + 1) * box.width / 2, y: (1 - point.y) * box.height / 2 };
}, vertex);

export const file = (path) => pathToFileURL(path).href;
export const picture = (page, name) => page.screenshot({ path: `${name}.png` });
export const frameOf = (page) =>
  page.evaluate(() => Number(document.documentElement.dataset.frame));
