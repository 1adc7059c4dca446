// Films the run with the browser's own recorder, and saves the film.
import { composePicture, saveBlob } from './picture.js';

const RATE = 30; // pictures per second
const HOLD = 600; // ms for which the last frame stays
const LEAST = 5; // pictures of it: recorders leave out what they have had no time for
const TYPES = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm', 'video/mp4'];

// kind: 'webm' or 'mp4'; without it, whatever the browser can.
export function recorderType(kind = '') {
  if (typeof MediaRecorder === 'undefined') return undefined;
  return TYPES.find((type) => type.includes(kind) && MediaRecorder.isTypeSupported(type));
}

// From the first frame to the last at the player's speed; what the user does meanwhile is filmed.
export class Recording {
  constructor(app, type) {
    this.app = app;
    this.type = type;
    this.parts = [];
    this.last = performance.now();
    this.held = 0;
    this.loop = app.player.loop;
    this.film = this.compose(document.createElement('canvas'));
    this.recorder = new MediaRecorder(this.film.captureStream(RATE), { mimeType: this.type,
                                                                       videoBitsPerSecond: 8e6 });
    this.recorder.addEventListener('dataavailable', ({ data }) => this.parts.push(data));
    this.done = new Promise((resolve) => this.recorder.addEventListener('stop', resolve))
      .then(() => new Blob(this.parts, { type: this.type }));
    app.player.seekFrame(0);
    app.player.loop = false;
    app.player.playing = true;
    this.recorder.start();
  }

  compose(into) {
    const { app } = this;
    return composePicture(app.page.view, app.page.legend, app.caption(), app.style().ink, into);
  }

  // After every picture. false: the film is at its end.
  tick() {
    this.compose(this.film);
    const now = performance.now();
    if (this.app.player.playing) this.last = now;
    else this.held++;
    return now - this.last < HOLD || this.held < LEAST;
  }

  stop() {
    this.app.player.loop = this.loop;
    this.recorder.stop();
    return this.done;
  }

  async save() {
    saveBlob(await this.stop(), `${this.app.run.name}.${this.type.includes('mp4') ? 'mp4' : 'webm'}`);
  }
}
