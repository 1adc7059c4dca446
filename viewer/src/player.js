// Which moment is shown, and how time advances.

export const SPEEDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20];

// Real time if that takes between 2 and 20 seconds; otherwise the nearest suitable speed.
export function suitableSpeed(duration) {
  const lasts = (speed) => duration / speed;
  if (lasts(1) >= 2 && lasts(1) <= 20) return 1;
  const away = (speed) => Math.abs(Math.log(lasts(speed) / 6));
  return SPEEDS.reduce((best, speed) => (away(speed) < away(best) ? speed : best), 1);
}

// The last of these times that is not after this one.
export function frameAt(times, time) {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= time + 1e-9 * Math.abs(time)) low = middle;
    else high = middle - 1;
  }
  return low;
}

// The times of several runs merged; nearly equal ones appear once.
export function mergeTimes(lists) {
  if (lists.length === 1) return lists[0];
  const all = lists.flat().sort((a, b) => a - b);
  const close = 1e-7 * (all[all.length - 1] || 1);
  return all.filter((time, i) => i + 1 === all.length || all[i + 1] - time > close);
}

export class Player {
  // duration: final duration of a run in progress.
  constructor(times, duration) {
    this.times = times;
    this.time = times[0] || 0;
    this.frame = 0;
    this.playing = false;
    this.loop = true;
    this.speed = suitableSpeed(duration || this.end());
  }

  end() {
    return this.times[this.times.length - 1] || 0;
  }

  setTimes(times) {
    this.times = times;
    this.frame = this.frameAt(this.time);
  }

  frameAt(time) {
    return frameAt(this.times, time);
  }

  seekFrame(frame) {
    this.frame = Math.min(Math.max(frame, 0), this.times.length - 1);
    this.time = this.times[this.frame];
  }

  seekTime(time) {
    this.seekFrame(this.frameAt(time));
  }

  toggle() {
    if (!this.playing && this.frame >= this.times.length - 1) this.seekFrame(0);
    this.playing = !this.playing;
  }

  changeSpeed(step) {
    const index = SPEEDS.indexOf(this.speed) + step;
    this.speed = SPEEDS[Math.min(Math.max(index, 0), SPEEDS.length - 1)];
  }

  // Advances by this many seconds of viewer time; ready: whether a frame could be shown.
  advance(seconds, ready) {
    if (!this.playing) return;
    let time = this.time + seconds * this.speed;
    if (time > this.end()) {
      if (this.loop && this.frame === this.times.length - 1) time = this.times[0];
      else time = this.end();
      if (!this.loop) this.playing = false;
    }
    const frame = this.frameAt(time);
    if (!ready(frame)) return; // waits rather than skips
    this.frame = frame;
    this.time = time;
  }
}
