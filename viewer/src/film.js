// Films the run frame by frame: each is drawn, encoded by the browser and put into a file that the
// page writes itself. It takes as long as drawing, not as long as the film, and drops no frame.
// Identical frames are merged into a longer one.
import { Mp4 } from './mp4.js';
import { saveBlob } from './picture.js';
import { WebM } from './webm.js';

const RATE = 30; // pictures per second, at most
const HOLD = 0.6; // seconds that the last frame stays
const KEY = 60; // frames between keyframes
const QUEUE = 4; // frames that may wait for the encoder
const BITS = 8e6; // per second

// Best first. The profiles of H.264 are high, up to 1080p and up to 4K, then baseline.
const CODECS = [
  { kind: 'webm', codec: 'vp09.00.41.08', name: 'V_VP9' },
  { kind: 'webm', codec: 'vp8', name: 'V_VP8' },
  { kind: 'mp4', codec: 'avc1.640028', avc: { format: 'avc' } },
  { kind: 'mp4', codec: 'avc1.640033', avc: { format: 'avc' } },
  { kind: 'mp4', codec: 'avc1.42001f', avc: { format: 'avc' } },
];

async function choose(kind, width, height) {
  if (typeof VideoEncoder === 'undefined') throw new Error('this browser cannot encode video');
  for (const entry of CODECS) {
    if (kind && entry.kind !== kind) continue;
    const config = { codec: entry.codec, width, height, bitrate: BITS, framerate: RATE,
                     latencyMode: 'quality', ...(entry.avc && { avc: entry.avc }) };
    const { supported } = await VideoEncoder.isConfigSupported(config);
    if (supported) return { entry, config };
  }
  throw new Error(kind === 'mp4'
    ? 'this browser cannot encode H.264; save .webm, which ffmpeg turns into .mp4'
    : 'this browser cannot encode video of this size');
}

// The times of all frames, in seconds of the run.
function moments({ player }) {
  const [start, end] = [player.times[0], player.end()];
  const count = Math.max(1, Math.ceil((end - start) / player.speed * RATE - 1e-6));
  const list = Array.from({ length: count }, (_, i) => start + i * player.speed / RATE);
  return [...list, ...Array(Math.round(HOLD * RATE)).fill(end)];
}

// Shows the frames of a moment once they have loaded.
async function showAt(app, time) {
  app.player.seekTime(time);
  const { frame, times } = app.player;
  if (frame === app.shown) return;
  await Promise.all(app.sides.map((side) => side.frames.need(side.frameAt(times[frame]))));
  const frames = app.framesAt(frame);
  if (frames) app.showFrames(frame, frames);
}

// Queues encoded frames; a slow encoder delays the drawing, and errors surface here.
class Encoder {
  constructor(config, file) {
    this.encoder = new VideoEncoder({
      output: (chunk, about) => file.add(chunk, about?.decoderConfig?.description),
      error: (error) => (this.error = error),
    });
    this.encoder.configure(config);
    this.lastKey = -Infinity;
  }

  async add(canvas, index) {
    const picture = new VideoFrame(canvas, { timestamp: Math.round(index * 1e6 / RATE) });
    const keyFrame = index - this.lastKey >= KEY;
    if (keyFrame) this.lastKey = index;
    this.encoder.encode(picture, { keyFrame });
    picture.close();
    do {
      if (this.error) throw this.error;
      await new Promise((resolve) => setTimeout(resolve, 0)); // let the page do other work
    } while (this.encoder.encodeQueueSize > QUEUE);
  }

  async finish() {
    await this.encoder.flush();
    if (this.error) throw this.error;
    this.encoder.close();
  }
}

// Encoders need even sizes: drops a row or column at the edge. They read the picture, so it is kept
// where reading is fast.
function even(picture, whole) {
  [picture.width, picture.height] = [whole.width & ~1, whole.height & ~1];
  picture.getContext('2d', { willReadFrequently: true }).drawImage(whole, 0, 0);
  return picture;
}

// Draws the current view; if the window was resized meanwhile, the picture is unchanged.
function redraw(app, whole, picture) {
  app.compose(whole);
  if (whole.width >> 1 === picture.width >> 1 && whole.height >> 1 === picture.height >> 1)
    even(picture, whole);
}

// A Blob, or null if signal.stopped was set. progress: called with the fraction done.
async function makeFilm(app, kind, signal, progress) {
  const list = moments(app);
  await showAt(app, list[0]);
  const whole = app.compose();
  const picture = even(document.createElement('canvas'), whole);
  const { entry, config } = await choose(kind, picture.width, picture.height);
  const size = { width: picture.width, height: picture.height };
  const file = entry.kind === 'mp4' ? new Mp4(size) : new WebM(size, entry.name);
  const encoder = new Encoder(config, file);
  for (let i = 0, drawn = app.shown; i < list.length && !signal.stopped; i++) {
    await showAt(app, list[i]);
    const changed = drawn !== app.shown;
    if (changed) redraw(app, whole, picture);
    drawn = app.shown;
    // The last frame is repeated, so that all players show it until the end.
    if (changed || i === 0 || i === list.length - 1) await encoder.add(picture, i);
    progress((i + 1) / list.length);
  }
  await encoder.finish();
  return signal.stopped ? null : file.finish(list.length / RATE);
}

function saveFilm(blob, name) {
  saveBlob(blob, `${name}.${blob.type === 'video/mp4' ? 'mp4' : 'webm'}`);
}

// kind: 'webm' or 'mp4'; by default whatever the browser supports. null: cancelled.
export async function film(app, kind) {
  app.filming = { stopped: false };
  app.setFollow(false);
  app.player.playing = false;
  app.page.showPlayer(app);
  try {
    return await makeFilm(app, kind, app.filming, (share) => app.page.showFilming(share));
  } finally {
    app.filming = null;
    app.page.hush();
    app.page.showPlayer(app);
  }
}

// From the start of the run, frame by frame; a second call cancels.
export async function toggleFilm(app) {
  if (app.filming) {
    app.filming.stopped = true;
    return;
  }
  try {
    const made = await film(app);
    if (made) saveFilm(made, app.fileName());
  } catch (error) {
    app.page.say(`No video: ${error.message}`);
  }
}

// The whole run without panels as a data: URL, for `stiction view --video`.
export async function filmAlone(app, kind) {
  app.set('panel', false);
  app.set('plots', false);
  app.page.hideBar();
  app.resize();
  app.fit();
  const made = await film(app, kind);
  const reader = new FileReader();
  const read = new Promise((resolve) => reader.addEventListener('load', resolve));
  reader.readAsDataURL(made);
  await read;
  return reader.result;
}
