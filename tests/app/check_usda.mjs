// Has three.js read a USD file: the meshes it finds in it, how many triangles they have and how wide they are.
// Usage: node check_usda.mjs FOLDER_OF_NODE_MODULES FILE NAME=TRIANGLES,X,Y,Z…   (X, Y, Z: how wide, in m)
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, file, ...expected] = process.argv.slice(2);
const three = pathToFileURL(join(folder, "node_modules/three/")).href;
const { Box3, Vector3 } = await import(`${three}build/three.module.js`);
const { USDLoader } = await import(`${three}examples/jsm/loaders/USDLoader.js`);

const found = new Map();
const scene = new USDLoader().parse(readFileSync(file, "utf8"));
scene.updateMatrixWorld(true);
scene.traverse((object) => {
  if (!object.isMesh) return;
  const { index, attributes } = object.geometry;
  const box = new Box3().setFromObject(object);
  found.set(object.name, { triangles: (index ?? attributes.position).count / 3, box });
});

for (const pair of expected) {
  const [name, triangles, ...size] = pair.split(/[=,]/);
  const mesh = found.get(name);
  if (!mesh) throw new Error(`${file}: there is no mesh ${name}, only ${[...found.keys()].join(", ")}`);
  if (mesh.triangles !== Number(triangles)) throw new Error(`${name} has ${mesh.triangles} triangles, not ${triangles}`);
  // The reader turns z up into y up.
  const way = mesh.box.getSize(new Vector3());
  [way.x, way.z, way.y].forEach((length, i) => {
    if (size[i] && Math.abs(length - Number(size[i])) > 1e-5) throw new Error(`${name}: ${length} m, not ${size[i]} m`);
  });
}
