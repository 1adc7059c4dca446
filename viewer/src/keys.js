// Keyboard shortcuts: one table, which also produces the help.

export const KEYS = [
  { keys: [' '], shown: 'Space', text: 'play or pause', act: (app) => app.togglePlay() },
  { keys: ['ArrowRight'], shown: '→', text: 'next frame (⇧ ten)',
    act: (app, event) => app.stepFrames(event.shiftKey ? 10 : 1) },
  { keys: ['ArrowLeft'], shown: '←', text: 'frame before (⇧ ten)',
    act: (app, event) => app.stepFrames(event.shiftKey ? -10 : -1) },
  { keys: ['Home'], shown: 'Home', text: 'first frame', act: (app) => app.seekFrame(0) },
  { keys: ['End'], shown: 'End', text: 'last frame', act: (app) => app.seekFrame(Infinity) },
  { keys: ['ArrowUp'], shown: '↑', text: 'faster', act: (app) => app.changeSpeed(1) },
  { keys: ['ArrowDown'], shown: '↓', text: 'slower', act: (app) => app.changeSpeed(-1) },
  { keys: ['l'], shown: 'L', text: 'loop', act: (app) => app.toggleLoop() },
  { keys: ['c'], shown: 'C', text: 'next colouring (⇧ the one before)',
    act: (app, event) => app.nextColouring(event.shiftKey ? -1 : 1) },
  { keys: ['.'], shown: '.', text: 'next component', act: (app) => app.nextComponent(1) },
  { keys: [','], shown: ',', text: 'component before', act: (app) => app.nextComponent(-1) },
  { keys: ['d'], shown: 'D', text: 'larger deformation (⇧ smaller)',
    act: (app, event) => app.nextDeformation(event.shiftKey ? -1 : 1) },
  { keys: ['u'], shown: 'U', text: 'undeformed shape', act: (app) => app.toggle('ghost') },
  { keys: ['q'], shown: 'Q', text: 'held vertices', act: (app) => app.toggle('held') },
  { keys: ['w'], shown: 'W', text: 'mesh lines', act: (app) => app.toggle('wires') },
  { keys: ['a'], shown: 'A', text: 'contact arrows', act: (app) => app.toggle('contact') },
  { keys: ['r'], shown: 'R', text: 'friction arrows', act: (app) => app.toggle('friction') },
  { keys: ['e'], shown: 'E', text: 'contacts, seen through bodies',
    act: (app) => app.toggle('contacts') },
  { keys: ['j'], shown: 'J', text: 'marks where the judge found something',
    act: (app) => app.toggle('flags') },
  { keys: ['o'], shown: 'O', text: 'obstacles: solid, see-through, hidden',
    act: (app) => app.nextObstacleStyle() },
  { keys: ['p'], shown: 'P', text: 'plots', act: (app) => app.toggle('plots') },
  { keys: ['f'], shown: 'F', text: 'see everything', act: (app) => app.fit() },
  { keys: ['x'], shown: 'X', text: 'look from the right', act: (app) => app.lookFrom('right') },
  { keys: ['y'], shown: 'Y', text: 'look from the front', act: (app) => app.lookFrom('front') },
  { keys: ['z'], shown: 'Z', text: 'look from above', act: (app) => app.lookFrom('top') },
  { keys: ['g'], shown: 'G', text: 'go along with the body that was picked',
    act: (app) => app.followPicked() },
  { keys: ['i'], shown: 'I', text: 'that body alone, or all again',
    act: (app) => app.isolatePicked() },
  { keys: ['b'], shown: 'B', text: 'that body shown, faded, hidden',
    act: (app) => app.nextLookOfPicked() },
  { keys: ['k'], shown: 'K', text: 'cut across x, y, z, the view, or not at all',
    act: (app) => app.nextClip() },
  { keys: ['Escape'], shown: 'Esc', text: 'let go of what was picked', act: (app) => app.pick(null) },
  { keys: ['n'], shown: 'N', text: 'stay at the newest frame of a run under way',
    act: (app) => app.toggleFollow() },
  { keys: ['m'], shown: 'M', text: 'colours and display', act: (app) => app.toggle('panel') },
  { keys: ['t'], shown: 'T', text: 'light or dark', act: (app) => app.nextTheme() },
  { keys: ['s'], shown: 'S', text: 'save a picture', act: (app) => app.savePicture() },
  { keys: ['v'], shown: 'V', text: 'save a video of the run, or cancel',
    act: (app) => app.toggleFilm() },
  { keys: ['h', '?'], shown: '?', text: 'this help', act: (app) => app.toggleHelp() },
];

export function listenToKeys(app) {
  window.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof HTMLInputElement && event.target.inputMode) return; // text
    if (event.key === 'Escape' && app.page.help.open) return; // closes itself
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const entry = KEYS.find(({ keys }) => keys.includes(name));
    if (!entry) return;
    event.preventDefault();
    entry.act(app, event);
  });
}

export function fillHelp(dialog) {
  const title = document.createElement('h2');
  title.textContent = 'Keys';
  const list = document.createElement('dl');
  for (const { shown, text } of KEYS) {
    const term = document.createElement('dt');
    const key = document.createElement('kbd');
    key.textContent = shown;
    term.append(key);
    const meaning = document.createElement('dd');
    meaning.textContent = text;
    list.append(term, meaning);
  }
  const mouse = document.createElement('p');
  mouse.textContent =
    'Drag to turn, drag with the right button (or two fingers) to move, wheel or pinch to zoom ' +
    'towards the pointer. Click a body or a contact to read its values; double-click to look at ' +
    'that place. Click into a plot to go to that moment.';
  dialog.append(title, list, mouse);
  dialog.addEventListener('click', () => dialog.close());
}
