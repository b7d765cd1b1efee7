// web/src/studio/curve_value.ts
function corners(sweep) {
  const points = [];
  for (const { bound, objective } of [...sweep.points, ...sweep.breakpoints ?? []])
    if (typeof objective === "number") points.push([bound, objective]);
  points.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  return points.filter(([bound], i) => i === 0 || bound > points[i - 1][0] + 1e-12);
}
function kinks(sweep) {
  return (sweep.breakpoints ?? []).map(({ bound }) => Number(bound.toPrecision(9))).sort((a, b) => a - b);
}
function valueAt(sweep, bound) {
  const points = corners(sweep);
  const least = sweep.infeasible_below;
  if (typeof least === "number" && bound < least - 1e-9 * Math.max(1, least)) return Infinity;
  if (points.length === 0) return void 0;
  const slack = sweep.slack_above;
  const last = points[points.length - 1];
  if (bound >= last[0])
    return bound === last[0] || typeof slack === "number" ? last[1] : void 0;
  if (bound <= points[0][0]) return typeof least === "number" ? points[0][1] : void 0;
  const right = points.findIndex(([at]) => at >= bound);
  const [[a, left], [b, height]] = [points[right - 1], points[right]];
  return left + (bound - a) / (b - a) * (height - left);
}
function priceAt(sweep, bound) {
  const points = corners(sweep);
  for (let i = 1; i < points.length; ++i) {
    const [[a, left], [b, right]] = [points[i - 1], points[i]];
    if (bound >= a && bound < b) return Math.max(0, (left - right) / (b - a));
  }
  const last = points[points.length - 1];
  return last && bound >= last[0] && typeof sweep.slack_above === "number" ? 0 : void 0;
}
function snapped(value, at, reach) {
  let best = value;
  for (const kink of at)
    if (Math.abs(kink - value) <= reach && (best === value || Math.abs(kink - value) < Math.abs(best - value)))
      best = kink;
  return best;
}
function roundUp(value) {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].map((digit) => digit * power).find((v) => v >= value * 0.9999);
}
export {
  corners,
  kinks,
  priceAt,
  roundUp,
  snapped,
  valueAt
};
