// web/src/studio/estimate.ts
var tolerance = 1e-9;
function pivot(rows, basis, row, column) {
  const pivotRow = rows[row];
  const factor = pivotRow[column];
  for (let k = 0; k < pivotRow.length; ++k) pivotRow[k] /= factor;
  rows.forEach((other, i) => {
    const share = other[column];
    if (i === row || share === 0) return;
    for (let k = 0; k < other.length; ++k) other[k] -= share * pivotRow[k];
  });
  basis[row] = column;
}
function minimise(rows, basis, columns) {
  const objective = rows[rows.length - 1];
  const end = objective.length - 1;
  for (let step = 0; step < 2e3; ++step) {
    let column = -1;
    for (let k = 0; k < columns; ++k)
      if (objective[k] < -tolerance && (column < 0 || step < 200 && objective[k] < objective[column]))
        column = k;
    if (column < 0) return true;
    let row = -1;
    for (let i = 0; i < basis.length; ++i) {
      if (rows[i][column] <= tolerance) continue;
      const ratio = rows[i][end] / rows[i][column];
      const best = row < 0 ? Infinity : rows[row][end] / rows[row][column];
      if (ratio < best - 1e-12 || ratio <= best + 1e-12 && basis[i] < basis[row]) row = i;
    }
    if (row < 0) return false;
    pivot(rows, basis, row, column);
  }
  return false;
}
function estimate(policies, bounds) {
  const bounded = bounds.flatMap((bound, i) => i > 0 && bound !== null ? [i] : []);
  const [n, m] = [policies.length, bounded.length];
  if (n === 0) return void 0;
  const scale = bounds.map(
    (_, i) => policies.reduce((most, costs2) => Math.max(most, Math.abs(costs2[i])), 0) || 1
  );
  const width = n + m + 2;
  const rows = [];
  for (const [k, i] of bounded.entries()) {
    const row = new Float64Array(width);
    policies.forEach((costs2, p) => row[p] = costs2[i] / scale[i]);
    row[n + k] = 1;
    row[width - 1] = bounds[i] / scale[i];
    rows.push(row);
  }
  const sum = new Float64Array(width);
  sum.fill(1, 0, n);
  sum[n + m] = 1;
  sum[width - 1] = 1;
  rows.push(sum);
  const basis = [...bounded.map((_, k) => n + k), n + m];
  const first = new Float64Array(width);
  first.set(sum.map((value) => -value));
  first[n + m] = 0;
  rows.push(first);
  if (!minimise(rows, basis, n + m) || rows[m + 1][width - 1] < -1e-7) return void 0;
  const stuck = basis.indexOf(n + m);
  if (stuck >= 0) {
    const column = rows[stuck].findIndex((value, k) => k < n + m && Math.abs(value) > tolerance);
    if (column >= 0) pivot(rows, basis, stuck, column);
  }
  const second = new Float64Array(width);
  policies.forEach((costs2, p) => second[p] = costs2[0] / scale[0]);
  rows[m + 1] = second;
  basis.forEach((column, i) => {
    const share = second[column];
    if (share !== 0) for (let k = 0; k < width; ++k) second[k] -= share * rows[i][k];
  });
  if (!minimise(rows, basis, n + m)) return void 0;
  const weights = new Array(n).fill(0);
  basis.forEach((column, i) => {
    if (column < n) weights[column] = Math.max(0, rows[i][width - 1]);
  });
  const costs = bounds.map(
    (_, i) => policies.reduce((total, policy, p) => total + weights[p] * policy[i], 0)
  );
  return { costs, weights };
}
var KnownPolicies = class {
  all = [];
  keys = /* @__PURE__ */ new Set();
  add(costs) {
    const key = costs.map((cost) => cost.toPrecision(10)).join(" ");
    if (this.keys.has(key)) return;
    if (this.all.length >= 400) this.keys.delete(this.all.shift().map((c) => c.toPrecision(10)).join(" "));
    this.keys.add(key);
    this.all.push(costs);
  }
};
export {
  KnownPolicies,
  estimate
};
