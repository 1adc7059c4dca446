// The address keeps the view: time, camera and settings follow its #, so that a link, or a reload,
// restores them. Only what differs from the page's defaults is written.

const EVERY = 400; // ms between two changes of the address

function round(number, digits = 5) {
  return Number(Number(number).toPrecision(digits));
}

const SWITCHES = ['wires', 'contact', 'friction', 'contacts', 'flags', 'plots', 'panel',
                  'ghost', 'held'];

export function write(app) {
  const words = new URLSearchParams();
  const put = (key, value, usual) => {
    if (value !== usual && value !== undefined) words.set(key, value);
  };
  put('t', round(app.player.times[app.player.frame], 7));
  if (app.stage.chosen) put('camera', app.stage.view().map((x) => round(x)).join(','));
  put('colour', app.shading.colouring.key, app.usual.colour);
  for (const [key, value] of app.shading.toWords()) put(key, value);
  put('deform', round(app.deformation), 1);
  for (const name of SWITCHES)
    put(name, app.settings[name] ? 1 : 0, app.usual[name] ? 1 : 0);
  put('arrows', round(app.settings.arrowScale, 3), 1);
  put('obstacles', app.obstacles.style, 'solid');
  put('theme', app.theme, app.usual.theme);
  put('speed', app.player.speed, app.usual.speed);
  put('clip', app.clip.toText(), 'off');
  app.looks.forEach((look, body) => put(`body.${body}`, look, 'shown'));
  put('follow', app.followed, -1);
  put('curves', app.curves.join('~'), app.usual.curves);
  const { picked } = app;
  if (picked)
    put('pick', [picked.vertex, picked.triangle, app.inspector.chosen, picked.side.number].join(','));
  return words.toString();
}

function readBodies(app, words) {
  const looks = app.looks.map((look, body) => words.get(`body.${body}`) || look);
  app.setLooks(looks.map((look) => (['faded', 'hidden'].includes(look) ? look : 'shown')));
  const follow = Number(words.get('follow') ?? -1);
  if (app.names.bodies[follow] !== undefined) app.setFollowed(follow);
}

function readPick(app, words) {
  const [vertex, triangle, key, number] = (words.get('pick') || '').split(',');
  const side = app.sides[Number(number) || 0] || app.sides[0];
  if (vertex === '' || !(Number(vertex) < side.run.vertex_count)) return;
  if (key) app.inspector.chosen = key;
  const face = Number(triangle) < side.run.triangle_count ? Number(triangle) : -1;
  app.pick({ side, vertex: Number(vertex), triangle: face });
}

// Sets what the text contains and keeps the rest. Invalid parts are ignored.
export function read(app, text) {
  const words = new URLSearchParams(text);
  const number = (key) => Number.parseFloat(words.get(key));
  const camera = (words.get('camera') || '').split(',').map(Number);
  if (camera.length === 6 && camera.every(Number.isFinite)) app.stage.setView(camera);
  for (const [key, value] of words) app.shading.fromWord(key, value);
  app.setColouring(words.get('colour'));
  if (number('deform') >= 0) app.setDeformation(number('deform'));
  for (const name of SWITCHES)
    if (words.has(name)) app.set(name, words.get(name) === '1');
  if (number('arrows') > 0) app.set('arrowScale', number('arrows'));
  if (words.has('obstacles')) app.setObstacleStyle(words.get('obstacles'));
  if (['light', 'dark'].includes(words.get('theme'))) app.setTheme(words.get('theme'));
  if (number('speed') > 0) app.setSpeed(number('speed'));
  if (words.has('clip')) app.changeClip((clip) => clip.fromText(words.get('clip'), app.stage.camera));
  if (words.has('curves')) app.setCurves(words.get('curves').split('~'));
  readBodies(app, words);
  if (Number.isFinite(number('t'))) {
    app.player.playing = false;
    app.seekTime(number('t') * (1 + 1e-6));
  }
  readPick(app, words);
}

// Keeps the address up to date, but not more often than browsers allow.
export class Link {
  constructor(app) {
    this.app = app;
    this.dirty = false;
    this.written = 0;
    this.own = location.hash.slice(1);
    window.addEventListener('hashchange', () => {
      if (location.hash.slice(1) !== this.own) read(app, location.hash.slice(1));
    });
  }

  touch() {
    this.dirty = true;
  }

  tick() {
    const now = performance.now();
    if (!this.dirty || this.app.player.playing || now - this.written < EVERY) return;
    this.dirty = false;
    this.written = now;
    this.own = write(this.app);
    history.replaceState(null, '', `#${this.own}`);
  }
}
