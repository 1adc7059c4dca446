// The page of a run in headless Chromium. Run by viewer.sh, in a folder with run/view.html and, at
// ADDRESS, a server of a run that is half done until finish.sh is run.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { FRAMES, TOUCHING, canvasPixels, colourCount, difference, drawn, file, frameOf, goTo, openViewer, pause,
         picture, pixels, placeOf, setUnlit, startBrowser } from './browser.js';

const BLOCK_SECTION = 0.2 * 0.14; // m², across x

let browser;
let view;
before(async () => {
  browser = await startBrowser();
  view = await openViewer(browser, file('run/view.html'));
});
after(async () => browser.close());

test('loads, tells what it shows and is not blank', async () => {
  const { page } = view;
  assert.equal(await page.textContent('#title'), 'A block is <b>pushed</b> along');
  assert.equal(await page.textContent('#state'), 'finished');
  assert.match(await page.textContent('#facts'), /26 frames/);
  await goTo(page, 0);
  assert.ok(colourCount(await pixels(page)) > 200);
  await picture(page, 'light');
});

// What a browser would show of a new size: observers are called in the order they were made, so
// this one sees what the page has left.
test('is not blank right after a change of size', async () => {
  const { page } = await openViewer(browser, file('run/view.html'));
  await goTo(page, 0);
  const colours = page.evaluate(() => new Promise((resolve) => {
    const { width } = document.body.getBoundingClientRect();
    const look = () => {
      if (document.body.getBoundingClientRect().width === width) return;
      const small = document.createElement('canvas');
      const context = small.getContext('2d');
      context.drawImage(window.viewer.page.views[0], 0, 0, small.width, small.height);
      const { data } = context.getImageData(0, 0, small.width, small.height);
      resolve(new Set(new Uint32Array(data.buffer)).size);
    };
    new ResizeObserver(look).observe(document.body);
  }));
  await page.setViewportSize({ width: 700, height: 500 });
  assert.ok(await colours > 100);
  await page.close();
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
  const expected = { material: '', body: '', displacement: 'm', speed: 'm/s', contact: 'N',
                     friction: 'N', state: '', findings: '', slip_speed: 'm/s', held: 'm',
                     pressure: 'Pa', shear: 'Pa', stress: 'Pa', energy: 'J/m³' };
  const alike = ['body material', 'pressure contact', 'shear friction'];
  for (const [key, unit] of Object.entries(expected)) {
    await page.selectOption('#colour', key);
    const now = await pixels(page);
    if (unit) assert.ok((await page.textContent('#range-unit')).endsWith(unit), key);
    else assert.equal(await page.isVisible('#range-row'), false, key);
    for (const [other, before] of seen)
      if (!alike.includes(`${key} ${other}`))
        assert.ok(difference(now, before) > 15, `${key} looks like ${other}`);
    seen.push([key, now]);
    await picture(page, `colour-${key}`);
  }
});

