// Where the bytes of a run come from: the page itself, or the program that serves it.
import { fromBase64, inflate } from './codec.js';

const POLL_MILLISECONDS = 1000;

function element(number, id) {
  return document.getElementById(`data-${number}-${id}`);
}

// A page that contains everything.
class EmbeddedSource {
  constructor(number) {
    this.number = number;
    this.run = JSON.parse(element(number, 'run').textContent);
    this.live = false;
    this.ahead = 2; // packs to prefetch
    this.packs = this.run.packs;
  }

  async block(name) {
    return inflate(fromBase64(element(this.number, name).textContent));
  }

  async pack(index, group) {
    return { header: this.packs[index], bytes: await this.block(`pack-${index}-${group}`) };
  }

  packOf(frame) {
    let index = this.packs.length - 1;
    while (index > 0 && this.packs[index].first > frame) index--;
    return index;
  }

  follow() {}
}

async function get(path) {
  const response = await fetch(path, { cache: 'no-store' });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response;
}

// A program that serves frames on demand; every pack is one frame.
class ServedSource {
  constructor(number, run) {
    this.number = number;
    this.run = run;
    this.live = true;
    this.ahead = 8;
  }

  async block(name) {
    return inflate(new Uint8Array(await (await get(`${this.number}/block/${name}`)).arrayBuffer()));
  }

  async pack(index, group) {
    const path = `${this.number}/frame/${index}/${group}`;
    const bytes = new Uint8Array(await (await get(path)).arrayBuffer());
    const length = new DataView(bytes.buffer).getUint32(0, true);
    const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
    return { header, bytes: await inflate(bytes.subarray(4 + length)) };
  }

  packOf(frame) {
    return frame;
  }

  // Calls back with the current run, and with null if the program does not answer. A finished run
  // may be replaced by another one in the same folder: the page then restarts.
  follow(changed) {
    const ask = async () => {
      let run = null;
      try {
        run = await (await get(`${this.number}/run`)).json();
      } catch {
        // The program was stopped: what has been seen stays on the screen.
      }
      if (run && run.generation !== undefined && run.generation !== this.run.generation) {
        location.reload();
        return;
      }
      if (run && run.state !== 'waiting') this.run = run;
      changed(run);
      setTimeout(ask, run && run.state === 'finished' ? 3 * POLL_MILLISECONDS : POLL_MILLISECONDS);
    };
    setTimeout(ask, POLL_MILLISECONDS);
  }
}

async function openServed(number, waiting) {
  for (;;) {
    const run = await (await get(`${number}/run`)).json();
    if (run.state !== 'waiting') return new ServedSource(number, run);
    waiting(run.reason);
    await new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS));
  }
}

// One for each run. waiting: called with a text while there is no run yet.
export async function openSources(waiting) {
  const sources = [];
  while (element(sources.length, 'run')) sources.push(new EmbeddedSource(sources.length));
  if (sources.length) return sources;
  const { count } = await (await get('runs')).json();
  return Promise.all(Array.from({ length: count }, (_, number) => openServed(number, waiting)));
}
