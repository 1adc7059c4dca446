// Films that the page makes: no picture is left out, and other programs read them.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { FRAMES, file, frameOf, goTo, openViewer, startBrowser } from './browser.js';

let browser;
let page;
before(async () => {
  browser = await startBrowser();
  ({ page } = await openViewer(browser, file('run/view.html')));
});
after(async () => browser.close());

// What a film says of itself: [codec, width, height, pictures, seconds]; null without ffprobe.
function probe(path) {
  try {
    const out = execFileSync('ffprobe', ['-v', 'error', '-count_frames', '-of', 'json',
      '-show_entries', 'stream=codec_name,width,height,nb_read_frames:format=duration', path]);
    const { streams: [one], format } = JSON.parse(out);
    return [one.codec_name, one.width, one.height, Number(one.nb_read_frames),
            Number(format.duration)];
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

test('a video can be saved, with no picture left out', async () => {
  await page.selectOption('#speed', '1');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#record')]);
  assert.match(download.suggestedFilename(), /^run\.(webm|mp4)$/);
  await download.saveAs('saved.webm');
  const film = readFileSync('saved.webm');
  assert.equal(film.readUInt32BE(0), 0x1a45dfa3); // Matroska's mark
  // Half a second at 30 pictures a second, the last frame, and that again at the end of its 0.6 s.
  const told = probe('saved.webm');
  if (told) assert.deepEqual(told, ['vp9', 880, 620, 17, 1.1]);
  else console.log('ffprobe is not here: the film was not looked into');
  assert.equal(await page.getAttribute('#record', 'aria-pressed'), 'false');
  assert.equal(await page.isVisible('#note'), false);
  assert.equal(await frameOf(page), FRAMES - 1);
});

// A picture of a film, and what the page shows of that frame, are the same but for the coding.
test('films show what the page shows', async () => {
  const film = await page.evaluate(async () => {
    const blob = await window.viewer.film('mp4');
    return [...new Uint8Array(await blob.arrayBuffer())];
  }).catch((error) => {
    assert.match(error.message, /H\.264/); // a browser that cannot
    return null;
  });
  if (!film) return;
  writeFileSync('saved.mp4', Uint8Array.from(film));
  assert.equal(readFileSync('saved.mp4').toString('latin1', 4, 12), 'ftypisom');
  const told = probe('saved.mp4');
  if (!told) return;
  assert.deepEqual(told, ['h264', 880, 620, 17, 1.1]);
  for (const [number, frame] of [[0, 0], [9, 15], [16, FRAMES - 1]]) {
    const raw = execFileSync('ffmpeg', ['-v', 'error', '-i', 'saved.mp4', '-vf',
      `select=eq(n\\,${number}),scale=160:112:flags=area`, '-frames:v', '1', '-f', 'rawvideo',
      '-pix_fmt', 'rgba', '-']);
    await goTo(page, frame);
    const shown = await page.evaluate(() => {
      const small = document.createElement('canvas');
      [small.width, small.height] = [160, 112];
      const context = small.getContext('2d');
      context.imageSmoothingQuality = 'high';
      context.drawImage(window.viewer.compose(), 0, 0, 160, 112);
      return [...context.getImageData(0, 0, 160, 112).data];
    });
    const mean = shown.reduce((sum, x, i) => sum + Math.abs(x - raw[i]), 0) / shown.length;
    assert.ok(mean < 4, `picture ${number} is off by ${mean} of 255`);
  }
});
