// How long changes of frame took, in milliseconds of script: for tests and curiosity.

const KEPT = 500;

export class Timing {
  constructor() {
    this.updates = []; // frame to graphics card
    this.wholes = []; // with the drawing commands
  }

  add(update, whole) {
    this.updates.push(update);
    this.wholes.push(whole);
    if (this.updates.length > KEPT) {
      this.updates.shift();
      this.wholes.shift();
    }
  }

  static summary(list) {
    const sorted = [...list].sort((a, b) => a - b);
    return { count: sorted.length, median: sorted[sorted.length >> 1],
             most: sorted[sorted.length - 1] };
  }
}
