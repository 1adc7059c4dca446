// The elements around the picture: shows what the viewer's state is and passes on what is asked.
import { fillHelp } from './keys.js';
import { SPEEDS } from './player.js';
import { parseHistory } from './plots.js';
import { prefixFor } from './units.js';

const NARROW = 700;

function $(id) {
  return document.getElementById(id);
}

function option(value, text) {
  const element = document.createElement('option');
  element.value = value;
  element.textContent = text;
  return element;
}

const STATES = { running: 'running', finished: 'finished', failed: 'failed',
                 interrupted: 'interrupted', unfinished: 'not finished', lost: 'no longer served' };

export class Page {
  constructor() {
    this.view = $('view');
    this.legend = $('legend');
    this.plots = $('plots');
    this.help = $('help');
    fillHelp(this.help);
  }

  connect(app) {
    this.fillChoices(app);
    const on = (id, event, act) => $(id).addEventListener(event, act);
    on('menu', 'click', () => app.toggle('panel'));
    on('fit', 'click', () => app.fit());
    on('theme', 'click', () => app.nextTheme());
    on('picture', 'click', () => app.savePicture());
    on('help-button', 'click', () => app.toggleHelp());
    on('play', 'click', () => app.togglePlay());
    on('loop', 'click', () => app.toggleLoop());
    on('follow', 'click', () => app.toggleFollow());
    on('scrub', 'input', () => app.seekFrame(Number($('scrub').value)));
    on('speed', 'change', () => app.setSpeed(Number($('speed').value)));
    on('colour', 'change', () => app.setColouring($('colour').value));
    on('range', 'change', () => app.setRange(this.readRange(app)));
    on('range-auto', 'click', () => app.setRange(null));
    on('wires', 'change', () => app.toggle('wires'));
    on('arrows-contact', 'change', () => app.toggle('contact'));
    on('arrows-friction', 'change', () => app.toggle('friction'));
    on('arrow-size', 'input', () => app.set('arrowScale', 2 ** Number($('arrow-size').value)));
    on('obstacles', 'change', () => app.setObstacleStyle($('obstacles').value));
    on('plots-on', 'change', () => app.toggle('plots'));
    new ResizeObserver(() => app.resize()).observe(document.body);
    new ResizeObserver(() => app.resize()).observe($('foot'));
    // Buttons that were clicked must not take the space bar for another click.
    document.addEventListener('click', (event) => {
      const button = event.target.closest('button, input[type=checkbox], input[type=range]');
      if (button && event.detail) button.blur();
    });
  }

  fillChoices(app) {
    $('colour').append(...app.colourings.map(({ key, label }) => option(key, label)));
    $('speed').append(...SPEEDS.map((speed) => option(speed, `${speed}×`)));
    for (const plane of ['contact', 'friction']) {
      const box = $(`arrows-${plane}`);
      box.disabled = !app.arrows[plane];
      box.parentElement.classList.toggle('off', box.disabled);
      if (box.disabled) box.parentElement.title = 'The run has no such forces in its frames';
    }
    $('obstacle-row').hidden = app.run.obstacles.length === 0;
  }

  showRun(app) {
    const { run } = app;
    const title = run.title || run.name;
    document.title = `${title} – Stiction`;
    $('title').textContent = title;
    // A file cannot know whether the run that it was made of went on.
    const open = run.state === 'running' && !app.source.live;
    this.showState(open ? 'unfinished' : run.state, run.reason);
    const size = run.tet_count > 0
      ? `${run.tet_count.toLocaleString('en')} tets`
      : `${run.triangle_count.toLocaleString('en')} triangles`;
    const every = run.every > 1 ? `, one in ${run.every}` : '';
    $('facts').textContent = `· ${size} · ${run.times.length} frames${every}`;
    $('scrub').max = run.times.length - 1;
    $('follow').hidden = !app.source.live || run.state !== 'running';
    this.showTime(app);
  }

  showState(state, reason) {
    $('state').textContent = STATES[state] || state;
    $('state').dataset.state = state;
    if (reason && state === 'failed') $('state').title = reason;
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
  }

  showPlayer(app) {
    const { player } = app;
    $('play').classList.toggle('on', player.playing);
    $('play').setAttribute('aria-label', player.playing ? 'Pause' : 'Play');
    $('loop').setAttribute('aria-pressed', player.loop);
    $('follow').setAttribute('aria-pressed', app.follow);
    $('speed').value = player.speed;
  }

  showColouring(app) {
    const { colouring } = app;
    $('colour').value = colouring.key;
    $('range-row').hidden = colouring.kind !== 'scale';
    if (colouring.kind !== 'scale') return;
    const range = app.rangeOf(colouring.plane);
    const [factor, prefix] = prefixFor(range);
    this.rangeFactor = factor;
    $('range').value = Number((range / factor).toPrecision(3));
    $('range-unit').textContent = prefix + colouring.unit;
  }

  readRange(app) {
    const value = Number($('range').value.replace(',', '.')) * this.rangeFactor;
    return value > 0 ? value : app.rangeOf(app.colouring.plane);
  }

  showSettings(app) {
    const { settings } = app;
    $('wires').checked = settings.wires;
    $('arrows-contact').checked = settings.contact;
    $('arrows-friction').checked = settings.friction;
    $('arrow-row').hidden = !(settings.contact || settings.friction);
    $('plots-on').checked = settings.plots;
    $('obstacles').value = app.obstacles.style;
    $('panel').hidden = !settings.panel;
    $('menu').setAttribute('aria-expanded', settings.panel);
    this.plots.hidden = !settings.plots;
  }

  // The window, and how much of its edges lies under panels.
  measure(app) {
    const width = window.innerWidth;
    const height = window.innerHeight;
    const foot = $('foot').getBoundingClientRect();
    const bottom = height - foot.top;
    this.legend.style.bottom = `${bottom + 14}px`;
    const wide = width > NARROW;
    const right = wide && app.settings.panel ? 240 : 0;
    return { width, height, hidden: { left: 0, right, top: wide ? 30 : 96, bottom } };
  }

  async loadHistory(source, run) {
    try {
      return parseHistory(await source.block('history'), run.history);
    } catch {
      return null; // the file has grown since: the next answer brings it
    }
  }

  fail(text) {
    $('note').textContent = text;
    $('note').hidden = false;
  }
}
