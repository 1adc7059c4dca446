// Pictures of runs, as the viewer's picture button makes them, made small. Run by site/pictures,
// beside a copy of tests/viewer/browser.js. Usage: node pictures.js RUNS FOLDER NAME…
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { drawn, goTo, openViewer, startBrowser } from './browser.js';

const SIZE = { width: 960, height: 600 };

// at: the moment shown, as a share of the run; colour: as the viewer calls it; keys: pressed
// before; near: a point of the picture, and how much nearer to look there.
const SHOTS = [
  { name: 'swing', at: 0.3, colour: 'stress', near: [485, 300, 1.3] },
  { name: 'slide', at: 0.7, colour: 'state', near: [510, 300, 1.15] },
  { name: 'pyramid', at: 0.6, colour: 'material', near: [480, 310, 1.6] },
  { name: 'grip', at: 0.5, colour: 'material', near: [485, 130, 1.5] },
  { name: 'grasp', at: 0.8, colour: 'material', near: [480, 300, 1.3] },
  { name: 'belt', at: 0.6, colour: 'stress' },
  { name: 'springboard', at: 0.15, colour: 'stress', near: [300, 260, 2] },
  { name: 'turntable', at: 0.8, colour: 'state', near: [500, 310, 1.2] },
  { name: 'drop', at: 0.23, colour: 'stress', near: [300, 420, 1.5] },
  { name: 'bounce', at: 0.8, colour: 'body', near: [464, 320, 1.5] },
  { name: 'tyre', at: 0.5, colour: 'stress', near: [453, 320, 1.6] },
  { name: 'cloth', at: 1, colour: 'state', near: [500, 320, 1.15] },
  { name: 'sail', at: 0.42, colour: 'stress' },
  { name: 'cushion', at: 0.6, colour: 'material', near: [450, 320, 1.6] },
  { name: 'balloon', at: 0.75, colour: 'state', near: [480, 300, 1.1] },
  { name: 'tower', at: 0.4, colour: 'body', near: [510, 350, 2.2] },
  { name: 'cards', at: 0.7, colour: 'material' },
  { name: 'ribbon', at: 0.65, colour: 'state', near: [455, 500, 3.5] },
  { name: 'chain', at: 0.35, colour: 'body', near: [420, 190, 1.6] },
  { name: 'towel', at: 1, colour: 'state', near: [480, 300, 1.3] },
  { name: 'crumple', at: 1, colour: 'state', near: [480, 400, 2] },
  { name: 'dominoes', at: 0.26, colour: 'body', near: [480, 320, 1.1] },
  { name: 'pile', at: 1, colour: 'body', near: [470, 405, 1.7] },
  { name: 'jacks', at: 1, colour: 'body', keys: ['o'], near: [440, 420, 2.1] },
  { name: 'foam', at: 0.95, colour: 'friction', keys: ['o'], near: [480, 300, 1.2] },
  { name: 'lift', at: 1, colour: 'friction', keys: ['r', 'o'], near: [480, 80, 1.2] },
];

async function prepare(page, shot) {
  await page.evaluate(({ colour }) => {
    const { viewer } = window;
    viewer.set('panel', false);
    viewer.set('plots', false);
    viewer.setColouring(colour);
    viewer.resize();
    viewer.fit();
  }, shot);
  for (const key of shot.keys ?? []) await page.keyboard.press(key);
  const last = await page.evaluate(() => window.viewer.run.times.length - 1);
  await goTo(page, Math.round(shot.at * last));
  if (shot.near) await lookCloser(page, ...shot.near);
}

// By the wheel, whose hundred units bring the camera nearer by a twentieth.
async function lookCloser(page, x, y, factor) {
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, (100 * Math.log(factor)) / Math.log(0.95));
}

async function press(page) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#picture')]);
  return readFileSync(await download.path());
}

// The browser turns its PNG into a WebP of a tenth of the size.
function shrink(page, png) {
  return page.evaluate(async (data) => {
    const bytes = Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes]));
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    canvas.getContext('2d').drawImage(picture, 0, 0);
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.86 });
    let text = '';
    for (const byte of new Uint8Array(await blob.arrayBuffer())) text += String.fromCharCode(byte);
    return btoa(text);
  }, png.toString('base64'));
}

const [runs, folder, ...names] = process.argv.slice(2);
const browser = await startBrowser();
for (const shot of SHOTS.filter(({ name }) => names.includes(name))) {
  const address = pathToFileURL(`${runs}/${shot.name}/view.html`).href;
  const { page } = await openViewer(browser, address, SIZE);
  await prepare(page, shot);
  await drawn(page);
  const picture = Buffer.from(await shrink(page, await press(page)), 'base64');
  writeFileSync(`${folder}/${shot.name}.webp`, picture);
  console.log(`${shot.name}.webp: ${Math.round(picture.length / 1000)} kB`);
  await page.close();
}
await browser.close();
