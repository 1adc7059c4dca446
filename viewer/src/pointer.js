// Clicks on the picture: one picks, two focus. A drag turns the camera and is not a click.

const STILL = 5; // pixels a pointer may move during a click
const SOON = 350; // ms between the two clicks of a double click

export function listenToPointer(app, side) {
  const { canvas } = side;
  let start = null;
  let before = { time: -Infinity, x: 0, y: 0 };
  const away = (event, from) => Math.hypot(event.clientX - from.x, event.clientY - from.y);
  canvas.addEventListener('pointerdown', (event) => {
    start = event.isPrimary && event.button === 0 ? { x: event.clientX, y: event.clientY } : null;
  });
  canvas.addEventListener('pointerup', (event) => {
    if (!start || !event.isPrimary || away(event, start) > STILL) return;
    start = null;
    const { clientX: x, clientY: y, timeStamp: time } = event;
    const twice = time - before.time < SOON && away(event, before) < 3 * STILL;
    before = { time: twice ? -Infinity : time, x, y };
    if (twice) app.focusAt(side, x, y);
    else app.pickAt(side, x, y);
  });
}
