// The elements around the picture: shows the viewer's state and passes on user input.
import { LOOKS } from './bodies.js';
import { MAPS } from './colours.js';
import { findingsAt } from './findings.js';
import { fillHelp } from './keys.js';
import { SPEEDS } from './player.js';
import { parseHistory } from './plots.js';
import { prefixOfScale } from './units.js';

const NARROW = 700;
const LEGEND = 66; // room for most legends, below the picture of a phone
const SECOND_HEAD = 48; // room for the title of a picture below another

function $(id) {
  return document.getElementById(id);
}

// Two areas with the same free space.
function splitWindow(width, height, hidden) {
  const free = { width: width - hidden.left - hidden.right,
                 height: height - hidden.top - hidden.bottom };
  if (width > height) {
    const first = Math.floor(hidden.left + free.width / 2);
    return [{ left: 0, top: 0, width: first, height, hidden: { ...hidden, right: 0 } },
            { left: first, top: 0, width: width - first, height, hidden: { ...hidden, left: 0 } }];
  }
  const first = Math.floor(hidden.top + (free.height - SECOND_HEAD) / 2);
  return [{ left: 0, top: 0, width, height: first, hidden: { ...hidden, bottom: 0 } },
          { left: 0, top: first, width, height: height - first,
            hidden: { ...hidden, top: SECOND_HEAD } }];
}

function option(value, text) {
  const element = document.createElement('option');
  element.value = value;
  element.textContent = text;
  return element;
}

const STATES = { running: 'running', finished: 'finished', failed: 'failed',
                 interrupted: 'interrupted', unfinished: 'not finished', lost: 'no longer served',
                 waiting: 'being replaced' };

export class Page {
  constructor() {
    this.views = [$('view')];
    this.heads = [{ element: $('head'), title: $('title'), state: $('state'), facts: $('facts'),
                    found: $('found') }];
    this.legend = $('legend');
    this.plots = $('plots');
    this.help = $('help');
    this.inspector = $('inspector');
    fillHelp(this.help);
  }

  // A canvas and a head for each run beyond the first.
  addViews(sides) {
    for (let i = this.views.length; i < sides.length; i++) {
      const view = this.views[0].cloneNode();
      view.id = `view-${i}`;
      this.views[i - 1].after(view);
      this.views.push(view);
      const head = $('head').cloneNode(true);
      const part = (name) => {
        const found = head.querySelector(`#${name}`);
        found.id = `${name}-${i}`;
        return found;
      };
      this.heads.push({ element: head, title: part('title'), state: part('state'),
                        facts: part('facts'), found: part('found') });
      head.id = `head-${i}`;
      $('head').after(head);
    }
    document.documentElement.dataset.runs = sides.length;
  }

