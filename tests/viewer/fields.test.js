// Fields of a run in headless Chromium: a beam that sags, held at one end until 0.15 s, with a ball
// before it. Run by fields.sh, in a folder with beam/view.html and, at ADDRESS, a server of that run.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { canvasPixels, difference, drawn, file, goTo, openViewer, picture, pixels, placeOf,
         setUnlit, startBrowser } from './browser.js';

const source = (name) => import(pathToFileURL(`${process.env.STICTION_SOURCE}/viewer/src/${name}`));
const { MAPS, mapTable } = await source('colours.js');

const SAGGING = 5; // a frame in which the beam is still held
const LAST = 10;
const SIZE = { width: 720, height: 540 };

let browser;
let view;
before(async () => {
  browser = await startBrowser();
  view = await openViewer(browser, file('beam/view.html'), SIZE);
  await goTo(view.page, SAGGING);
});
beforeEach(async () => {
  await view.page.evaluate(() => {
    const { viewer } = window;
    viewer.shading.settings.clear();
    viewer.shading.chosen.clear();
    viewer.setDeformation(1);
    viewer.setObstacleStyle('hidden');
    viewer.fit();
  });
  await goTo(view.page, SAGGING);
});
after(async () => browser.close());

const near = (a, b, tolerance) => assert.ok(Math.abs(a - b) <= tolerance, `${a} is not ${b}`);

// A vertex in the middle of the front, half-way between the middle and the free end; the camera is
// brought before it, so that colours hardly change over some pixels.
const lookAtFront = (page) => page.evaluate(() => {
  const { bodies, stage } = window.viewer;
  const { rest, numbers } = bodies.surface;
  const at = [0.1, -0.04, 0.5];
  const v = [...numbers.keys()].find((one) =>
    at.every((x, i) => Math.abs(rest[3 * one + i] - x) < 1e-4));
  const place = bodies.place(v, [0, 0, 0]);
  stage.setView([place[0], place[1] - 0.1, place[2], ...place]);
  return v;
});

// The colour on the screen at a vertex, without light.
async function colourAt(page, vertex) {
  await setUnlit(page, true);
  const { width, height, data } = await canvasPixels(page);
  const place = await placeOf(page, vertex);
  const size = page.viewportSize();
  const [x, y] = [Math.round(place.x * width / size.width), Math.round(place.y * height / size.height)];
  await setUnlit(page, false);
  return data.slice(4 * (y * width + x), 4 * (y * width + x) + 3);
}

async function expectColour(page, map, shareOf) {
  const vertex = await lookAtFront(page);
  const [value, ends] = await page.evaluate((v) => [window.viewer.bodies.value.array[v],
    window.viewer.bodies.uniforms.ends.value], vertex);
  const share = shareOf(value, ...ends);
  assert.ok(share > 0.02 && share < 0.98, `${value} is at an end of ${ends}`);
  const entry = Math.floor(255 * share);
  const expected = mapTable(MAPS[map]).slice(4 * entry, 4 * entry + 3);
  const seen = await colourAt(page, vertex);
  seen.forEach((part, i) => near(part, expected[i], 6));
}

const linear = (value, low, high) => (value - low) / (high - low);
const logarithmic = (value, low, high) => Math.log(value / low) / Math.log(high / low);

test('a vertex has the colour of its value, on every scale and map', async () => {
  const { page } = view;
  await page.selectOption('#colour', 'displacement');
  await expectColour(page, 'viridis', linear);
  await page.check('#logarithmic');
  await expectColour(page, 'viridis', logarithmic);
  await page.selectOption('#map', 'inferno');
  await expectColour(page, 'inferno', logarithmic);
  await page.selectOption('#colour', 'stress');
  await page.selectOption('#component', 'xx');
  await expectColour(page, 'blue to red', linear);
  await page.selectOption('#colour', 'speed');
  await page.selectOption('#component', 'z');
  await expectColour(page, 'blue to red', linear);
});

// The values of the frame on the screen, and the ends of its scale.
const state = (page) => page.evaluate(() => {
  const { bodies } = window.viewer;
  return { values: [...bodies.value.array], ends: bodies.uniforms.ends.value };
});

