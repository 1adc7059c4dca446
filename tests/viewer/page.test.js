// The page of a run in headless Chromium. Run by viewer.sh, in a folder with run/view.html and, at
// ADDRESS, a server of a run that is half done until finish.sh is run.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { colourCount, difference, drawn, goTo, openViewer, pause, pixels, startBrowser }
  from './browser.js';

const FRAMES = 26;
const TOUCHING = 20; // a frame in which the block slides and the cloth lies on the ball
const file = (path) => pathToFileURL(path).href;

let browser;
let view;
before(async () => {
  browser = await startBrowser();
  view = await openViewer(browser, file('run/view.html'));
});
after(async () => browser.close());

const picture = (page, name) => page.screenshot({ path: `${name}.png` });
const frameOf = (page) => page.evaluate(() => Number(document.documentElement.dataset.frame));

test('loads, tells what it shows and is not blank', async () => {
  const { page } = view;
  assert.equal(await page.textContent('#title'), 'A block is <b>pushed</b> along');
  assert.equal(await page.textContent('#state'), 'finished');
  assert.match(await page.textContent('#facts'), /26 frames/);
  await goTo(page, 0);
  assert.ok(colourCount(await pixels(page)) > 200);
  await picture(page, 'light');
});

test('plays, pauses, steps, scrubs and loops', async () => {
  const { page } = view;
  await goTo(page, 0);
  await page.keyboard.press('Space');
  await page.waitForFunction(() => Number(document.documentElement.dataset.frame) >= 2);
  await page.keyboard.press('Space');
  const stopped = await frameOf(page);
  await page.waitForTimeout(300);
  assert.equal(await frameOf(page), stopped);
  await page.keyboard.press('End');
  await drawn(page);
  assert.equal(await frameOf(page), FRAMES - 1);
  await page.keyboard.press('ArrowLeft');
  await drawn(page);
  assert.equal(await frameOf(page), FRAMES - 2);
  await page.fill('#scrub', '7');
  await drawn(page);
  assert.equal(await frameOf(page), 7);
  assert.match(await page.textContent('#clock'), /0\.140 \/ 0\.500 s/);
  await page.keyboard.press('End');
  await page.keyboard.press('Space');
  await page.waitForFunction(() => Number(document.documentElement.dataset.frame) < 20);
  await pause(page);
  await page.keyboard.press('l');
  assert.equal(await page.getAttribute('#loop', 'aria-pressed'), 'false');
  await page.keyboard.press('l');
});

test('speed changes by key and by choice', async () => {
  const { page } = view;
  const speed = await page.inputValue('#speed');
  await page.keyboard.press('ArrowUp');
  assert.ok(Number(await page.inputValue('#speed')) > Number(speed));
  await page.selectOption('#speed', speed);
  assert.equal(await page.evaluate(() => window.viewer.player.speed), Number(speed));
});

test('colours change with what they stand for, in units', async () => {
  const { page } = view;
  await goTo(page, TOUCHING);
  const seen = [];
  const expected = { material: '', body: '', speed: 'm/s', contact: 'N', friction: 'N', state: '',
                     findings: '', slip_speed: 'm/s', held: 'm', von_mises: 'Pa' };
  for (const [key, unit] of Object.entries(expected)) {
    await page.selectOption('#colour', key);
    if (unit) assert.ok((await page.textContent('#range-unit')).endsWith(unit), key);
    else assert.equal(await page.isVisible('#range-row'), false, key);
    const now = await pixels(page);
    for (const [other, before] of seen)
      if (!(key === 'body' && other === 'material'))
        assert.ok(difference(now, before) > 15, `${key} looks like ${other}`);
    seen.push([key, now]);
    await picture(page, `colour-${key}`);
  }
});

test('the end of a scale can be chosen', async () => {
  const { page } = view;
  await goTo(page, TOUCHING);
  await page.selectOption('#colour', 'von_mises');
  const before = await pixels(page);
  const automatic = await page.inputValue('#range');
  await page.fill('#range', String(Number(automatic) / 4));
  await page.press('#range', 'Enter');
  assert.ok(difference(await pixels(page), before) > 15);
  await page.click('#range-auto');
  assert.equal(await page.inputValue('#range'), automatic);
});

test('lines, arrows and obstacles come and go', async () => {
  const { page } = view;
  await goTo(page, TOUCHING);
  await page.selectOption('#colour', 'material');
  const plain = await pixels(page);
  for (const key of ['w', 'a', 'r']) {
    await page.keyboard.press(key);
    assert.ok(difference(await pixels(page), plain) > 5, `key ${key}`);
    await page.keyboard.press(key);
  }
  assert.ok(difference(await pixels(page), plain) < 5);
  await page.selectOption('#obstacles', 'hidden');
  assert.ok(difference(await pixels(page), plain) > 200);
  await page.selectOption('#obstacles', 'see-through');
  assert.ok(difference(await pixels(page), plain) > 30);
  await page.selectOption('#obstacles', 'solid');
});

test('obstacles move', async () => {
  const { page } = view;
  const place = () => page.evaluate(() => {
    const { items } = window.viewer.obstacles;
    return items.find((item) => item.obstacle.name === 'pusher').object.matrix.elements[12];
  });
  await goTo(page, 0);
  assert.ok(Math.abs((await place()) + 0.2) < 1e-6);
  await goTo(page, FRAMES - 1);
  assert.ok(Math.abs((await place()) + 0.02) < 1e-6);
});

