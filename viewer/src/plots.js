// Small plots of the run's history above the time line, with a line at the current moment.
import { saveBlob } from './picture.js';
import { digits, prefixFor, ticks } from './units.js';

const COLOURS = ['#3d8eb9', '#e07a5f', '#6a9c3f', '#8f6bb3', '#c9a227', '#d1669e', '#4fb3a5'];
const MARGIN = { left: 44, right: 8, top: 22, bottom: 6 };

// columns: by name, each { unit, values }.
export function parseHistory(bytes, history) {
  const columns = {};
  const all = new Float32Array(bytes.buffer, 0, history.rows * history.columns.length);
  history.columns.forEach(({ name, unit }, i) => {
    columns[name] = { unit, values: all.subarray(i * history.rows, (i + 1) * history.rows) };
  });
  for (const name of Object.keys(columns)) addFriction(columns, name);
  return columns;
}

// The size of a pair's friction, which the history has by components.
function addFriction(columns, name) {
  const pair = /^friction_x(\(.*\))$/.exec(name);
  if (!pair) return;
  const parts = ['x', 'y', 'z'].map((axis) => columns[`friction_${axis}${pair[1]}`]);
  if (parts.some((part) => !part)) return;
  const values = parts[0].values.map((x, i) => Math.hypot(x, parts[1].values[i], parts[2].values[i]));
  columns[`friction${pair[1]}`] = { unit: parts[0].unit, values };
}

function words(column) {
  return column.replace(/_/g, ' ');
}

function largest(values) {
  return values.reduce((most, value) => Math.max(most, Math.abs(value) || 0), 0);
}

// Of the judge, in every step that it looked at.
const FINDINGS = ['crossings', 'self_crossings', 'obstacle_crossings', 'vertices_inside',
                  'inverted_tets', 'passages'];

// Panels of related columns; only what the run has, without curves that stay zero.
class Panels {
  constructor(columns) {
    this.columns = columns;
    this.left = new Set(Object.keys(columns));
    this.list = [];
    for (const name of ['step', 'time', 'rung']) this.left.delete(name);
  }

  has(name) {
    const column = this.columns[name];
    return column && column.values.some((v) => Number.isFinite(v) && v !== 0);
  }

  // names: columns, or pairs of a column and its label.
  add(key, title, names, more = {}) {
    const lines = names.map((name) => (Array.isArray(name) ? name : [name, words(name)]));
    for (const [column] of lines) this.left.delete(column);
    const shown = lines.filter(([column]) => this.has(column));
    if (!shown.length) return;
    this.list.push({ key, title, unit: this.columns[shown[0][0]].unit, ...more,
                     lines: shown.map(([column, name]) =>
                       ({ column, name, strong: column === 'total_energy' })) });
  }
}

function addEnergies(panels) {
  const { columns } = panels;
  const energies = Object.keys(columns).filter((name) => name.endsWith('_energy'));
  const size = Object.fromEntries(energies.map((name) => [name, largest(columns[name].values)]));
  size.total_energy = Infinity; // named first; small ones may not find room
  energies.sort((a, b) => size[b] - size[a]);
  panels.add('energy', 'Energy', energies.map((name) => [name, words(name.replace(/_energy$/, ''))]),
             { usual: true });
}

function addPairs(panels) {
  for (const name of Object.keys(panels.columns)) {
    const pair = /^normal(\((.*)\))$/.exec(name);
    if (!pair) continue;
    const lines = [[name, 'normal'], [`friction${pair[1]}`, 'friction']];
    const title = pair[2].replace('|', ' on ');
    if (panels.has(name)) panels.add(`force${pair[1]}`, title, lines, { zero: true });
    for (const [column] of lines) panels.left.delete(column);
  }
}

// x, y and z of a vector in one panel, and the remaining columns alone.
function addOthers(panels) {
  for (const name of [...panels.left]) {
    if (!panels.left.has(name)) continue;
    const vector = /^(.*)_x(\(.*\))?$/.exec(name);
    const [, base, of = ''] = vector || [null, name];
    const lines = vector ? ['x', 'y', 'z'].map((axis) => [`${base}_${axis}${of}`, axis]) : [name];
    panels.add(vector ? base + of : name, words(base + of), lines);
  }
}

// All available panels; usual: those shown by default.
export function listPlots(columns) {
  const panels = new Panels(columns);
  const count = { whole: true, zero: true };
  addEnergies(panels);
  panels.add('newton', 'Newton iterations', ['newton_iterations'], { ...count, usual: true });
  panels.add('gap', 'Smallest gap', ['deepest_gap'], { zero: true, usual: true });
  panels.add('findings', 'Findings', FINDINGS, { ...count, usual: true });
  panels.add('forces', 'Contact forces',
             [['contact_normal_force', 'normal'], ['contact_friction_force', 'friction']],
             { zero: true });
  panels.add('touching', 'Vertices in contact', ['touching', 'sticking'], count);
  panels.add('linear', 'Linear iterations', ['linear_iterations'], count);
  addPairs(panels);
  addOthers(panels);
  return panels.list;
}

