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