test('plots keep step with the time line', async () => {
  const { page } = view;
  const titles = await page.$$eval('.plot', (all) => all.map((e) => e.getAttribute('aria-label')));
  // Findings: contact keeps vertices apart, and the block's triangles reach into the pusher.
  assert.deepEqual(titles, ['Energy', 'Newton iterations', 'Smallest gap', 'Findings']);
  await goTo(page, 0);
  const cursor = () => page.$eval('.cursor', (e) => e.getBoundingClientRect().x);
  const start = await cursor();
  await goTo(page, FRAMES - 1);
  const box = await page.locator('.plot').first().boundingBox();
  assert.ok((await cursor()) - start > 0.6 * box.width);
  await page.mouse.click(box.x + 44 + (box.width - 52) / 2, box.y + box.height / 2);
  await drawn(page);
  assert.ok(Math.abs((await frameOf(page)) - FRAMES / 2) <= 1);
});

test('the camera turns, and sees everything again', async () => {
  const { page } = view;
  await goTo(page, TOUCHING);
  await page.keyboard.press('f');
  const before = await pixels(page);
  await page.mouse.move(330, 250);
  await page.mouse.down();
  await page.mouse.move(440, 290, { steps: 4 });
  await page.mouse.up();
  assert.ok(difference(await pixels(page), before) > 300);
  await page.keyboard.press('f');
  assert.ok(difference(await pixels(page), before) < 30);
});

test('light and dark', async () => {
  const { page } = view;
  const brightness = async () => (await pixels(page)).slice(0, 3).reduce((a, b) => a + b);
  assert.ok((await brightness()) > 600);
  await page.click('#theme');
  assert.ok((await brightness()) < 200);
  await picture(page, 'dark');
  await page.click('#theme');
});

test('help lists the keys', async () => {
  const { page } = view;
  await page.keyboard.press('?');
  assert.ok(await page.isVisible('#help'));
  assert.match(await page.textContent('#help'), /play or pause/);
  await picture(page, 'help');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.getElementById('help').open);
});

test('a picture can be saved', async () => {
  const { page } = view;
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#picture')]);
  assert.equal(download.suggestedFilename(), `run-${await frameOf(page)}.png`);
  await download.saveAs('saved.png');
  assert.ok(statSync('saved.png').size > 10000);
});

test('fits a phone', async () => {
  const { page, problems } = await openViewer(browser, file('run/view.html'),
                                              { width: 375, height: 720 });
  await goTo(page, TOUCHING);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 375);
  assert.equal(await page.isVisible('#panel'), false);
  for (const id of ['play', 'scrub', 'clock', 'speed', 'loop', 'menu', 'help-button']) {
    const box = await page.locator(`#${id}`).boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= 375 && box.y + box.height <= 720, id);
  }
  await page.click('#menu');
  assert.ok(await page.isVisible('#panel'));
  await page.click('#menu');
  await picture(page, 'phone');
  assert.deepEqual(problems, []);
  await page.close();
});

test('asks nobody for anything and complains of nothing', async () => {
  const { page, problems, requests } = view;
  assert.deepEqual(problems, []);
  assert.deepEqual(requests.filter((url) => !/^(file|data|blob):/.test(url)), []);
  const { updates } = await page.evaluate(() => window.viewer.timing);
  assert.ok(updates.length > 0);
});

test('a run under way is followed', async () => {
  const { page, problems, requests } = await openViewer(browser, process.env.ADDRESS);
  assert.equal(await page.textContent('#state'), 'running');
  assert.match(await page.textContent('#facts'), / 6 frames/);
  await drawn(page);
  assert.equal(await frameOf(page), 5);
  execFileSync('sh', ['finish.sh']);
  await page.waitForFunction((last) => window.viewer.shown === last, FRAMES - 1);
  await page.waitForFunction(() => document.getElementById('state').textContent === 'finished');
  assert.ok(colourCount(await pixels(page)) > 200);
  await page.selectOption('#colour', 'speed');
  await goTo(page, 3);
  await picture(page, 'live');
  assert.deepEqual(problems, []);
  const ours = (url) => url.startsWith(process.env.ADDRESS) || url.startsWith('data:');
  assert.ok(requests.every(ours));
  await page.close();
});

test('pictures of the docs', { skip: !process.env.PICTURES }, async () => {
  const save = async (name, folder, size, frame, act) => {
    const { page } = await openViewer(browser, file(`${folder}/view.html`), size);
    await goTo(page, frame);
    await act(page);
    await drawn(page);
    await page.screenshot({ path: `${process.env.PICTURES}/${name}.png` });
    await page.close();
  };
  const wide = { width: 1120, height: 700 };
  await save('viewer-swing', 'swing', wide, 62, async (page) => {
    await page.selectOption('#colour', 'von_mises');
  });
  await save('viewer-cloth', 'cloth', wide, 90, async (page) => {
    await page.selectOption('#colour', 'state');
    await page.keyboard.press('t');
  });
  await save('viewer-phone', 'cloth', { width: 390, height: 720 }, 22, async (page) => {
    await page.click('#menu');
    await page.selectOption('#colour', 'speed');
    await page.click('#menu');
  });
});
