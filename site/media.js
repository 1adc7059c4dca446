// Videos and packed runs that site/media has made of the examples. Without them pages have pictures
// only, and the live page says how to make them.
import { cpSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { relative } from './tree.js';

function namesIn(folder, ending) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length)).sort();
}

export class Media {
  // folder: '' where there are none.
  constructor(folder) {
    this.folder = folder;
    this.videos = folder ? namesIn(join(folder, 'videos'), '.webm') : [];
    this.runs = folder ? namesIn(join(folder, 'live'), '.html') : [];
  }

  copyTo(folder) {
    for (const part of ['videos', 'live'])
      if (this.folder && existsSync(join(this.folder, part)))
        cpSync(join(this.folder, part), join(folder, part), { recursive: true });
  }

  // Replaces a picture of a page by the video of the same name, if there is one. A click plays it and
  // shows the controls, which would hide small pictures before.
  video(address, picture, text) {
    const name = picture.match(/([\w-]+)\.webp$/)?.[1];
    if (!name || !this.videos.includes(name)) return '';
    const source = relative(address, `videos/${name}.webm`);
    return `<span class="film"><video src="${source}" poster="${picture}" aria-label="${text}" loop ` +
      'muted playsinline preload="none" tabindex="0" ' +
      'onclick="if (!this.controls) { this.controls = true; this.play(); }" ' +
      'onkeydown="if (event.key === \'Enter\') this.click()" ' +
      'onplay="this.parentNode.className = \'film played\'"></video></span>';
  }

  // A packed run in a frame, and buttons for the others. names: which, the first is shown.
  live(address, names) {
    const there = names.filter((name) => this.runs.includes(name));
    if (!there.length)
      return '<p class="note">This copy of the pages has no packed runs: <code>make site</code> ' +
        'makes them.</p>\n';
    const place = (name) => relative(address, `live/${name}.html`);
    const buttons = there.map((name) =>
      `<button data-run="${place(name)}">${name}</button>`).join('');
    return `<div id="live"><p>${buttons}<a href="${place(there[0])}" target="_blank">whole window</a></p>` +
      `<iframe src="${place(there[0])}" title="The viewer, with a run of ${there[0]}"></iframe></div>\n` +
      `<script>
for (const button of document.querySelectorAll('#live button'))
  button.onclick = () => {
    document.querySelector('#live iframe').src = button.dataset.run;
    document.querySelector('#live a').href = button.dataset.run;
  };
</script>\n`;
  }
}
