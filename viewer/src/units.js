// Numbers with units, short enough for a legend.

const PREFIXES = [
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
  [1, ''],
  [1e-3, 'm'],
  [1e-6, 'µ'],
  [1e-9, 'n'],
];

// The prefix that suits values of this size.
export function prefixFor(largest) {
  const size = Math.abs(largest);
  if (!(size > 0) || !Number.isFinite(size)) return [1, ''];
  return PREFIXES.find(([factor]) => size >= 0.9999 * factor) || PREFIXES[PREFIXES.length - 1];
}

export function digits(value, step) {
  if (!(step > 0)) return String(Number(value.toPrecision(3)));
  const decimals = Math.min(8, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
  return value.toFixed(decimals).replace(/^-(0(\.0*)?)$/, '$1').replace('-', '−');
}

// Of a scale; pure numbers have no prefix.
export function prefixOfScale({ low, high }, unit) {
  return unit ? prefixFor(Math.max(Math.abs(low), Math.abs(high))) : [1, ''];
}

export function quantity(value, unit) {
  const [factor, prefix] = unit ? prefixFor(value) : [1, ''];
  return `${Number((value / factor).toPrecision(3))} ${prefix}${unit}`.trim();
}

function multiples(step, low, high) {
  const values = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * (high - low); i++)
    values.push(i * step);
  return values;
}

// About `count` round values from low to high, at least two: one alone gives no scale.
export function ticks(low, high, count) {
  const span = high - low;
  if (!(span > 0)) return { step: 0, values: [low] };
  const rough = span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const steps = [10, 5, 2, 1, 0.5, 0.2].map((m) => m * power);
  let at = steps.findLastIndex((step) => step >= rough * 0.999);
  while (at + 1 < steps.length && multiples(steps[at], low, high).length < 2) at++;
  return { step: steps[at], values: multiples(steps[at], low, high) };
}
