// The panel for the picked vertex: its current values, and one of them over time.
import { Plot } from './plots.js';
import { nameOfCell } from './surface.js';
import { quantities, Trace } from './probe.js';
import { quantity } from './units.js';

const REDRAW = 100; // ms between redraws while frames arrive

function element(kind, text, name) {
  const made = document.createElement(kind);
  if (text !== undefined) made.textContent = text;
  if (name) made.className = name;
  return made;
}

export class Inspector {
  constructor(app, panel) {
    this.app = app;
    this.panel = panel;
    const touches = app.sides.some(({ frames }) => frames.known.has('contact'));
    this.chosen = touches ? 'contact' : 'displacement';
    this.picked = null;
    this.drawn = 0;
  }

  // picked: { side, vertex, triangle, tet }; null: nothing.
  async pick(picked) {
    this.picked = picked;
    this.panel.hidden = !picked;
    if (!picked) return;
    const { run, bodies } = picked.side;
    this.list = quantities(run, bodies.surface.rest);
    if (!this.list.some(({ key }) => key === this.chosen)) this.chosen = this.list[0].key;
    this.trace = new Trace(this.list, picked.vertex, run.times);
    this.build();
    this.show();
    await this.follow(picked);
  }

  async follow(picked) {
    const stop = () => this.picked !== picked;
    const learnt = () => {
      if (performance.now() - this.drawn > REDRAW) this.draw();
    };
    await this.trace.fill(picked.side.frames, learnt, stop);
    if (!stop()) this.draw();
  }

  // A run in progress has more frames.
  update() {
    if (!this.trace || !this.picked) return;
    const { times } = this.picked.side.run;
    if (this.trace.times.length === times.length) return;
    this.trace.setTimes(times);
    this.follow(this.picked);
  }

  title() {
    const { side, vertex, triangle, tet } = this.picked;
    const { run, bodies } = side;
    const body = bodies.surface.bodyOf[vertex];
    const number = bodies.surface.numbers[vertex];
    const own = number - run.first_vertices[body];
    let face = triangle < 0 ? '' : `face of ${nameOfCell(run, bodies.surface.cells[triangle])}`;
    if (tet !== undefined) face = `of tet ${tet}`;
    const all = run.bodies.length > 1 ? `vertex ${number} of all` : '';
    const held = side.marks.held?.of(bodies, vertex)
      .map(({ name, axes }) => `held by ${name}${axes === 'xyz' ? '' : ` along ${[...axes].join(', ')}`}`);
    const of = this.app.sides.length > 1 ? run.name : '';
    return { name: `${run.bodies[body]}, vertex ${own}`,
             more: [of, all, face, ...(held || [])].filter(Boolean).join(' · ') };
  }

  build() {
    const { name, more } = this.title();
    const head = element('header');
    const close = element('button', '×', 'close');
    close.setAttribute('aria-label', 'Close');
    close.addEventListener('click', () => this.app.pick(null));
    head.append(element('h2', name), close);
    this.rows = this.list.map((entry) => this.makeRow(entry));
    const values = element('div', undefined, 'values');
    values.append(...this.rows.map(({ row }) => row));
    this.plotPlace = element('div', undefined, 'trace');
    this.panel.replaceChildren(head, ...(more ? [element('p', more)] : []), values, this.plotPlace);
    this.makePlot();
  }

  makeRow(entry) {
    const row = element('button', undefined, entry.part ? 'value part' : 'value');
    const number = element('span');
    row.append(element('span', entry.label), number);
    row.title = 'Plot over time';
    row.dataset.key = entry.key;
    row.addEventListener('click', () => this.choose(entry.key));
    return { entry, row, number };
  }

  choose(key) {
    this.chosen = key;
    this.makePlot();
    this.app.remember();
  }

  makePlot() {
    const index = this.list.findIndex(({ key }) => key === this.chosen);
    const entry = this.list[index];
    let whole = entry.label;
    if (entry.part) whole = `${this.list.slice(0, index).findLast((e) => !e.part).label} ${entry.label}`;
    this.plot = new Plot({ title: whole, unit: entry.unit, lines: [{ name: '', column: 'value' }],
                           whole: Boolean(entry.text) },
                         (time) => this.app.seekTime(time));
    this.plotPlace.replaceChildren(this.plot.element);
    for (const { row } of this.rows)
      row.setAttribute('aria-pressed', row.dataset.key === this.chosen);
    this.draw();
  }

  draw() {
    if (!this.picked || !this.plot) return;
    this.drawn = performance.now();
    const { app } = this;
    const columns = { time: { values: this.trace.times },
                      value: { values: this.trace.column(this.chosen) } };
    this.plot.draw([columns], app.plotEnd(), app.style());
    this.plot.showTime(app.player.time);
  }

  // Shows the values of the current frame.
  show() {
    if (!this.picked || !this.rows) return;
    const { frame } = this.picked.side.bodies;
    for (const { entry, number } of this.rows) {
      const value = entry.value(frame, this.picked.vertex);
      number.textContent = entry.text ? entry.text(value) : quantity(value, entry.unit);
    }
    if (this.plot) this.plot.showTime(this.app.player.time);
  }
}