// The panels of several runs, each once.
export function mergePlots(histories) {
  const all = histories.flatMap((history) => listPlots(history));
  const merged = new Map();
  for (const panel of all) {
    const known = merged.get(panel.key);
    if (!known) merged.set(panel.key, { ...panel, lines: [...panel.lines] });
    else known.lines.push(...panel.lines.filter(({ column }) =>
      !known.lines.some((line) => line.column === column)));
  }
  return [...merged.values()];
}

// The curves of a panel as text: a table of each run, with all digits that the page has.
export function csvOf(plot, histories) {
  return histories.map((columns) => {
    const names = ['time', ...plot.lines.map(({ column }) => column)].filter((name) => columns[name]);
    const heading = names.map((name) =>
      (columns[name].unit ? `${name} [${columns[name].unit}]` : name)).join(',');
    const rows = Array.from(columns.time.values, (_, i) =>
      names.map((name) => Number(columns[name].values[i].toPrecision(9))).join(','));
    return [heading, ...rows, ''].join('\n');
  }).join('\n');
}

const RARE = 0.005; // fraction of values that may lie beyond the axis, at least one
const FAR = 3; // how far beyond, in spans of the others

// Ends of the axis: the extremes, unless one in 200 values lies far away from all others.
export function bounds(plot, histories) {
  const values = histories
    .flatMap((columns) => plot.lines.flatMap(({ column }) => [...(columns[column]?.values || [])]))
    .filter(Number.isFinite).sort((a, b) => a - b);
  if (!values.length) return { low: 0, high: 1 };
  const away = Math.max(1, Math.floor(RARE * values.length));
  const last = values.length - 1;
  let [low, high] = [values[0], values[last]];
  if (values.length >= 20) {
    const [inner, outer] = [values[away], values[last - away]];
    const span = outer - inner;
    if (span > 0 && high > outer + FAR * span) high = outer + 0.15 * span;
    if (span > 0 && low < inner - FAR * span) low = inner - 0.15 * span;
  }
  if (plot.zero) [low, high] = [Math.min(low, 0), Math.max(high, 0)];
  if (!(high > low)) high = low + (Math.abs(low) || 1);
  return { low, high };
}

export class Plot {
  constructor(plot, seek) {
    this.plot = plot;
    this.element = document.createElement('figure');
    this.element.className = 'plot';
    this.canvas = document.createElement('canvas');
    this.cursor = document.createElement('div');
    this.cursor.className = 'cursor';
    this.save = document.createElement('button');
    this.save.className = 'save';
    this.save.textContent = 'CSV';
    this.save.title = 'Save these curves as a table';
    this.save.addEventListener('pointerdown', (event) => event.stopPropagation());
    this.save.addEventListener('click', () => saveBlob(
      new Blob([csvOf(this.plot, this.histories)], { type: 'text/csv' }), `${this.plot.key}.csv`));
    this.element.append(this.canvas, this.cursor, this.save);
    this.element.setAttribute('aria-label', plot.title);
    const move = (event) => {
      if (!(event.buttons & 1)) return;
      const box = this.element.getBoundingClientRect();
      const inner = box.width - MARGIN.left - MARGIN.right;
      seek(this.end * Math.min(1, Math.max(0, (event.clientX - box.left - MARGIN.left) / inner)));
    };
    this.element.addEventListener('pointerdown', (event) => {
      this.element.setPointerCapture(event.pointerId);
      move(event);
    });
    this.element.addEventListener('pointermove', move);
  }

  // histories: the columns of each run; lines of the second are dotted.
  draw(histories, end, style) {
    this.end = end;
    this.histories = histories;
    const width = this.element.clientWidth;
    const height = this.element.clientHeight;
    if (!width || !height) return;
    const ratio = Math.max(1, window.devicePixelRatio || 1);
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    const context = this.canvas.getContext('2d');
    context.scale(ratio, ratio);
    const { low, high } = bounds(this.plot, histories);
    const frame = { width, height, low, high,
                    inner: width - MARGIN.left - MARGIN.right,
                    tall: height - MARGIN.top - MARGIN.bottom };
    this.drawAxis(context, frame, style);
    context.save();
    context.beginPath();
    context.rect(MARGIN.left - 1, MARGIN.top - 1, frame.inner + 2, frame.tall + 2);
    context.clip();
    this.forEachLine(histories, (columns, line, i, run) =>
      this.drawLine(context, frame, columns, line, i, run, style));
    context.restore();
    this.forEachLine(histories, (columns, line, i) =>
      this.drawBeyond(context, frame, columns, line, i, style));
  }

