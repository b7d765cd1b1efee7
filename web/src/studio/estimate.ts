// What a setting would cost at most, from the policies that are known so far: the best mixture of
// them within the bounds, by a small linear program (min c·w, A w ≤ u, Σ w = 1, w ≥ 0), solved by
// the simplex method in two phases. Its answer is the optimum as soon as all policies of the optimal
// mixture are known, and never less than it.

const tolerance = 1e-9;

export interface Estimate {
  costs: number[]; // of the mixture
  weights: number[]; // of the policies
}

/** Rows of a tableau: coefficients, then the right side. */
type Tableau = Float64Array[];

function pivot(rows: Tableau, basis: number[], row: number, column: number): void {
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

/** Minimises the last row over columns below `columns`; false if it does not end. */
function minimise(rows: Tableau, basis: number[], columns: number): boolean {
  const objective = rows[rows.length - 1];
  const end = objective.length - 1;
  for (let step = 0; step < 2000; ++step) {
    // The steepest column at first; later the first one, which cannot go round in circles.
    let column = -1;
    for (let k = 0; k < columns; ++k)
      if (
        objective[k] < -tolerance &&
        (column < 0 || (step < 200 && objective[k] < objective[column]))
      )
        column = k;
    if (column < 0) return true;
    let row = -1;
    for (let i = 0; i < basis.length; ++i) {
      if (rows[i][column] <= tolerance) continue;
      const ratio = rows[i][end] / rows[i][column];
      const best = row < 0 ? Infinity : rows[row][end] / rows[row][column];
      if (ratio < best - 1e-12 || (ratio <= best + 1e-12 && basis[i] < basis[row])) row = i;
    }
    if (row < 0) return false;
    pivot(rows, basis, row, column);
  }
  return false;
}

/** The best mixture of policies; none if no mixture of them is within the bounds. */
export function estimate(policies: number[][], bounds: (number | null)[]): Estimate | undefined {
  const bounded = bounds.flatMap((bound, i) => (i > 0 && bound !== null ? [i] : []));
  const [n, m] = [policies.length, bounded.length];
  if (n === 0) return undefined;
  // Columns: policies, slacks, one artificial for Σ w = 1. Costs are scaled by their largest value.
  const scale = bounds.map(
    (_, i) => policies.reduce((most, costs) => Math.max(most, Math.abs(costs[i])), 0) || 1,
  );
  const width = n + m + 2;
  const rows: Tableau = [];
  for (const [k, i] of bounded.entries()) {
    const row = new Float64Array(width);
    policies.forEach((costs, p) => (row[p] = costs[i] / scale[i]));
    row[n + k] = 1;
    row[width - 1] = bounds[i]! / scale[i];
    rows.push(row);
  }
  const sum = new Float64Array(width);
  sum.fill(1, 0, n);
  sum[n + m] = 1;
  sum[width - 1] = 1;
  rows.push(sum);
  const basis = [...bounded.map((_, k) => n + k), n + m];
  // First phase: the artificial variable to zero.
  const first = new Float64Array(width);
  first.set(sum.map((value) => -value));
  first[n + m] = 0;
  rows.push(first);
  if (!minimise(rows, basis, n + m) || rows[m + 1][width - 1] < -1e-7) return undefined;
  const stuck = basis.indexOf(n + m);
  if (stuck >= 0) {
    const column = rows[stuck].findIndex((value, k) => k < n + m && Math.abs(value) > tolerance);
    if (column >= 0) pivot(rows, basis, stuck, column);
  }
  // Second phase: the primary cost, in terms of what is not in the basis.
  const second = new Float64Array(width);
  policies.forEach((costs, p) => (second[p] = costs[0] / scale[0]));
  rows[m + 1] = second;
  basis.forEach((column, i) => {
    const share = second[column];
    if (share !== 0) for (let k = 0; k < width; ++k) second[k] -= share * rows[i][k];
  });
  if (!minimise(rows, basis, n + m)) return undefined;
  const weights = new Array<number>(n).fill(0);
  basis.forEach((column, i) => {
    if (column < n) weights[column] = Math.max(0, rows[i][width - 1]);
  });
  const costs = bounds.map((_, i) =>
    policies.reduce((total, policy, p) => total + weights[p] * policy[i], 0),
  );
  return { costs, weights };
}

/** The policies that are known, each once. */
export class KnownPolicies {
  readonly all: number[][] = [];
  private readonly keys = new Set<string>();

  add(costs: number[]): void {
    const key = costs.map((cost) => cost.toPrecision(10)).join(' ');
    if (this.keys.has(key)) return;
    // Enough for an estimate; a slider must stay quick.
    if (this.all.length >= 400) this.keys.delete(this.all.shift()!.map((c) => c.toPrecision(10)).join(' '));
    this.keys.add(key);
    this.all.push(costs);
  }
}
