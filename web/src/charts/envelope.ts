// L(λ) = min over policies of C0 + λ·(C - u), a minimum of linear functions: exactly, along one
// multiplier.

export interface Line {
  at0: number;
  slope: number;
}

/** The corners of the minimum of all lines over [from, to]. */
export function lowerEnvelope(lines: Line[], from: number, to: number): [number, number][] {
  const at = (line: Line, x: number) => line.at0 + line.slope * x;
  // Where two lines meet, the one that falls faster (or rises less) is the lower one afterwards.
  let best = lines[0];
  for (const line of lines) {
    const difference = at(line, from) - at(best, from);
    if (difference < 0 || (difference === 0 && line.slope < best.slope)) best = line;
  }
  const corners: [number, number][] = [[from, at(best, from)]];
  for (let x = from; ;) {
    let next = to;
    let follower: Line | undefined;
    for (const line of lines) {
      if (line.slope >= best.slope) continue;
      const meeting = (line.at0 - best.at0) / (best.slope - line.slope);
      if (meeting < next || (meeting === next && follower && line.slope < follower.slope)) {
        next = Math.max(meeting, x);
        follower = line;
      }
    }
    corners.push([next, at(best, next)]);
    if (!follower) return corners;
    best = follower;
    x = next;
  }
}
