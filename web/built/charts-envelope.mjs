// web/src/charts/envelope.ts
function lowerEnvelope(lines, from, to) {
  const at = (line, x) => line.at0 + line.slope * x;
  let best = lines[0];
  for (const line of lines) {
    const difference = at(line, from) - at(best, from);
    if (difference < 0 || difference === 0 && line.slope < best.slope) best = line;
  }
  const corners = [[from, at(best, from)]];
  for (let x = from; ; ) {
    let next = to;
    let follower;
    for (const line of lines) {
      if (line.slope >= best.slope) continue;
      const meeting = (line.at0 - best.at0) / (best.slope - line.slope);
      if (meeting < next || meeting === next && follower && line.slope < follower.slope) {
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
export {
  lowerEnvelope
};