  connect(app) {
    this.fillChoices(app);
    const on = (id, event, act) => $(id).addEventListener(event, act);
    on('menu', 'click', () => app.toggle('panel'));
    on('fit', 'click', () => app.fit());
    on('theme', 'click', () => app.nextTheme());
    on('picture', 'click', () => app.savePicture());
    on('record', 'click', () => app.toggleFilm());
    on('help-button', 'click', () => app.toggleHelp());
    on('play', 'click', () => app.togglePlay());
    on('loop', 'click', () => app.toggleLoop());
    on('follow', 'click', () => app.toggleFollow());
    on('scrub', 'input', () => app.seekFrame(Number($('scrub').value)));
    on('speed', 'change', () => app.setSpeed(Number($('speed').value)));
    on('colour', 'change', () => app.setColouring($('colour').value));
    on('component', 'change', () => app.setComponent($('component').value));
    on('map', 'change', () => app.changeScale({ map: $('map').value || null }));
    on('mode', 'change', () => app.changeScale({ ...this.shownEnds(app), mode: $('mode').value }));
    on('logarithmic', 'change', () => app.changeScale({ logarithmic: $('logarithmic').checked }));
    for (const id of ['range-low', 'range']) on(id, 'change', () => this.readEnds(app, id));
    on('held', 'change', () => app.toggle('held'));
    on('ghost', 'change', () => app.toggle('ghost'));
    on('deform', 'change', () => this.readDeformation(app));
    on('deform-auto', 'click', () => app.suitDeformation());
    on('wires', 'change', () => app.toggle('wires'));
    on('arrows-contact', 'change', () => app.toggle('contact'));
    on('arrows-friction', 'change', () => app.toggle('friction'));
    on('arrow-size', 'input', () => app.set('arrowScale', 2 ** Number($('arrow-size').value)));
    on('obstacles', 'change', () => app.setObstacleStyle($('obstacles').value));
    on('plots-on', 'change', () => app.toggle('plots'));
    on('contacts', 'change', () => app.toggle('contacts'));
    on('flags', 'change', () => app.toggle('flags'));
    for (const head of this.heads)
      head.found.addEventListener('click', () => app.seekFinding(head.firstFinding));
    on('clip', 'change', () =>
      app.changeClip((clip) => clip.choose($('clip').value, app.stage.camera)));
    on('clip-share', 'input', () =>
      app.changeClip((clip) => (clip.share = Number($('clip-share').value))));
    on('clip-flip', 'click', () => app.changeClip((clip) => (clip.flipped = !clip.flipped)));
    // A canvas of another size is blank, and observers are called after the frame was drawn:
    // without drawing again the browser would show it so until the next frame.
    const resize = () => {
      app.resize();
      app.draw();
    };
    new ResizeObserver(resize).observe(document.body);
    for (const id of ['foot', 'inspector'])
      new ResizeObserver(resize).observe($(id));
    // So that keys work again after a number was typed.
    document.addEventListener('keydown', ({ key, target }) => {
      if (key === 'Enter' && target.inputMode) target.blur();
    });
    // Buttons that were clicked must not treat the space bar as another click.
    document.addEventListener('click', (event) => {
      const button = event.target.closest('button, input[type=checkbox], input[type=range]');
      if (button && event.detail) button.blur();
    });
  }

  fillChoices(app) {
    $('colour').append(...app.shading.colourings.map(({ key, label }) => option(key, label)));
    $('map').append(option('', 'usual map'), ...Object.keys(MAPS).map((name) => option(name, name)));
    $('speed').append(...SPEEDS.map((speed) => option(speed, `${speed}×`)));
    for (const plane of ['contact', 'friction']) {
      const box = $(`arrows-${plane}`);
      box.disabled = !app.sides.some(({ arrows }) => arrows[plane]);
      box.parentElement.classList.toggle('off', box.disabled);
      if (box.disabled) box.parentElement.title = 'The run has no such forces in its frames';
    }
    $('obstacle-row').hidden = app.sides.every(({ run }) => run.obstacles.length === 0);
    $('contacts').parentElement.hidden = app.sides.every(({ marks }) => !marks.contacts);
    $('held').parentElement.hidden = app.sides.every(({ marks }) => !marks.held);
    $('flags').parentElement.hidden = app.sides.every(({ marks }) => !marks.flags);
    this.fillBodies(app);
  }

  // A row for each body: how it looks, show it alone, let the camera follow.
  fillBodies(app) {
    const rows = app.names.bodies.map((name, body) => {
      const row = document.createElement('div');
      const label = document.createElement('span');
      label.textContent = name;
      label.title = name;
      const look = document.createElement('select');
      look.append(...LOOKS.map((one) => option(one, one)));
      look.setAttribute('aria-label', `How ${name} looks`);
      look.addEventListener('change', () => app.setLook(body, look.value));
      const button = (text, title, act) => {
        const made = document.createElement('button');
        made.textContent = text;
        made.title = title;
        made.addEventListener('click', act);
        return made;
      };
      const alone = button('only', 'This body alone, or all again (I)', () => app.isolate(body));
      const follow = button('follow', 'The camera goes along (G)', () =>
        app.setFollowed(app.followed === body ? -1 : body));
      row.append(label, look, alone, follow);
      return { row, look, follow };
    });
    this.bodyRows = rows;
    $('body-list').replaceChildren(...rows.map(({ row }) => row));
    this.showBodies(app);
  }

  showBodies(app) {
    this.bodyRows.forEach(({ look, follow }, body) => {
      look.value = app.looks[body];
      follow.setAttribute('aria-pressed', app.followed === body);
    });
  }