test('the end of a scale can be chosen', async () => {
  const { page } = view;
  await goTo(page, TOUCHING);
  await page.selectOption('#colour', 'stress');
  const before = await pixels(page);
  const automatic = await page.inputValue('#range');
  await page.fill('#range', String(Number(automatic) / 4));
  await page.press('#range', 'Enter');
  assert.ok(difference(await pixels(page), before) > 15);
  assert.equal(await page.inputValue('#mode'), 'fixed');
  await page.selectOption('#mode', 'run');
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

// The corner of the block, which is then alone, that is nearest to the camera: nothing can hide it.
const nearestCorner = (page) => page.evaluate(() => {
  const { bodies, stage } = window.viewer;
  window.viewer.setLooks(['shown', 'hidden']);
  const away = (v) => stage.camera.position.clone().set(...bodies.place(v, [0, 0, 0]))
    .distanceTo(stage.camera.position);
  return [...bodies.surface.bodyOf.keys()].filter((v) => bodies.surface.bodyOf[v] === 0)
    .reduce((best, v) => (away(v) < away(best) ? v : best));
});
const showAll = (page) => page.evaluate(() => window.viewer.setLooks(['shown', 'shown']));

const shownValue = (page, key) =>
  page.textContent(`#inspector .value[data-key="${key}"] span:last-child`);

test('a click reads all values of a vertex, and plots one over time', async () => {
  const { page } = view;
  await goTo(page, TOUCHING);
  await page.keyboard.press('f');
  const vertex = await nearestCorner(page);
  const place = await placeOf(page, vertex);
  await page.mouse.click(place.x - 3, place.y + 4);
  await page.waitForSelector('#inspector:not([hidden]) .value');
  const picked = await page.evaluate(() => window.viewer.picked);
  const same = await page.evaluate(([a, b]) => {
    const { numbers } = window.viewer.bodies.surface;
    return numbers[a] === numbers[b]; // an edge of the box has a vertex for each side
  }, [vertex, picked.vertex]);
  assert.ok(same, `picked ${picked.vertex} instead of ${vertex}`);
  assert.match(await page.textContent('#inspector h2'), /^block, vertex \d+$/);
  assert.match(await page.textContent('#inspector p'), /face of tet \d+/);
  const [x] = await page.evaluate((v) => window.viewer.bodies.place(v, [0, 0, 0]), vertex);
  assert.ok(Math.abs(parseFloat(await shownValue(page, 'position_x')) / 1000 - x) < 1e-3);
  assert.match(await shownValue(page, 'speed'), /m\/s$/);
  assert.match(await shownValue(page, 'stress'), /Pa$/);
  assert.match(await shownValue(page, 'state'), /^(free|sticking|sliding)$/);
  await page.click('#inspector .value[data-key="displacement_x"]');
  await page.waitForFunction(() => window.viewer.inspector.trace.column('displacement_x')
    .every(Number.isFinite));
  const curve = await page.evaluate(() =>
    [...window.viewer.inspector.trace.column('displacement_x')]);
  assert.equal(curve.length, FRAMES);
  assert.ok(Math.abs(curve[0]) < 1e-5);
  assert.ok(curve[FRAMES - 1] > 0.1 && curve[FRAMES - 1] < 0.2); // pushed 18 cm, from 1 cm away
  assert.equal(await page.locator('#inspector .plot').getAttribute('aria-label'), 'Displacement x');
  await picture(page, 'picked');
  await page.keyboard.press('Escape');
  assert.equal(await page.isVisible('#inspector'), false);
  await showAll(page);
});

test('contacts show through bodies and can be picked there', async () => {
  const { page } = view;
  await goTo(page, TOUCHING);
  const plain = await pixels(page);
  await page.check('#contacts');
  assert.ok(difference(await pixels(page), plain) > 30);
  await picture(page, 'contacts');
  const vertex = await page.evaluate(() => {
    const { marks, bodies } = window.viewer; // below the block
    return marks.contacts.list.find((v) => bodies.surface.bodyOf[v] === 0);
  });
  const place = await placeOf(page, vertex);
  await page.mouse.click(place.x, place.y);
  await page.waitForSelector('#inspector:not([hidden]) .value');
  assert.match(await shownValue(page, 'state'), /^(sticking|sliding)$/);
  assert.match(await shownValue(page, 'gap'), /m$/);
  await page.keyboard.press('Escape');
  await page.uncheck('#contacts');
});

test('stick and slip are not blended', async () => {
  const { page } = view;
  await goTo(page, TOUCHING);
  await page.selectOption('#colour', 'state');
  // Unlit, each point of a body has the colour of one of the three.
  await page.evaluate(() => window.viewer.setObstacleStyle('hidden'));
  await setUnlit(page, true);
  const { data } = await canvasPixels(page);
  const seen = new Map();
  for (let i = 0; i < data.length; i += 4) {
    const key = [data[i], data[i + 1], data[i + 2]].join();
    seen.set(key, (seen.get(key) || 0) + 1);
  }
  const hues = [...seen].sort((a, b) => b[1] - a[1]).slice(0, 4).map(([key]) => key);
  await setUnlit(page, false);
  await page.evaluate(() => window.viewer.setObstacleStyle('solid'));
  const near = (a, hex) => [1, 3, 5].every((at, i) =>
    Math.abs(parseInt(hex.slice(at, at + 2), 16) - Number(a.split(',')[i])) < 3);
  for (const hex of ['#ced2d9', '#1f9e89', '#ef6c3b'])
    assert.ok(hues.some((hue) => near(hue, hex)), `${hex} is not among ${hues.join(' ')}`);
  await page.selectOption('#colour', 'material');
});

test('bodies are hidden, faded, shown alone and followed', async () => {
  const { page } = view;
  await goTo(page, TOUCHING);
  await page.keyboard.press('f');
  const whole = await pixels(page);
  await page.click('#bodies summary');
  const row = page.locator('#body-list div').nth(0);
  await row.locator('select').selectOption('hidden');
  const without = await pixels(page);
  assert.ok(difference(without, whole) > 100);
  await row.locator('select').selectOption('faded');
  const faded = await pixels(page);
  assert.ok(difference(faded, whole) > 100 && difference(faded, without) > 50);
  await picture(page, 'faded');
  await row.getByText('only').click();
  assert.deepEqual(await page.evaluate(() => window.viewer.bodies.looks), ['shown', 'hidden']);
  await row.getByText('only').click();
  assert.deepEqual(await page.evaluate(() => window.viewer.bodies.looks), ['shown', 'shown']);
  await goTo(page, 0);
  await row.getByText('follow').click();
  const offset = () => page.evaluate(() => {
    const { stage, bodies } = window.viewer;
    const centre = bodies.centre(0, [0, 0, 0]);
    return stage.controls.target.toArray().map((x, i) => x - centre[i]);
  });
  const before = await offset();
  await goTo(page, FRAMES - 1);
  (await offset()).forEach((x, i) => assert.ok(Math.abs(x - before[i]) < 1e-6));
  await row.getByText('follow').click();
  await page.click('#bodies summary');
});

test('bodies are cut open, and what a cut lays open is filled', async () => {
  const { page } = view;
  await goTo(page, TOUCHING);
  await page.keyboard.press('f');
  await page.evaluate(() => window.viewer.setObstacleStyle('hidden')); // fields.test.js cuts them
  const whole = await pixels(page);
  await page.selectOption('#clip', 'x');
  const half = await pixels(page);
  assert.ok(difference(half, whole) > 60);
  await page.fill('#clip-share', '0');
  assert.ok(difference(await pixels(page), whole) < 5);
  await page.fill('#clip-share', '0.5');
  await page.click('#clip-flip');
  assert.ok(difference(await pixels(page), half) > 60);
  await page.click('#clip-flip');
  // The section through the middle of the block is that of its box, which pushing hardly changes.
  await page.selectOption('#colour', 'stress');
  await page.evaluate(() => window.viewer.setLooks(['shown', 'hidden']));
  const middle = await page.evaluate(() => {
    const { bodies, clip, stage } = window.viewer;
    const centre = bodies.centre(0, [0, 0, 0]);
    return 0.5 + clip.normal.x * (centre[0] - stage.centre.x) / (2 * 1.01 * stage.half.x);
  });
  await page.evaluate((share) => window.viewer.changeClip((clip) => (clip.share = share)), middle);
  const section = () => page.evaluate(() => {
    const { cut, bodies } = window.viewer.sides[0];
    const at = (t, i) => cut.place3.subarray(9 * t + 3 * i, 9 * t + 3 * i + 3);
    let area = 0;
    let away = 0;
    for (let t = 0; t < cut.count; t++) {
      const [a, b, c] = [0, 1, 2].map((i) => at(t, i));
      const [u, v] = [b, c].map((p) => p.map((x, k) => x - a[k]));
      area += Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                         u[0] * v[1] - u[1] * v[0]) / 2;
      for (const p of [a, b, c]) away = Math.max(away, Math.abs(p[0] + bodies.plane.constant *
        bodies.plane.normal.x));
    }
    return { area, away, values: [...cut.value.subarray(0, 3 * cut.count)] };
  });
  const { area, away, values } = await section();
  assert.ok(Math.abs(area - BLOCK_SECTION) < 0.05 * BLOCK_SECTION, `the section has ${area} m²`);
  assert.ok(away < 1e-6, `a point of the section is ${away} m off the plane`);
  assert.ok(Math.max(...values) > Math.min(...values) && Math.min(...values) >= 0);
  await page.keyboard.press('w');
  await picture(page, 'cut');
  await page.keyboard.press('w');
  // A click on the section reads a vertex of the tet that was hit, inside of the block too.
  const place = await page.evaluate(() => {
    const { cut, stage, canvas } = window.viewer.sides[0];
    const { place3 } = cut; // the middle of the section's first triangle
    const mean = [0, 1, 2].map((k) => (place3[k] + place3[3 + k] + place3[6 + k]) / 3);
    const point = stage.camera.position.clone().set(...mean).project(stage.camera);
    const box = canvas.getBoundingClientRect();
    return { x: (point.x + 1) * box.width / 2, y: (1 - point.y) * box.height / 2 };
  });
  await page.mouse.click(place.x, place.y);
  await page.waitForSelector('#inspector:not([hidden]) .value');
  assert.match(await page.textContent('#inspector p'), /of tet \d+/);
  const own = await page.evaluate(() => {
    const { picked } = window.viewer;
    return picked.side.cut.inside.tets.subarray(4 * picked.tet, 4 * picked.tet + 4)
      .includes(picked.vertex);
  });
  assert.ok(own);
  await page.keyboard.press('Escape');
  await page.evaluate(() => window.viewer.setLooks(['hidden', 'shown']));
  assert.equal((await section()).area, 0); // hidden bodies have no section, cloth has none at all
  await showAll(page);
  await page.selectOption('#colour', 'material');
  await page.selectOption('#clip', 'off');
  await page.evaluate(() => window.viewer.setObstacleStyle('solid'));
});

test('a double click looks at what is there', async () => {
  const { page } = view;
  await goTo(page, TOUCHING);
  await page.keyboard.press('f');
  const distance = () => page.evaluate(() => {
    const { camera, controls } = window.viewer.stage;
    return camera.position.distanceTo(controls.target);
  });
  const before = await distance();
  const place = await placeOf(page, await nearestCorner(page));
  await page.mouse.dblclick(place.x - 3, place.y + 4);
  assert.ok(Math.abs((await distance()) - before / 2) < 0.01 * before);
  await showAll(page);
  await page.keyboard.press('Escape');
  await page.keyboard.press('f');
});

test('a link brings back time, camera and settings', async () => {
  const { page } = view;
  await goTo(page, 13);
  await page.keyboard.press('z');
  await page.selectOption('#colour', 'friction');
  await page.keyboard.press('a');
  await page.keyboard.press('k');
  await page.evaluate(() => window.viewer.setLook(1, 'faded'));
  await page.evaluate(() => window.viewer.pick({ vertex: 3, triangle: -1 }));
  await page.waitForFunction(() => /pick=3/.test(location.hash));
  const address = await page.evaluate(() => location.href);
  const other = await openViewer(browser, address);
  await drawn(other.page);
  const state = ({ page: p }) => p.evaluate(() => {
    const { viewer } = window;
    return { frame: viewer.player.frame, playing: viewer.player.playing,
             colour: viewer.shading.colouring.key, arrows: viewer.settings.contact, clip: viewer.clip.kind,
             looks: viewer.bodies.looks, picked: viewer.picked.vertex,
             camera: viewer.stage.view().map((x) => Number(x.toFixed(3))) };
  });
  assert.deepEqual(await state(other), await state(view));
  assert.equal((await state(other)).frame, 13);
  assert.deepEqual(other.problems, []);
  await other.page.close();
  // What makes no sense in an address is passed over.
  const odd = await openViewer(browser, `${file('run/view.html')}#t=x&camera=1,2&colour=no&pick=9e9` +
    '&clip=q,7&body.0=gone&follow=77&curves=&scale.speed=fixed~2~1&component.speed=w&deform=-1');
  assert.deepEqual(odd.problems, []);
  await odd.page.close();
  await page.keyboard.press('Escape');
  await page.keyboard.press('a');
  await page.selectOption('#clip', 'off');
  await page.evaluate(() => window.viewer.setLook(1, 'shown'));
  await page.keyboard.press('f');
});

test('curves are chosen', async () => {
  const { page } = view;
  await page.click('#curves summary');
  await page.check('#curve-list input[value="force(block|floor)"]');
  await page.uncheck('#curve-list input[value="newton"]');
  const titles = () =>
    page.$$eval('#plots .plot', (all) => all.map((e) => e.getAttribute('aria-label')));
  assert.deepEqual(await titles(), ['Energy', 'Smallest gap', 'Findings', 'block on floor']);
  await picture(page, 'curves');
  await page.uncheck('#curve-list input[value="force(block|floor)"]');
  await page.check('#curve-list input[value="newton"]');
  await page.click('#curves summary');
});

test('a curve is saved as a table', async () => {
  const { page } = view;
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.$eval('#plots .plot .save', (button) => button.click())]);
  assert.equal(download.suggestedFilename(), 'energy.csv');
  const { csvOf } = await import(pathToFileURL(`${process.env.STICTION_SOURCE}/viewer/src/plots.js`));
  const values = (...list) => Float32Array.from(list);
  const run = { time: { unit: 's', values: values(0, 0.5) },
                'reaction_z(clamp)': { unit: 'N', values: values(-0.25, 3e7) } };
  assert.equal(csvOf({ lines: [{ column: 'reaction_z(clamp)' }, { column: 'gone' }] }, [run]),
               'time [s],reaction_z(clamp) [N]\n0,-0.25\n0.5,30000000\n');
});