test('components are those of the vector and of the tensor', async () => {
  const { page } = view;
  const valuesOf = async (colour, component) => {
    await page.selectOption('#colour', colour);
    await page.selectOption('#component', component);
    await drawn(page);
    return (await state(page)).values;
  };
  for (const [colour, tolerance] of [['displacement', 1e-6], ['speed', 0.02]]) {
    const size = await valuesOf(colour, 'size');
    const [x, y, z] = [await valuesOf(colour, 'x'), await valuesOf(colour, 'y'),
                       await valuesOf(colour, 'z')];
    const most = Math.max(...size);
    assert.ok(most > 0);
    size.forEach((value, v) => near(Math.hypot(x[v], y[v], z[v]), value, tolerance * most));
    assert.ok(Math.min(...z) < -0.9 * most, 'it sags'); // gravity is along -z
  }
  // Three of its numbers have the same sum as another three: 8 bits, the root of the share stored.
  const parts = {};
  for (const name of ['1', '2', '3', 'xx', 'yy', 'zz', 'von_mises'])
    parts[name] = await valuesOf('stress', name);
  const most = Math.max(...Object.values(parts).flat().map(Math.abs));
  parts.xx.forEach((_, v) => {
    const [first, second, third] = ['1', '2', '3'].map((name) => parts[name][v]);
    near(first + second + third, parts.xx[v] + parts.yy[v] + parts.zz[v], 0.05 * most);
    assert.ok(first >= second - 0.02 * most && second >= third - 0.02 * most);
    const mises = Math.sqrt(((first - second) ** 2 + (second - third) ** 2 + (third - first) ** 2) / 2);
    near(parts.von_mises[v], mises, 0.05 * most);
  });
});

test('ends are those of the run, of each frame, or typed', async () => {
  const { page } = view;
  await page.selectOption('#colour', 'displacement');
  await goTo(page, LAST);
  const run = await state(page);
  near(run.ends[1], Math.max(...run.values), 1e-4 * run.ends[1]); // it falls until the end
  await goTo(page, 2);
  assert.deepEqual((await state(page)).ends, run.ends);
  await page.selectOption('#mode', 'frame');
  const frame = await state(page);
  assert.deepEqual(frame.ends, [Math.min(...frame.values), Math.max(...frame.values)]);
  await goTo(page, SAGGING);
  assert.ok((await state(page)).ends[1] > 2 * frame.ends[1]);
  assert.match(await page.textContent('#range-unit'), /m$/);
  const unit = (await page.textContent('#range-unit')) === 'mm' ? 1e-3 : 1;
  await page.fill('#range-low', '1');
  await page.press('#range-low', 'Enter');
  await page.fill('#range', '20');
  await page.press('#range', 'Enter');
  assert.equal(await page.inputValue('#mode'), 'fixed');
  (await state(page)).ends.forEach((end, i) => near(end, [1, 20][i] * unit, 1e-9));
  await page.fill('#range', '0.5'); // less than the other end: refused
  await page.press('#range', 'Enter');
  assert.equal(await page.inputValue('#range'), '20');
  await page.fill('#range', 'nonsense');
  await page.press('#range', 'Enter');
  assert.equal(await page.inputValue('#range'), '20');
});

test('a deformation of 10 moves vertices by ten times as much', async () => {
  const { page } = view;
  const places = () => page.evaluate(() => {
    const { bodies } = window.viewer;
    const { rest } = bodies.surface;
    return [...bodies.position.array].map((x, i) => x - rest[i]);
  });
  const before = await places();
  const plain = await pixels(page);
  await page.fill('#deform', '10');
  await page.press('#deform', 'Enter');
  const ten = await places();
  assert.ok(Math.max(...before.map(Math.abs)) > 0.01);
  before.forEach((moved, i) => near(ten[i], 10 * moved, 2e-6));
  assert.ok(difference(await pixels(page), plain) > 100);
  await picture(page, 'deformed');
  // Values stay those of the run.
  await page.selectOption('#colour', 'displacement');
  await drawn(page);
  const { values } = await state(page);
  near(values[3], Math.hypot(...before.slice(9, 12)), 1e-6);
  await page.keyboard.press('d');
  assert.equal(await page.inputValue('#deform'), '20');
  await page.keyboard.press('Shift+D');
  await page.keyboard.press('Shift+D');
  assert.equal(await page.inputValue('#deform'), '5');
  await page.fill('#deform', '0');
  await page.press('#deform', 'Enter');
  (await places()).forEach((moved) => near(moved, 0, 1e-9));
  await page.fill('#deform', '-3');
  await page.press('#deform', 'Enter');
  assert.equal(await page.inputValue('#deform'), '0');
  await page.click('#deform-auto');
  const factor = Number(await page.inputValue('#deform'));
  const { farthest, radius } = await page.evaluate(() => ({
    farthest: window.viewer.frames.moved.farthest, radius: window.viewer.stage.radius }));
  assert.ok(factor === 1 || factor * farthest < 0.2 * radius);
});

