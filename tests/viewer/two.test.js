// Two runs on one page, run/view-other.html, and served at PAIR.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { FRAMES, TOUCHING, drawn, file, goTo, openViewer, picture, startBrowser } from './browser.js';

let browser;
before(async () => {
  browser = await startBrowser();
});
after(async () => browser.close());

// The second run is the same scene with a stiffer and faster block, and half as many frames.
test('two runs side by side keep step', async () => {
  const { page, problems } = await openViewer(browser, file('run/view-other.html'));
  assert.deepEqual(await page.$$eval('.head h1', (all) => all.map((e) => e.textContent)),
                   ['run', 'other']);
  assert.equal(await page.evaluate(() => window.viewer.player.times.length), FRAMES);
  const state = () => page.evaluate(() => window.viewer.sides.map((side) => ({
    frame: side.frames.frames && side.frameAt(window.viewer.player.time),
    camera: side.stage.view().map((x) => Number(x.toFixed(9))),
    aspect: side.stage.camera.aspect,
    ends: [...side.bodies.uniforms.ends.value],
    box: side.canvas.getBoundingClientRect().toJSON(),
    shown: side.bodies.frame === side.frames.get(side.frameAt(window.viewer.player.time)),
  })));
  await goTo(page, 11);
  let [left, right] = await state();
  assert.equal(left.frame, 11);
  assert.equal(right.frame, 5); // 25 frames a second beside 50: the one at or before this moment
  assert.ok(left.shown && right.shown);
  assert.deepEqual(left.camera, right.camera);
  assert.ok(Math.abs(left.aspect - right.aspect) < 0.01, 'one sees more than the other');
  assert.ok(left.box.right <= right.box.left + 0.5, 'pictures overlap');
  // Turned in the right picture, both turn.
  const before = left.camera;
  await page.mouse.move(right.box.x + 100, 300);
  await page.mouse.down();
  await page.mouse.move(right.box.x + 180, 330, { steps: 3 });
  await page.mouse.up();
  [left, right] = await state();
  assert.notDeepEqual(left.camera, before);
  assert.deepEqual(left.camera, right.camera);
  // One scale for both: it reaches as far as the larger of the two needs.
  await page.selectOption('#colour', 'stress');
  await drawn(page);
  [left, right] = await state();
  assert.deepEqual(left.ends, right.ends);
  const needs = await page.evaluate(() =>
    window.viewer.sides.map((side) => side.frames.rangeOf('stress', 0).high));
  assert.equal(left.ends[1], Math.max(...needs));
  await page.keyboard.press('f');
  await goTo(page, TOUCHING);
  await picture(page, 'two');
  // A vertex of the right one is read there, and the address remembers which.
  await page.evaluate(() =>
    window.viewer.pick({ side: window.viewer.sides[1], vertex: 2, triangle: -1 }));
  await page.waitForSelector('#inspector:not([hidden]) .value');
  assert.match(await page.textContent('#inspector p'), /^other/);
  await page.waitForFunction(() => /pick=2/.test(location.hash));
  const again = await openViewer(browser, await page.evaluate(() => location.href));
  assert.equal(await again.page.evaluate(() => window.viewer.picked.side.number), 1);
  await again.page.close();
  await page.keyboard.press('Escape');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#picture')]);
  assert.equal(download.suggestedFilename(), `run-other-${TOUCHING}.png`);
  assert.deepEqual(problems, []);
  await page.close();
});

test('two runs on a phone are one above the other', async () => {
  const { page } = await openViewer(browser, file('run/view-other.html'),
                                    { width: 375, height: 720 });
  await goTo(page, TOUCHING);
  const [upper, lower] = await page.$$eval('.view', (all) =>
    all.map((e) => e.getBoundingClientRect().toJSON()));
  assert.ok(upper.bottom <= lower.top + 0.5 && upper.width === 375 && lower.width === 375);
  const heads = await page.$$eval('.head', (all) =>
    all.map((e) => e.getBoundingClientRect().toJSON()));
  assert.ok(heads[0].bottom < lower.top && heads[1].top >= lower.top);
  await picture(page, 'two-phone');
  await page.close();
});

test('two runs are served', async () => {
  const { page, problems } = await openViewer(browser, process.env.PAIR);
  assert.deepEqual(await page.$$eval('.head h1', (all) => all.map((e) => e.textContent)),
                   ['run', 'other']);
  await goTo(page, FRAMES - 1);
  const frames = await page.evaluate(() =>
    window.viewer.sides.map((side) => side.frameAt(window.viewer.player.time)));
  assert.deepEqual(frames, [FRAMES - 1, 13]);
  assert.deepEqual(problems, []);
  await page.close();
});
