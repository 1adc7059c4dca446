// Small plots of the run's history above the time line, with a line at the moment that is shown.
import { digits, prefixFor, ticks } from './units.js';

const COLOURS = ['#3d8eb9', '#e07a5f', '#6a9c3f', '#8f6bb3', '#c9a227', '#d1669e', '#4fb3a5'];
const MARGIN = { left: 44, right: 8, top: 22, bottom: 6 };

export function parseHistory(bytes, history) {
  const columns = {};
  const all = new Float32Array(bytes.buffer, 0, history.rows * history.columns.length);
  history.columns.forEach(({ name, unit }, i) => {
    columns[name] = { unit, values: all.subarray(i * history.rows, (i + 1) * history.rows) };
  });
  return columns;
}

function energyName(column) {
  return column.replace(/_energy$/, '').replace(/_/g, ' ');
}

function largest(values) {
  return values.reduce((most, value) => Math.max(most, Math.abs(value) || 0), 0);
}

// Of the judge, in every step that it looked at.
const FINDINGS = ['crossings', 'self_crossings', 'obstacle_crossings', 'vertices_inside',
                  'inverted_tets'];

// What is plotted: only what the run has, energies that stay zero left out.
export function choosePlots(columns) {
  const plots = [];
  const energies = Object.keys(columns)
    .filter((name) => name.endsWith('_energy') && columns[name].values.some((v) => v !== 0));
  const size = Object.fromEntries(energies.map((name) => [name, largest(columns[name].values)]));
  size.total_energy = Infinity; // named first; small ones may not find room
  energies.sort((a, b) => size[b] - size[a]);
  if (energies.length)
    plots.push({ title: 'Energy', unit: 'J',
                 lines: energies.map((name) => ({ name: energyName(name), column: name,
                                                  strong: name === 'total_energy' })) });
  if (columns.newton_iterations)
    plots.push({ title: 'Newton iterations', unit: '', whole: true, zero: true,
                 lines: [{ name: 'per step', column: 'newton_iterations' }] });
  if (columns.deepest_gap && columns.deepest_gap.values.some((v) => Number.isFinite(v)))
    plots.push({ title: 'Smallest gap', unit: 'm', zero: true,
                 lines: [{ name: 'of all contacts', column: 'deepest_gap' }] });
  const found = FINDINGS.filter((name) => columns[name] && largest(columns[name].values) > 0);
  if (found.length)
    plots.push({ title: 'Findings', unit: '', whole: true, zero: true,
                 lines: found.map((name) => ({ name: name.replace(/_/g, ' '), column: name })) });
  return plots;
}

function bounds(plot, columns) {
  let low = plot.zero ? 0 : Infinity;
  let high = plot.zero ? 0 : -Infinity;
  for (const { column } of plot.lines)
    for (const value of columns[column].values) {
      if (!Number.isFinite(value)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
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
    this.element.append(this.canvas, this.cursor);
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

  draw(columns, end, style) {
    this.end = end;
    const width = this.element.clientWidth;
    const height = this.element.clientHeight;
    if (!width || !height) return;
    const ratio = Math.max(1, window.devicePixelRatio || 1);
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    const context = this.canvas.getContext('2d');
    context.scale(ratio, ratio);
    const { low, high } = bounds(this.plot, columns);
    const frame = { width, height, low, high,
                    inner: width - MARGIN.left - MARGIN.right,
                    tall: height - MARGIN.top - MARGIN.bottom };
    this.drawAxis(context, frame, style);
    this.plot.lines.forEach((line, i) => this.drawLine(context, frame, columns, line, i, style));
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
    context.fillText(title, 6, 13);
    this.drawNames(context, 14 + context.measureText(title).width, width, style);
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

  // Many steps to a pixel: the lowest and the highest of them are drawn.
  drawLine(context, frame, columns, line, index, style) {
    const times = columns.time.values;
    const values = columns[line.column].values;
    const { low, high, inner, tall } = frame;
    const place = (value) => MARGIN.top + tall * (1 - (value - low) / (high - low));
    context.strokeStyle = this.colour(line, index, style);
    context.lineWidth = line.strong ? 1.2 : 1.6;
    context.setLineDash(line.strong ? [4, 3] : []);
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
    this.cursor.style.transform = `translateX(${MARGIN.left + share * inner}px)`;
  }
}
