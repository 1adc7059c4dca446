// By which displacements are multiplied for display.

const FACTORS = [0, 1];
for (let power = 1; power <= 1e6; power *= 10) FACTORS.push(2 * power, 5 * power, 10 * power);

const VISIBLE = 0.15; // the largest displacement, of the radius of everything

// The next larger one for a step of 1, the next smaller one for -1.
export function nextFactor(factor, step) {
  const next = step > 0 ? FACTORS.find((one) => one > factor)
    : FACTORS.findLast((one) => one < factor);
  return next ?? factor;
}

export function suitableFactor(radius, farthest) {
  if (!(farthest > 0)) return 1;
  return FACTORS.findLast((one) => one * farthest <= VISIBLE * radius) || 1;
}
