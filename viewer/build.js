// Packs the page into one HTML file, page.html, and that into view_page_bytes.c for the program.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

const MARK = '<!--stiction-data-->'; // src/show/view_page.c puts the run here

async function bundle(entry, options) {
  const result = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    legalComments: 'inline',
    charset: 'utf8',
    ...options,
  });
  return result.outputFiles[0].text;
}

function put(page, place, text) {
  if (page.split(place).length !== 2) throw new Error(`index.html must have one ${place}`);
  return page.replace(place, () => text);
}

// By which the page's policy knows what is its own.
function hash(text) {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

const style = await bundle('src/style.css', {});
const script = await bundle('src/main.js', { format: 'esm', target: 'es2022' });
let page = readFileSync('src/index.html', 'utf8');
page = put(page, '/* style.css */', style);
page = put(page, '/* main.js */', script);
page = put(page, 'SCRIPT-HASH', hash(script));
page = put(page, 'STYLE-HASH', hash(style));
if (page.split(MARK).length !== 2) throw new Error(`the page must have one ${MARK}`);
writeFileSync('page.html', page);

const bytes = Buffer.from(page);
const lines = [];
for (let at = 0; at < bytes.length; at += 64) lines.push(bytes.subarray(at, at + 64).join(','));
writeFileSync(
  'view_page_bytes.c',
  `#include <stddef.h>\nconst unsigned char st_view_page_bytes[] = {\n${lines.join(',\n')}};\n` +
    'const size_t st_view_page_size = sizeof st_view_page_bytes;\n',
);
