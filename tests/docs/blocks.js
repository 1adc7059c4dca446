// Writes the blocks of a Markdown file that have a language into a folder, as NUMBER.LANGUAGE in
// their order, or under the name that follows the language. Usage: node blocks.js FILE FOLDER
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const [file, folder] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const blocks = readFileSync(file, 'utf8').matchAll(/^```(\w+)(?: ([\w.-]+))?\n([\s\S]*?)^```$/gm);
let number = 0;
for (const [, language, name, text] of blocks) {
  number++;
  writeFileSync(`${folder}/${name ?? `${String(number).padStart(3, '0')}.${language}`}`, text);
}
