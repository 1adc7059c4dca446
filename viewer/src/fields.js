// The fields of a run's frames: what they are made of, and their values at a vertex.
import { decodeDirection, decodeSigned, decodeValue } from './codec.js';

const STEPS = 65535;
const AXES = ['x', 'y', 'z'];
const OF_VECTOR = [{ name: 'size', label: 'size', kind: 'amount' },
                   ...AXES.map((name) => ({ name, label: name, kind: 'signed' }))];

// Computed from positions, which have a group of their own.
const DISPLACEMENT = { name: 'displacement', label: 'Displacement', unit: 'm', group: 'position',
                       vector: true, components: OF_VECTOR };

// Each { name, label, unit, group, vector, components: [{ name, label, kind }] }. group: what must
// be unpacked; kind: 'amount' from 0 up, 'signed', or 'number'.
export function fieldsOf(run) {
  const fields = run.fields.map(({ name, label, unit, kind, components }) => {
    const vector = kind === 'vector';
    const own = components || [{ name: '', label: '', kind }];
    return { name, label, unit, group: name, vector, components: vector ? OF_VECTOR : own };
  });
  return [DISPLACEMENT, ...fields];
}

// Of a frame's displacements: metres for each step of their 16 bits.
export function stepOf(frame) {
  return frame.header.groups.position.size / STEPS;
}

function displacementOf(frame, component) {
  const { position } = frame;
  const { low } = frame.header.groups.position;
  const step = stepOf(frame);
  const along = (v, axis) => low[axis] + step * position[3 * v + axis];
  if (component > 0) return (v) => along(v, component - 1);
  return (v) => Math.hypot(along(v, 0), along(v, 1), along(v, 2));
}

function vectorOf([length, first, second], largest, component) {
  const direction = [0, 0, 0];
  if (component === 0) return (v) => decodeValue(length[v], largest);
  return (v) => {
    if (!length[v]) return 0;
    decodeDirection(first[v], second[v], direction);
    return decodeValue(length[v], largest) * direction[component - 1];
  };
}

// The frame's values of one component as a function of the vertex. null: the run has no such field,
// or this frame's is not unpacked.
export function reader(frame, field, component) {
  if (field.group === 'position') return displacementOf(frame, component);
  const planes = frame.fields[field.group];
  if (!planes) return null;
  const { largest } = frame.header.groups[field.group];
  if (field.vector) return vectorOf(planes, largest[0], component);
  const plane = planes[component];
  const { kind } = field.components[component];
  if (kind === 'number') return (v) => plane[v];
  const decode = kind === 'signed' ? decodeSigned : decodeValue;
  const values = Float64Array.from({ length: 256 }, (_, code) => decode(code, largest[component]));
  return (v) => values[plane[v]];
}

// A plane of small whole numbers, such as states; null: there is none.
export function numbers(frame, name) {
  return frame.fields[name]?.[0] || null;
}
