// Every block of C in a Markdown file stands, line for line, in one of the given sources.
// Usage: node excerpts.js PAGE LEAST SOURCE… (LEAST: how many blocks there are at least)
import { readFileSync } from 'node:fs';

const [page, least, ...sources] = process.argv.slice(2);
const texts = sources.map((source) => '\n' + readFileSync(source, 'utf8'));
const blocks = [...readFileSync(page, 'utf8').matchAll(/^```c\n([\s\S]*?)^```$/gm)];
for (const [, block] of blocks)
  if (!texts.some((text) => text.includes('\n' + block))) {
    console.error(`${page} has a block that is in none of ${sources.join(', ')}:\n${block}`);
    process.exit(1);
  }
if (blocks.length < Number(least)) {
  console.error(`${page} has only ${blocks.length} blocks of C`);
  process.exit(1);
}
