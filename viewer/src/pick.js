// What is under the pointer: the nearest triangle along a ray, and its corner nearest to the hit.
import { Raycaster, Vector2, Vector3 } from 'three';

const NEAR_PIXELS = 10; // largest distance of a click from a contact's dot

export function rayAt(stage, canvas, x, y) {
  const box = canvas.getBoundingClientRect();
  const at = new Vector2(2 * (x - box.left) / box.width - 1, 1 - 2 * (y - box.top) / box.height);
  const caster = new Raycaster();
  caster.setFromCamera(at, stage.camera);
  return caster.ray;
}

// The ray's parameter at which it goes through triangle abc, or Infinity (Möller and Trumbore).
function meet(position, a, b, c, origin, direction) {
  const ux = position[3 * b] - position[3 * a];
  const uy = position[3 * b + 1] - position[3 * a + 1];
  const uz = position[3 * b + 2] - position[3 * a + 2];
  const vx = position[3 * c] - position[3 * a];
  const vy = position[3 * c + 1] - position[3 * a + 1];
  const vz = position[3 * c + 2] - position[3 * a + 2];
  const px = direction.y * vz - direction.z * vy;
  const py = direction.z * vx - direction.x * vz;
  const pz = direction.x * vy - direction.y * vx;
  const volume = ux * px + uy * py + uz * pz;
  if (volume === 0) return Infinity;
  const sx = origin.x - position[3 * a];
  const sy = origin.y - position[3 * a + 1];
  const sz = origin.z - position[3 * a + 2];
  const u = (sx * px + sy * py + sz * pz) / volume;
  if (u < 0 || u > 1) return Infinity;
  const qx = sy * uz - sz * uy;
  const qy = sz * ux - sx * uz;
  const qz = sx * uy - sy * ux;
  const v = (direction.x * qx + direction.y * qy + direction.z * qz) / volume;
  if (v < 0 || u + v > 1) return Infinity;
  return (vx * qx + vy * qy + vz * qz) / volume;
}

function nearestCorner(bodies, triangle, point) {
  const place = [0, 0, 0];
  let found = -1;
  let least = Infinity;
  for (let i = 0; i < 3; i++) {
    const vertex = bodies.surface.triangles[3 * triangle + i];
    bodies.place(vertex, place);
    const distance = point.distanceTo(new Vector3(...place));
    if (distance >= least) continue;
    least = distance;
    found = vertex;
  }
  return found;
}

// { vertex, triangle, point } or null. Ignores hidden bodies and parts behind a clipping plane.
export function pickSurface(bodies, ray, clip) {
  const position = bodies.position.array;
  const { triangles } = bodies.surface;
  const point = new Vector3();
  let least = Infinity;
  let found = -1;
  for (let t = 0; t < triangles.length; t += 3) {
    if (bodies.isHidden(triangles[t])) continue;
    const away = meet(position, triangles[t], triangles[t + 1], triangles[t + 2],
                      ray.origin, ray.direction);
    if (!(away > 0) || away >= least) continue;
    if (clip && clip.distanceToPoint(ray.at(away, point)) < 0) continue;
    least = away;
    found = t / 3;
  }
  if (found < 0) return null;
  ray.at(least, point);
  return { triangle: found, vertex: nearestCorner(bodies, found, point), point: point.clone() };
}

// The vertex of a list whose dot is under the pointer: dots show through bodies.
export function pickDot(bodies, list, stage, canvas, x, y) {
  const box = canvas.getBoundingClientRect();
  const place = [0, 0, 0];
  const point = new Vector3();
  let least = NEAR_PIXELS;
  let found = null;
  for (const vertex of list) {
    point.set(...bodies.place(vertex, place)).project(stage.camera);
    const dx = box.left + (point.x + 1) * box.width / 2 - x;
    const dy = box.top + (1 - point.y) * box.height / 2 - y;
    const away = Math.hypot(dx, dy);
    if (point.z > 1 || away >= least) continue;
    least = away;
    found = { vertex, triangle: -1, point: new Vector3(...place) };
  }
  return found;
}
