// Points in a cube as they are seen from some side, without perspective.

export type Point = [number, number, number];

export interface Side {
  yaw: number; // around the vertical axis
  pitch: number; // from above, up to a right angle
}

/** Right, up, and towards the one who looks. */
export function project([x, y, z]: Point, { yaw, pitch }: Side): Point {
  const right = Math.cos(yaw) * x - Math.sin(yaw) * y;
  const away = Math.sin(yaw) * x + Math.cos(yaw) * y;
  return [
    right,
    Math.cos(pitch) * z + Math.sin(pitch) * away,
    Math.sin(pitch) * z - Math.cos(pitch) * away,
  ];
}

/** The corners of a convex polygon, which come in no order, one after the other. */
export function around(corners: Point[]): Point[] {
  const middle = [0, 1].map((i) => corners.reduce((sum, p) => sum + p[i], 0) / corners.length);
  const angle = (p: Point) => Math.atan2(p[1] - middle[1], p[0] - middle[0]);
  return [...corners].sort((p, q) => angle(p) - angle(q));
}
