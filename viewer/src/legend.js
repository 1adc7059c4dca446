// The meaning of colours and arrows, drawn on a canvas so that saved pictures can include it.
import { PALETTE_SIZE, mapTable } from './colours.js';
import { digits, prefixOfScale, quantity, ticks } from './units.js';

const WIDTH = 210;
const BAR = 12;
const LINE = 20;
const FONT = '12px system-ui, sans-serif';
const BOLD = '600 12px system-ui, sans-serif';

function scaleHeight() {
  return LINE + BAR + 22;
}

// Values that get a mark: of a logarithmic scale the powers of ten, or a few of them, if there are
// two; otherwise round numbers.
function marksOf({ low, high, logarithmic }, factor) {
  const [from, to] = [low / factor, high / factor];
  const first = Math.ceil(Math.log10(from) - 1e-9);
  const last = Math.floor(Math.log10(to) + 1e-9);
  if (!logarithmic || last <= first) {
    const { step, values } = ticks(from, to, 4);
    return values.map((value) => ({ value, text: digits(value, step) }));
  }
  const every = Math.ceil((last - first) / 4);
  return Array.from({ length: Math.floor((last - first) / every) + 1 }, (_, i) => {
    const value = 10 ** (first + i * every);
    return { value, text: String(Number(value.toPrecision(1))).replace('e', ' e') };
  });
}

function shareOf({ low, high, logarithmic }, value) {
  return logarithmic ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
}

const NOTES = { frame: ', each frame' };

function drawScale(context, { label, unit, scale }, ink) {
  const [factor, prefix] = prefixOfScale(scale, unit);
  const title = unit ? `${label} [${prefix}${unit}]` : label;
  context.font = BOLD;
  context.fillStyle = ink;
  context.fillText(title + (NOTES[scale.mode] || ''), 0, 12, WIDTH);
  const table = mapTable(scale.anchors, WIDTH);
  for (let x = 0; x < WIDTH; x++) {
    context.fillStyle = `rgb(${table[4 * x]},${table[4 * x + 1]},${table[4 * x + 2]})`;
    context.fillRect(x, LINE, 1.5, BAR);
  }
  context.font = FONT;
  context.fillStyle = ink;
  if (!(scale.high > scale.low)) {
    context.fillText(`${digits(scale.low / factor)} everywhere`, 0, LINE + BAR + 15);
    return;
  }
  for (const { value, text } of marksOf(scale, factor)) {
    const x = shareOf(scale, value * factor) * WIDTH;
    const width = context.measureText(text).width;
    context.fillRect(Math.min(x, WIDTH - 1), LINE + BAR, 1, 4);
    context.fillText(text, Math.max(0, Math.min(x - width / 2, WIDTH - width)), LINE + BAR + 16);
  }
}

function drawList(context, colouring, ink) {
  context.font = BOLD;
  context.fillStyle = ink;
  context.fillText(colouring.label, 0, 12);
  context.font = FONT;
  colouring.entries.forEach(({ name, colour }, i) => {
    const y = LINE + i * LINE;
    if (colour === 'transparent') { // a text entry of the list
      context.fillStyle = ink;
      context.fillText(name, 0, y + 11.5, WIDTH);
      return;
    }
    context.fillStyle = colour;
    context.beginPath();
    context.roundRect(0, y, 14, 14, 4);
    context.fill();
    context.fillStyle = ink;
    context.fillText(name, 22, y + 11.5, WIDTH - 22);
  });
}

function drawArrow(context, arrow, y, ink) {
  context.strokeStyle = arrow.colour;
  context.fillStyle = arrow.colour;
  context.lineWidth = 2.5;
  context.beginPath();
  context.moveTo(0, y + 7);
  context.lineTo(22, y + 7);
  context.stroke();
  context.beginPath();
  context.moveTo(32, y + 7);
  context.lineTo(21, y + 2);
  context.lineTo(21, y + 12);
  context.fill();
  context.font = FONT;
  context.fillStyle = ink;
  context.fillText(`${arrow.label}, longest ${quantity(arrow.range, 'N')}`, 40, y + 11.5,
                   WIDTH - 40);
}

const MOST_ENTRIES = PALETTE_SIZE; // beyond, colours repeat, and a list would be useless
const MOST_NARROW = 5;

// As many entries as fit. A phone has room for few.
function shorten(entries) {
  const most = window.innerWidth > 700 ? MOST_ENTRIES : MOST_NARROW;
  if (entries.length > MOST_ENTRIES)
    return [{ name: `${entries.length}, click one for its name`, colour: 'transparent' }];
  if (entries.length <= most) return entries;
  const more = { name: `and ${entries.length - most + 1} more`, colour: 'transparent' };
  return [...entries.slice(0, most - 1), more];
}

export class Legend {
  constructor(canvas) {
    this.canvas = canvas;
  }

  // arrows: those that are shown, each { label, colour, range }.
  draw(colouring, arrows, ink) {
    const shown = colouring.kind === 'list'
      ? { ...colouring, entries: shorten(colouring.entries) } : colouring;
    const body = shown.kind === 'scale' ? scaleHeight() : LINE * (1 + shown.entries.length);
    const height = body + LINE * arrows.length;
    const ratio = Math.max(2, window.devicePixelRatio || 1);
    this.canvas.width = WIDTH * ratio;
    this.canvas.height = height * ratio;
    this.canvas.style.width = `${WIDTH}px`;
    this.canvas.style.height = `${height}px`;
    const context = this.canvas.getContext('2d');
    context.scale(ratio, ratio);
    if (shown.kind === 'list') drawList(context, shown, ink);
    else if (shown.scale) drawScale(context, shown, ink);
    arrows.forEach((arrow, i) => drawArrow(context, arrow, body + i * LINE, ink));
    this.canvas.setAttribute('aria-label', shown.label);
  }
}