test('the undeformed shape shows where the beam was', async () => {
  const { page } = view;
  const plain = await pixels(page);
  await page.keyboard.press('u');
  assert.ok(difference(await pixels(page), plain) > 30);
  await picture(page, 'ghost');
  // A hidden body has none.
  await page.evaluate(() => window.viewer.setLook(0, 'hidden'));
  const hidden = await pixels(page);
  await page.keyboard.press('u');
  assert.ok(difference(await pixels(page), hidden) < 5);
  await page.evaluate(() => window.viewer.setLook(0, 'shown'));
  assert.ok(difference(await pixels(page), plain) < 5);
});

test('held vertices are marked until they are released', async () => {
  const { page } = view;
  const plain = await pixels(page);
  await page.keyboard.press('q');
  assert.ok(difference(await pixels(page), plain) > 5);
  const list = () => page.evaluate(() => {
    const { bodies, marks } = window.viewer;
    return marks.held.list.map((v) => bodies.surface.rest[3 * v]);
  });
  const held = await list();
  assert.equal(held.length, 9); // 3 × 3 vertices of the end
  held.forEach((x) => near(x, -0.2, 1e-6));
  await picture(page, 'held');
  const vertex = await page.evaluate(() => window.viewer.marks.held.list[0]);
  await page.evaluate((v) => window.viewer.pick({ vertex: v, triangle: -1 }), vertex);
  assert.match(await page.textContent('#inspector p'), /held by wall/);
  await page.keyboard.press('Escape');
  await goTo(page, LAST);
  assert.deepEqual(await list(), []);
  await page.keyboard.press('q');
});

test('a cut removes what lies before it, of obstacles too', async () => {
  const { page } = view;
  await page.selectOption('#obstacles', 'solid');
  const whole = await pixels(page);
  const showBall = (visible) => page.evaluate((seen) => {
    window.viewer.obstacles.items[0].object.visible = seen;
    window.viewer.stage.refresh();
  }, visible);
  await showBall(false);
  const without = await pixels(page);
  await showBall(true);
  assert.ok(difference(whole, without) > 100);
  // A plane across y between the ball, which reaches to -19 cm, and the beam.
  const cutAt = (y) => page.evaluate((place) => window.viewer.changeClip((clip) => {
    const { stage } = window.viewer;
    clip.choose('y', stage.camera);
    clip.flipped = false;
    clip.share = 0.5 + clip.normal.y * (place - stage.centre.y) / (2 * 1.01 * stage.half.y);
  }), y);
  await cutAt(-0.15);
  assert.ok(difference(await pixels(page), without) < 5, 'the ball is before the plane');
  await cutAt(-0.25);
  const half = await pixels(page);
  assert.ok(difference(half, without) > 60 && difference(half, whole) > 20);
  await picture(page, 'cut-obstacle');
  await cutAt(0.1);
  const none = await pixels(page);
  await page.evaluate(() => window.viewer.setLook(0, 'hidden'));
  assert.ok(difference(await pixels(page), none) < 5, 'the beam is before the plane');
  await page.evaluate(() => window.viewer.setLook(0, 'shown'));
  await page.selectOption('#clip', 'off');
});

