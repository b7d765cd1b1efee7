// What the page computes, against slower ways to get the same, on random cases.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

const { WEB } = process.env;

async function load(file) {
  const outfile = join(WEB, 'built', `${file.replaceAll('/', '-')}.mjs`);
  createRequire(join(WEB, 'package.json'))('esbuild').buildSync({
    entryPoints: [join(WEB, 'src', `${file}.ts`)],
    bundle: true,
    format: 'esm',
    outfile,
  });
  return import(pathToFileURL(outfile).href);
}

/** The same numbers in every run. */
function generator(seed) {
  let state = seed * 2654435761 + 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

test('the envelope of lines is their minimum', async () => {
  const { lowerEnvelope } = await load('charts/envelope');
  for (let seed = 1; seed <= 1000; ++seed) {
    const random = generator(seed);
    // Whole numbers, so that many lines meet in one point or are the same.
    const whole = () => (seed % 2 ? Math.floor(12 * random()) : 12 * random());
    const lines = Array.from({ length: 1 + Math.floor(9 * random()) }, () => ({
      at0: whole(),
      slope: whole() - 6,
    }));
    const corners = lowerEnvelope(lines, 0, 5);
    assert.equal(corners[0][0], 0);
    assert.equal(corners.at(-1)[0], 5);
    for (let i = 1; i < corners.length; ++i) {
      const [[a, left], [b, right]] = [corners[i - 1], corners[i]];
      assert.ok(b >= a);
      for (const share of [0, 0.5, 1]) {
        const x = a + share * (b - a);
        const least = Math.min(...lines.map(({ at0, slope }) => at0 + slope * x));
        assert.ok(Math.abs(left + share * (right - left) - least) < 1e-9, `seed ${seed}`);
      }
    }
  }
});

test('no state is drawn over another, and columns are distances', async () => {
  const { layout } = await load('graph/layout');
  for (let seed = 1; seed <= 200; ++seed) {
    const random = generator(seed);
    const size = 1 + Math.floor(random() ** 2 * 300);
    const depth = Array.from({ length: size }, (_, i) =>
      i === 0 ? 0 : 1 + Math.floor(6 * random() ** 2),
    );
    const radius = depth.map(() => 5 + 15 * random());
    const edges = Array.from({ length: 2 * size }, () => ({
      from: Math.floor(size * random()),
      to: Math.floor(size * random()),
      flow: random(),
    }));
    const places = layout({ depth, radius, edges, aspect: 0.6 });
    for (let a = 0; a < size; ++a)
      for (let b = 0; b < a; ++b) {
        const gap = Math.hypot(places[a].x - places[b].x, places[a].y - places[b].y);
        // In columns that are folded states may touch.
        const folded = places[a].room === 0 || places[b].room === 0;
        assert.ok(gap >= (folded ? 10 : radius[a] + radius[b]), `seed ${seed}: ${a} ${b}`);
        if (depth[a] < depth[b]) assert.ok(places[a].x < places[b].x);
      }
  }
});

test('two numbers are shown with the digits that tell them apart', async () => {
  const { apart } = await load('format');
  assert.deepEqual(apart(2, 1.5), ['2', '1.5']);
  assert.deepEqual(apart(3.2666667, 3.2666661), ['3.266667', '3.266666']);
});

test('only nothing is shown as 0', async () => {
  const { number } = await load('format');
  assert.equal(number(0), '0');
  assert.equal(number(-0), '0');
  assert.equal(number(3e-10), '3.00 e−10');
  assert.equal(number(-1.75), '−1.75');
});

test('labels of an axis tell its ticks apart, in as few digits', async () => {
  const { tickLabels } = await load('format');
  assert.deepEqual(tickLabels([7.71, 7.712, 7.714]), ['7.710', '7.712', '7.714']);
  assert.deepEqual(tickLabels([0, 0.5, 1]), ['0', '0.5', '1.0']);
  assert.deepEqual(tickLabels([0, 20, 40]), ['0', '20', '40']);
  assert.deepEqual(tickLabels([-1000, 0, 1000]), ['−1,000', '0', '1,000']);
  assert.deepEqual(tickLabels([1e9, 1.5e9]), ['1.0 e9', '1.5 e9']);
  assert.deepEqual(tickLabels([2e-7, 4e-7]), ['2 e−7', '4 e−7']);
});

test('labels at the ends of lines are apart, in order, and near', async () => {
  const { spreadLabels } = await load('charts/labels');
  for (let seed = 1; seed <= 500; ++seed) {
    const random = generator(seed);
    const wanted = Array.from({ length: 1 + Math.floor(12 * random()) }, () => 100 * random());
    const got = spreadLabels(wanted, 14);
    const order = wanted.map((_, i) => i).sort((a, b) => wanted[a] - wanted[b] || a - b);
    for (let k = 1; k < order.length; ++k)
      assert.ok(got[order[k]] - got[order[k - 1]] >= 14 - 1e-9, `seed ${seed}`);
    // What is far from all others stays where it is.
    wanted.forEach((y, i) => {
      const alone = wanted.every((other, j) => j === i || Math.abs(other - y) > 14 * wanted.length);
      if (alone) assert.ok(Math.abs(got[i] - y) < 1e-9, `seed ${seed}`);
    });
  }
});

test('no label takes room that is taken', async () => {
  const { Boxes } = await load('graph/boxes');
  for (let seed = 1; seed <= 200; ++seed) {
    const random = generator(seed);
    const boxes = new Boxes(1 + 30 * random());
    const kept = [];
    for (let k = 0; k < 60; ++k) {
      const [left, top] = [200 * random() - 100, 200 * random() - 100];
      const box = { left, top, right: left + 40 * random(), bottom: top + 12 * random() };
      const free = kept.every(
        (b) =>
          box.left >= b.right || b.left >= box.right || box.top >= b.bottom || b.top >= box.bottom,
      );
      assert.equal(boxes.take(box), free, `seed ${seed}`);
      if (free) kept.push(box);
    }
  }
});

/** The best of all mixtures of so many policies as there are bounds, and one more: by trying all. */
function bestMixture(policies, bounds) {
  const bounded = bounds.map((bound, i) => (i > 0 && bound !== null ? i : 0)).filter(Boolean);
  let best = Infinity;
  // On the edges between pairs, for one bound; a fine grid over triples for two.
  const consider = (parts) => {
    const cost = (i) => parts.reduce((sum, [policy, weight]) => sum + weight * policy[i], 0);
    if (bounded.every((i) => cost(i) <= bounds[i] + 1e-9)) best = Math.min(best, cost(0));
  };
  for (const a of policies)
    for (const b of policies) {
      consider([[a, 1]]);
      for (const i of bounded)
        if (a[i] !== b[i]) {
          const weight = (bounds[i] - b[i]) / (a[i] - b[i]);
          if (weight >= 0 && weight <= 1)
            consider([
              [a, weight],
              [b, 1 - weight],
            ]);
        }
      if (bounded.length < 2) continue;
      for (const c of policies) {
        // Weights with which both bounds are met exactly.
        const [i, k] = bounded;
        const [p, q, r, t] = [a[i] - c[i], b[i] - c[i], a[k] - c[k], b[k] - c[k]];
        const determinant = p * t - q * r;
        if (Math.abs(determinant) < 1e-12) continue;
        const [u, v] = [bounds[i] - c[i], bounds[k] - c[k]];
        const [x, y] = [(u * t - q * v) / determinant, (p * v - u * r) / determinant];
        if (x >= 0 && y >= 0 && x + y <= 1)
          consider([
            [a, x],
            [b, y],
            [c, 1 - x - y],
          ]);
      }
    }
  return best;
}

test('an estimate is the best mixture of known policies', async () => {
  const { estimate } = await load('studio/estimate');
  let infeasible = 0;
  for (let seed = 1; seed <= 3000; ++seed) {
    const random = generator(seed);
    const value = () => (seed % 2 ? Math.floor(8 * random()) : 8 * random());
    const policies = Array.from({ length: 1 + Math.floor(6 * random()) }, () => [
      value(),
      value(),
      value(),
    ]);
    const bounds = [null, random() < 0.85 ? value() : null, random() < 0.85 ? value() : null];
    const expected = bestMixture(policies, bounds);
    const found = estimate(policies, bounds);
    if (expected === Infinity) {
      ++infeasible;
      assert.equal(found, undefined, `seed ${seed}`);
      continue;
    }
    assert.ok(found, `seed ${seed}: nothing found, ${expected}`);
    assert.ok(
      Math.abs(found.costs[0] - expected) < 1e-6,
      `seed ${seed}: ${found.costs[0]} ${expected}`,
    );
    assert.ok(Math.abs(found.weights.reduce((sum, weight) => sum + weight, 0) - 1) < 1e-7);
    [1, 2].forEach((i) => assert.ok(bounds[i] === null || found.costs[i] <= bounds[i] + 1e-6));
  }
  assert.ok(infeasible > 200 && infeasible < 2000);
});

test('a curve between its corners, before them and after', async () => {
  const { valueAt, priceAt, kinks, snapped, roundUp } = await load('studio/curve_value');
  const sweep = {
    points: [
      { bound: 0, objective: null },
      { bound: 10, objective: 2 },
    ],
    breakpoints: [
      { bound: 2.0000000000001, objective: 8 },
      { bound: 4, objective: 4 },
      { bound: 6, objective: 2 },
    ],
    infeasible_below: 2,
    slack_above: 6,
  };
  assert.equal(valueAt(sweep, 1.9), Infinity);
  assert.ok(Math.abs(valueAt(sweep, 3) - 6) < 1e-9);
  assert.equal(valueAt(sweep, 5), 3);
  assert.equal(valueAt(sweep, 99), 2);
  assert.equal(valueAt(sweep, Infinity), 2);
  assert.ok(Math.abs(priceAt(sweep, 2.5) - 2) < 1e-9);
  assert.equal(priceAt(sweep, 8), 0);
  assert.deepEqual(kinks(sweep), [2, 4, 6]);
  assert.equal(snapped(4.05, [2, 4, 6], 0.1), 4);
  assert.equal(snapped(4.5, [2, 4, 6], 0.1), 4.5);
  assert.equal(valueAt({ ...sweep, slack_above: null }, 99), undefined);
  for (const value of [0.003, 1, 1.1, 7, 99, 12345])
    assert.ok(roundUp(value) >= 0.9999 * value && roundUp(value) <= 1.6 * value);
});

test('states that stay keep their places, and none is drawn over another', async () => {
  const { stableLayout } = await load('graph/stable_layout');
  for (let seed = 1; seed <= 200; ++seed) {
    const random = generator(seed);
    const kept = new Map();
    const input = (size) => ({
      depth: Array.from({ length: size }, (_, i) => (i === 0 ? 0 : 1 + Math.floor(5 * random()))),
      radius: Array.from({ length: size }, () => 5 + 10 * random()),
      edges: Array.from({ length: 2 * size }, () => ({
        from: Math.floor(size * random()),
        to: Math.floor(size * random()),
        flow: 1,
      })),
      aspect: 0.6,
    });
    const names = Array.from({ length: 40 }, (_, i) => `s${i}`);
    const before = stableLayout(names, input(40), kept, false);
    assert.ok(before.fresh);
    const places = new Map(names.map((name, i) => [name, { ...before.places[i] }]));
    // Some go, others come.
    const next = names
      .filter(() => random() < 0.8)
      .concat(Array.from({ length: 8 }, (_, i) => `n${i}`));
    const after = stableLayout(next, input(next.length), kept, true);
    assert.equal(after.fresh, false);
    next.forEach((name, i) => {
      const { x, y } = after.places[i];
      if (places.has(name)) assert.deepEqual([x, y], [places.get(name).x, places.get(name).y]);
      else
        next.forEach((other, k) =>
          assert.ok(
            k === i || Math.hypot(x - after.places[k].x, y - after.places[k].y) > 10,
            `${seed} ${name} ${other}`,
          ),
        );
    });
    // Something else altogether is drawn anew.
    assert.ok(
      stableLayout(
        Array.from({ length: 30 }, (_, i) => `x${i}`),
        input(30),
        kept,
        true,
      ).fresh,
    );
  }
});

test('settings go into an address and come back; undo and redo', async () => {
  const { History, toHash, fromHash } = await load('studio/settings');
  const bounds = { 'spent k1 & more=#': 3.25, 'Zürich "x"': null, a: 0 };
  assert.deepEqual(fromHash(toHash('m3', bounds)), { model: 'm3', bounds });
  assert.deepEqual(fromHash('#model=m1&bound:a=-1&bound:b=x&bound:c=&bound:d=1e999').bounds, {});
  const history = new History({ a: 1 });
  history.commit({ a: 1 });
  assert.equal(history.canUndo, false);
  history.commit({ a: 2 });
  history.commit({ a: null });
  assert.deepEqual(history.undo(), { a: 2 });
  assert.deepEqual(history.undo(), { a: 1 });
  assert.deepEqual(history.redo(), { a: 2 });
  history.commit({ a: 5 });
  assert.equal(history.canRedo, false);
});

test('a table for a spreadsheet: quotes, and no formulas', async () => {
  const { toCsv } = await load('studio/compare');
  assert.equal(
    toCsv([
      ['a,b', 'say "x"', -1.5],
      ['=1+1', '@x', '-2'],
    ]),
    '"a,b","say ""x""",-1.5\r\n\'=1+1,\'@x,-2\r\n',
  );
});

test('events of a stream', async () => {
  const { parseEvent } = await load('studio/api');
  assert.deepEqual(parseEvent('event: result\ndata: {"a": 1}'), ['result', { a: 1 }]);
  assert.equal(parseEvent(': nothing'), undefined);
});