  forEachLine(histories, act) {
    histories.forEach((columns, run) => this.plot.lines.forEach((line, i) => {
      if (columns[line.column]) act(columns, line, i, run);
    }));
  }

  // Small triangles at the edge where values lie beyond the axis.
  drawBeyond(context, frame, columns, line, index, style) {
    const times = columns.time.values;
    const { values } = columns[line.column];
    context.fillStyle = this.colour(line, index, style);
    let before = -Infinity;
    for (let i = 0; i < times.length; i++) {
      const above = values[i] > frame.high;
      if (!above && !(values[i] < frame.low)) continue;
      const x = MARGIN.left + frame.inner * times[i] / this.end;
      if (x - before < 4) continue;
      before = x;
      const y = above ? MARGIN.top - 1 : MARGIN.top + frame.tall + 1;
      const tip = above ? y - 5 : y + 5;
      context.beginPath();
      context.moveTo(x - 3.5, y);
      context.lineTo(x + 3.5, y);
      context.lineTo(x, tip);
      context.fill();
    }
  }

  colour(line, index, style) {
    return line.strong ? style.ink : COLOURS[index % COLOURS.length];
  }

  drawAxis(context, frame, style) {
    const { low, high, tall, width } = frame;
    const size = Math.max(Math.abs(low), Math.abs(high));
    const [factor, prefix] = this.plot.unit ? prefixFor(size) : [1, ''];
    context.font = '11px system-ui, sans-serif';
    const { step, values } = ticks(low / factor, high / factor, 3);
    for (const value of values) {
      const y = MARGIN.top + tall * (1 - (value * factor - low) / (high - low));
      context.fillStyle = style.line;
      context.fillRect(MARGIN.left, Math.round(y), frame.inner, 1);
      context.fillStyle = style.soft;
      const text = digits(value, step);
      context.fillText(text, MARGIN.left - 6 - context.measureText(text).width, y + 4);
    }
    context.font = '600 11px system-ui, sans-serif';
    context.fillStyle = style.ink;
    const title = this.plot.title + (this.plot.unit ? ` [${prefix}${this.plot.unit}]` : '');
    const room = width - 12;
    context.fillText(title, 6, 13, room);
    this.drawNames(context, 14 + Math.min(room, context.measureText(title).width), width, style);
  }

  drawNames(context, start, width, style) {
    if (this.plot.lines.length < 2) return;
    context.font = '11px system-ui, sans-serif';
    let x = start;
    this.plot.lines.forEach((line, i) => {
      const needed = context.measureText(line.name).width;
      if (x + needed + 14 > width) return;
      context.fillStyle = this.colour(line, i, style);
      context.fillRect(x, 8, 8, 3);
      context.fillText(line.name, x + 11, 13);
      x += needed + 20;
    });
  }

  // If many steps share a pixel, the lowest and the highest of them are drawn.
  drawLine(context, frame, columns, line, index, run, style) {
    const times = columns.time.values;
    const values = columns[line.column].values;
    const { low, high, inner, tall } = frame;
    const place = (value) => MARGIN.top + tall * (1 - (value - low) / (high - low));
    context.strokeStyle = this.colour(line, index, style);
    context.lineWidth = line.strong ? 1.2 : 1.6;
    context.setLineDash(run > 0 ? [1.5, 3] : line.strong ? [4, 3] : []);
    context.lineJoin = 'round';
    context.beginPath();
    let drawing = false;
    for (let i = 0; i < times.length;) {
      const column = Math.round((2 * inner * times[i]) / this.end);
      let least = Infinity;
      let most = -Infinity;
      for (; i < times.length && Math.round((2 * inner * times[i]) / this.end) === column; i++) {
        if (!Number.isFinite(values[i])) continue;
        least = Math.min(least, values[i]);
        most = Math.max(most, values[i]);
      }
      if (most < least) {
        drawing = false;
        continue;
      }
      const x = MARGIN.left + column / 2;
      if (drawing) context.lineTo(x, place(least));
      else context.moveTo(x, place(least));
      if (most > least) context.lineTo(x, place(most));
      drawing = true;
    }
    context.stroke();
    context.setLineDash([]);
  }

  showTime(time) {
    const inner = this.element.clientWidth - MARGIN.left - MARGIN.right;
    const share = this.end > 0 ? Math.min(1, time / this.end) : 0;
    this.cursor.style.transform = `translateX(${Math.round(MARGIN.left + share * inner)}px)`;
  }
}
