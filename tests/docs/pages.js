// Opens pages of the site from the disk, at the width of a phone: nothing is missing, nothing
// fails, nothing is wider than the screen. Run by site.sh, beside a copy of tests/viewer/browser.js.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { startBrowser } from './browser.js';

const WIDTH = 390;

test('every page opens, fits and keeps its theme', { timeout: 200000 }, async () => {
  const browser = await startBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: WIDTH, height: 800 } });
    const problems = [];
    page.on('console', (message) => problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('requestfailed', (request) => problems.push(`not found: ${request.url()}`));
    for (const name of readdirSync('site').filter((file) => file.endsWith('.html'))) {
      await page.goto(pathToFileURL(`site/${name}`).href);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.equal(width, WIDTH, `${name} is wider than the screen`);
    }
    await page.goto(pathToFileURL('site/index.html').href);
    await page.click('#theme');
    const theme = await page.evaluate(() => document.documentElement.dataset.theme);
    await page.click('#menu');
    await page.click('nav a[href="physics.html"]');
    assert.match(await page.title(), /What is computed/);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), theme);
    assert.deepEqual(problems, []);
  } finally {
    await browser.close();
  }
});