test('keys choose components', async () => {
  const { page } = view;
  await page.selectOption('#colour', 'speed');
  const chosen = () => page.inputValue('#component');
  assert.equal(await chosen(), 'size');
  await page.locator('#colour').blur();
  await page.keyboard.press('.');
  assert.equal(await chosen(), 'x');
  await page.keyboard.press(',');
  await page.keyboard.press(',');
  assert.equal(await chosen(), 'z');
});

test('a reload keeps fields, scales and shapes', async () => {
  const { page } = view;
  await page.selectOption('#colour', 'stress');
  await page.selectOption('#component', '3');
  await page.selectOption('#map', 'cividis');
  await page.fill('#range-low', '-2');
  await page.press('#range-low', 'Enter');
  await page.keyboard.press('d');
  await page.keyboard.press('u');
  await page.keyboard.press('q');
  await page.waitForFunction(() => /held=1/.test(location.hash));
  const other = await openViewer(browser, await page.evaluate(() => location.href));
  await drawn(other.page);
  await drawn(page);
  const told = (p) => p.evaluate(() => {
    const { viewer } = window;
    return { label: viewer.shading.label(), scale: viewer.scale, deformation: viewer.deformation,
             ghost: viewer.sides[0].ghost.group.visible, held: viewer.marks.held.list.length };
  });
  const [mine, theirs] = [await told(page), await told(other.page)];
  for (const end of ['low', 'high']) {
    near(theirs.scale[end], mine.scale[end], 1e-4 * Math.abs(mine.scale[end]));
    theirs.scale[end] = mine.scale[end];
  }
  assert.deepEqual(theirs, mine);
  assert.equal(mine.label, 'Stress, principal 3');
  assert.deepEqual(other.problems, []);
  await other.page.close();
  await page.keyboard.press('u');
  await page.keyboard.press('q');
});

// A page leaves strain out unless --fields says otherwise; a server has it.
test('strain is served, and is a pure number', async () => {
  const { page, problems } = await openViewer(browser, process.env.ADDRESS);
  await page.selectOption('#colour', 'strain');
  await goTo(page, SAGGING);
  assert.equal(await page.inputValue('#component'), '1');
  assert.equal(await page.textContent('#range-unit'), '');
  const { values } = await state(page);
  assert.ok(Math.max(...values) > 0.005 && Math.max(...values) < 0.5);
  assert.deepEqual(problems, []);
  await page.close();
  const offered = await view.page.$$eval('#colour option', (all) => all.map(({ value }) => value));
  assert.ok(offered.includes('energy') && !offered.includes('strain'));
});

test('only what is shown is unpacked', async () => {
  const { page, problems, requests } = await openViewer(browser, process.env.ADDRESS);
  await drawn(page);
  await page.selectOption('#colour', 'stress');
  await goTo(page, 3);
  const groups = () => new Set(requests.map((url) => /frame\/\d+\/(\w+)/.exec(url)?.[1])
    .filter(Boolean));
  assert.deepEqual([...groups()].sort(), ['position', 'stress']);
  await page.evaluate(() => window.viewer.pick({ vertex: 0, triangle: -1 }));
  await page.waitForFunction(() => window.viewer.inspector.trace.column('speed')
    .every(Number.isFinite));
  assert.ok(groups().has('speed'));
  assert.deepEqual(problems, []);
  await page.close();
});

test('fits a phone', async () => {
  const { page, problems } = await openViewer(browser, file('beam/view.html'),
                                              { width: 375, height: 720 });
  await page.click('#menu');
  await page.selectOption('#colour', 'stress');
  await goTo(page, SAGGING);
  const panel = await page.locator('#panel').boundingBox();
  for (const id of ['component', 'map', 'mode', 'range-low', 'range', 'range-unit', 'logarithmic',
                    'deform', 'deform-auto']) {
    const box = await page.locator(`#${id}`).boundingBox();
    assert.ok(box.x >= panel.x && box.x + box.width <= panel.x + panel.width, id);
  }
  await picture(page, 'phone-fields');
  await page.click('#menu');
  await picture(page, 'phone-legend');
  assert.deepEqual(problems, []);
  await page.close();
});

test('complains of nothing', () => {
  assert.deepEqual(view.problems, []);
});
