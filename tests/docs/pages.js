// Opens pages of the site from the disk, at the width of a phone: nothing is missing, nothing
// fails, nothing is wider than the screen. Run by site.sh, beside a copy of tests/viewer/browser.js.
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { startBrowser } from './browser.js';

const WIDTH = 390;
const PATIENCE = 90000; // ms

// From a page deep in the tree to a section that has the words.
async function search(page) {
  await page.goto(pathToFileURL('site/files/examples/swing.json.html').href);
  await page.keyboard.press('/');
  await page.keyboard.type('anchored fric');
  await page.waitForSelector('#results a');
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.equal(width, WIDTH, 'the results are wider than the screen');
  await page.keyboard.press('Enter');
  await page.waitForURL(/physics\.html#anchored-friction$/);
  await page.fill('#search', 'zzyzx');
  await page.waitForFunction(() => /Nothing found/.test(document.getElementById('results').textContent));
}

// The packed run comes up inside the page.
async function lookAtLive(page) {
  await page.goto(pathToFileURL('site/live.html').href);
  const frame = await (await page.waitForSelector('#live iframe')).contentFrame();
  await frame.waitForFunction(() => document.documentElement.dataset.ready, null,
                              { timeout: PATIENCE });
}

test('every page opens, fits and keeps its theme', { timeout: 400000 }, async () => {
  const browser = await startBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: WIDTH, height: 800 } });
    page.setDefaultTimeout(PATIENCE);
    const problems = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()) && !/GPU stall/.test(message.text()))
        problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(error.message));
    // A page left before it was complete aborts what it was loading.
    page.on('requestfailed', (request) => {
      if (request.failure()?.errorText !== 'net::ERR_ABORTED')
        problems.push(`not found: ${request.url()}`);
    });
    for (const name of readdirSync('site').filter((file) => file.endsWith('.html'))) {
      await page.goto(pathToFileURL(`site/${name}`).href);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.equal(width, WIDTH, `${name} is wider than the screen`);
    }
    await search(page);
    if (existsSync('site/live/swing.html')) await lookAtLive(page);
    await page.goto(pathToFileURL('site/index.html').href);
    await page.click('#theme');
    const theme = await page.evaluate(() => document.documentElement.dataset.theme);
    await page.click('#menu');
    await page.click('nav a[href="physics.html"]');
    await page.waitForURL('**/physics.html'); // and until it is complete
    assert.match(await page.title(), /What is computed/);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), theme);
    assert.deepEqual(problems, []);
  } finally {
    await browser.close();
  }
});
