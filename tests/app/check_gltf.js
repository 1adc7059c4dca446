// Has Khronos' validator look at glTF files: no errors and no warnings, and in them what should be there.
// Usage: node check_gltf.js FOLDER_OF_NODE_MODULES FILE KEY=VALUE…   (keys of the validator's "info")
const { createRequire } = require("node:module");
const fs = require("node:fs");
const path = require("node:path");

const [folder, file, ...expected] = process.argv.slice(2);
const validator = createRequire(path.join(folder, "x.js"))("gltf-validator");

function read(name) {
  return new Uint8Array(fs.readFileSync(name));
}

async function main() {
  const beside = (uri) => Promise.resolve(read(path.join(path.dirname(file), decodeURIComponent(uri))));
  const report = await validator.validateBytes(read(file), {
    uri: path.basename(file),
    externalResourceFunction: beside,
  });
  const { numErrors, numWarnings, messages } = report.issues;
  if (numErrors + numWarnings > 0) throw new Error(`${file}: ${JSON.stringify(messages, null, 1)}`);
  for (const pair of expected) {
    const [key, value] = pair.split("=");
    const found = String(report.info[key]);
    if (found !== value) throw new Error(`${file}: ${key} is ${found}, not ${value}`);
  }
}

main().catch((error) => {
  console.error(error.message);
  process.exit(1);
});