  showClip(app) {
    const { clip } = app;
    $('clip').value = clip.kind;
    $('clip-share').value = clip.share;
    $('clip-where').hidden = clip.kind === 'off';
    $('clip-flip').setAttribute('aria-pressed', clip.flipped);
  }

  // A checkbox for each available plot panel.
  showCurves(app) {
    $('curve-list').replaceChildren(...app.panels.map(({ key, title }) => {
      const label = document.createElement('label');
      label.className = 'check';
      const box = document.createElement('input');
      box.type = 'checkbox';
      box.value = key;
      box.checked = app.curves.includes(key);
      box.addEventListener('change', () => app.setCurves(
        [...$('curve-list').querySelectorAll('input:checked')].map(({ value }) => value)));
      label.append(box, title);
      return label;
    }));
  }

  // Findings of the judge at this moment, and the first time.
  showFindings(app, side) {
    const head = this.heads[side.number];
    const { text, first } = findingsAt(side.history, app.player.time);
    head.firstFinding = first ?? 0;
    head.found.hidden = first === null;
    if (first === null) return;
    const since = `found first at ${Number(first.toPrecision(4))} s`;
    head.found.textContent = text ? `⚠ ${text}` : `⚠ ${since}`;
    head.found.title = `The judge: ${text || 'nothing now'}; ${since}. Click to go there and mark the places.`;
    head.found.classList.toggle('now', Boolean(text));
  }

  // Two runs are labelled by their folders, because they may have the same title.
  showRun(app, side) {
    const { run } = side;
    const head = this.heads[side.number];
    const title = app.sides.length > 1 ? run.name : run.title || run.name;
    document.title = `${app.sides.length > 1 ? app.fileName() : title} – Stiction`;
    head.title.textContent = title;
    head.title.title = run.title || '';
    // A file cannot know whether its run continued.
    const open = run.state === 'running' && !side.source.live;
    this.showState(side, open ? 'unfinished' : run.state, run.reason);
    const size = run.tet_count > 0
      ? `${run.tet_count.toLocaleString('en')} tets`
      : `${run.triangle_count.toLocaleString('en')} triangles`;
    const every = run.every > 1 ? `, one in ${run.every}` : '';
    head.facts.textContent = `· ${size} · ${run.times.length} frames${every}`;
    $('scrub').max = app.player.times.length - 1;
    $('follow').hidden = !app.isRunning();
    this.showTime(app);
  }

  showState(side, state, reason) {
    const badge = this.heads[side.number].state;
    badge.textContent = STATES[state] || state;
    badge.dataset.state = state;
    if (reason && state === 'failed') badge.title = reason;
  }

  showTime(app) {
    const { player } = app;
    const end = player.end();
    const decimals = Math.max(0, Math.min(6, 3 - Math.ceil(Math.log10(end || 1))));
    $('scrub').value = player.frame;
    $('clock').innerHTML = '<b></b><span></span>';
    $('clock').firstChild.textContent = player.times[player.frame].toFixed(decimals);
    $('clock').lastChild.textContent = ` / ${end.toFixed(decimals)} s`;
    document.documentElement.dataset.frame = player.frame;
    for (const side of app.sides) this.showFindings(app, side);
  }

  showPlayer(app) {
    const { player } = app;
    $('play').classList.toggle('on', player.playing);
    $('play').setAttribute('aria-label', player.playing ? 'Pause' : 'Play');
    $('loop').setAttribute('aria-pressed', player.loop);
    $('follow').setAttribute('aria-pressed', app.follow);
    $('speed').value = player.speed;
    $('record').setAttribute('aria-pressed', Boolean(app.filming));
  }

  showColouring(app) {
    const { shading } = app;
    const components = shading.components();
    $('colour').value = shading.colouring.key;
    for (const id of ['scale-row', 'range-row', 'log-row']) $(id).hidden = !shading.isScale();
    $('component-row').hidden = components.length < 2;
    $('component').replaceChildren(...components.map(({ name, label }) => option(name, label)));
    $('component').value = components[shading.component]?.name;
  }