test('one outlier does not squash a plot', async () => {
  const { bounds } = await import(pathToFileURL(`${process.env.STICTION_SOURCE}/viewer/src/plots.js`));
  const limits = () => {
    const values = Float32Array.from({ length: 50 }, (_, i) => Math.sin(i));
    const plot = { lines: [{ column: 'y' }] };
    const calm = bounds(plot, [{ y: { values } }]);
    values[20] = 1000;
    const one = bounds(plot, [{ y: { values } }]);
    const rare = Float32Array.from({ length: 50 }, (_, i) => (i === 7 ? 3 : 0));
    return { calm, one, rare: bounds({ ...plot, zero: true }, [{ y: { values: rare } }]) };
  };
  const ends = limits();
  assert.ok(ends.calm.high > 0.9 && ends.calm.high < 1.01);
  assert.ok(ends.one.high < 1.5 && ends.one.low < -0.9);
  assert.deepEqual(ends.rare, { low: 0, high: 3 }); // a count that is mostly zero is no outlier
});

test('what the judge found is flagged', async () => {
  const { page } = view;
  await goTo(page, 0);
  assert.match(await page.textContent('#found'), /found first at/);
  const marks = () => page.evaluate(() => window.viewer.marks.flags.list.length);
  await goTo(page, TOUCHING);
  assert.equal(await marks(), 0); // flat faces on a round ball are nothing to worry about
  assert.match(await page.textContent('#found'), /\d+ crossings with obstacles/);
  await page.click('#found');
  await drawn(page);
  assert.ok((await frameOf(page)) > 0 && (await frameOf(page)) <= TOUCHING);
  await goTo(page, TOUCHING);
  assert.ok((await marks()) > 0);
  await picture(page, 'findings');
  await page.keyboard.press('j');
  assert.equal(await marks(), 0);
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
  const panel = await page.locator('#panel').boundingBox();
  const head = await page.locator('#head').boundingBox();
  const foot = await page.locator('#foot').boundingBox();
  assert.ok(panel.y >= head.y + head.height, 'the panel covers the title');
  assert.ok(panel.y + panel.height <= foot.y, 'the panel covers the time line');
  await picture(page, 'phone-panel');
  await page.click('#menu');
  await page.evaluate(() => window.viewer.pick({ vertex: 0, triangle: 0 }));
  const sheet = await page.locator('#inspector').boundingBox();
  assert.ok(sheet.x >= 0 && sheet.x + sheet.width <= 375 && sheet.y > head.y + head.height);
  await picture(page, 'phone-picked');
  await page.keyboard.press('Escape');
  await picture(page, 'phone');
  assert.deepEqual(problems, []);
  await page.close();
});

test('leaves a phone that lies on its side to the picture', async () => {
  const { page } = await openViewer(browser, file('run/view.html'), { width: 844, height: 390 });
  assert.equal(await page.isVisible('#panel'), false);
  assert.equal(await page.isVisible('#plots'), false);
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
