// A plane that cuts bodies open: parts behind it are not drawn.
import { Plane, Vector3 } from 'three';

export const CLIPS = ['off', 'x', 'y', 'z', 'view'];

export class Clip {
  constructor() {
    this.kind = 'off';
    this.share = 0.5; // fraction of the box of all motion that is cut away
    this.flipped = false;
    this.plane = new Plane();
    this.normal = new Vector3(); // for 'view': the direction when it was chosen
  }

  // Cuts away the half nearer to the camera.
  choose(kind, camera) {
    this.kind = CLIPS.includes(kind) ? kind : 'off';
    const direction = camera.getWorldDirection(new Vector3());
    if (this.kind === 'view') this.normal.copy(direction);
    else if (this.kind !== 'off')
      this.normal.set(...['x', 'y', 'z'].map((axis) =>
        (axis === this.kind ? Math.sign(direction[axis]) || 1 : 0)));
  }

  // The plane for this stage, or null.
  place(stage) {
    if (this.kind === 'off') return null;
    const { normal, plane } = this;
    const reach = Math.abs(normal.x) * stage.half.x + Math.abs(normal.y) * stage.half.y +
      Math.abs(normal.z) * stage.half.z;
    const point = stage.centre.clone().addScaledVector(normal, (2 * this.share - 1) * 1.01 * reach);
    plane.setFromNormalAndCoplanarPoint(normal, point);
    if (this.flipped) plane.negate();
    return plane;
  }

  toText() {
    if (this.kind === 'off') return 'off';
    const direction = this.normal.toArray().map((part) => Number(part.toFixed(4)));
    return [this.kind, this.share, this.flipped ? 1 : 0, ...direction].join(',');
  }

  fromText(text, camera) {
    const [kind, share, flipped, ...normal] = text.split(',');
    this.choose(kind, camera);
    const number = Number(share);
    if (number >= 0 && number <= 1) this.share = number;
    this.flipped = flipped === '1';
    const direction = new Vector3(...normal.map(Number));
    if (normal.length === 3 && direction.length() > 0.5) this.normal.copy(direction.normalize());
  }
}