  showScale(app) {
    const { scale, shading } = app;
    if (!scale) return;
    const setting = shading.setting();
    const [factor, prefix] = prefixOfScale(scale, shading.colouring.unit);
    const shown = (end) => Number((end / factor).toPrecision(3));
    this.rangeFactor = factor;
    $('map').value = setting.map || '';
    $('mode').value = setting.mode;
    $('logarithmic').checked = setting.logarithmic;
    $('range-low').value = shown(scale.low);
    $('range').value = shown(scale.high);
    $('range-unit').textContent = prefix + shading.colouring.unit;
  }

  // Of the scale, as numbers to keep.
  shownEnds({ scale }) {
    return { low: scale.low, high: scale.high };
  }

  // The end that was typed; the other one stays. A scale must go up.
  readEnds(app, id) {
    const value = Number($(id).value.replace(',', '.').replace('−', '-')) * this.rangeFactor;
    const ends = { ...this.shownEnds(app), [id === 'range' ? 'high' : 'low']: value };
    if (ends.low < ends.high) app.changeScale({ ...ends, mode: 'fixed' });
    else this.showScale(app);
  }

  readDeformation(app) {
    const factor = Number($('deform').value.replace(',', '.'));
    if (factor >= 0) app.setDeformation(factor);
    else this.showSettings(app);
  }

  showSettings(app) {
    const { settings } = app;
    $('wires').checked = settings.wires;
    $('arrows-contact').checked = settings.contact;
    $('arrows-friction').checked = settings.friction;
    $('arrow-row').hidden = !(settings.contact || settings.friction);
    $('plots-on').checked = settings.plots;
    $('contacts').checked = settings.contacts;
    $('flags').checked = settings.flags;
    $('held').checked = settings.held;
    $('ghost').checked = settings.ghost;
    $('deform').value = Number(app.deformation.toPrecision(5));
    $('obstacles').value = app.obstacles.style;
    $('panel').hidden = !settings.panel;
    $('menu').setAttribute('aria-expanded', settings.panel);
    this.plots.hidden = !settings.plots;
  }

  // Where each picture is in the window, and how much of its edges panels cover. Two are side by
  // side, or one above the other in a tall window, each with the same free space, so that the same
  // camera sees the same.
  measure(app) {
    const width = window.innerWidth;
    const height = window.innerHeight;
    const bottom = height - $('foot').getBoundingClientRect().top;
    const head = this.heads[0].element.getBoundingClientRect().bottom;
    const root = document.documentElement.style;
    this.legend.style.bottom = `${bottom + 14}px`;
    root.setProperty('--bottom', `${Math.round(bottom)}px`);
    root.setProperty('--head', `${Math.round(head)}px`);
    const wide = width > NARROW;
    const legend = wide ? 0 : LEGEND;
    const sheet = wide || this.inspector.hidden
      ? bottom + legend : height - this.inspector.getBoundingClientRect().top;
    const hidden = { left: 0, right: wide && app.settings.panel ? 240 : 0,
                     top: wide ? 30 : head, bottom: sheet };
    const places = this.views.length === 1
      ? [{ left: 0, top: 0, width, height, hidden }] : splitWindow(width, height, hidden);
    places.forEach((place, i) => this.put(i, place, places.length));
    return places;
  }

  put(index, { left, top, width, height }, count) {
    Object.assign(this.views[index].style, { left: `${left}px`, top: `${top}px`,
                                             width: `${width}px`, height: `${height}px` });
    if (count === 1) return;
    const { style } = this.heads[index].element;
    style.maxWidth = `${Math.max(140, width - (index && !top ? 256 : 30))}px`;
    if (index > 0) style.left = `${left + (top ? 14 : 18)}px`;
    if (index > 0) style.top = top ? `${top + 8}px` : '';
  }

  async loadHistory(source, run) {
    try {
      return parseHistory(await source.block('history'), run.history);
    } catch {
      return null; // the file has grown since: the next answer includes it
    }
  }

  showFilming(share) {
    this.fail(`Drawing the video: ${Math.floor(100 * share)} % (V cancels)`);
  }

  // For a film that nobody watches while it is made.
  hideBar() {
    $('foot').hidden = true;
  }

  // A message that disappears by itself.
  say(text) {
    this.fail(text);
    setTimeout(() => this.hush(), 4000);
  }

  hush() {
    $('note').hidden = true;
  }

  fail(text) {
    $('note').textContent = text;
    $('note').hidden = false;
  }
}
