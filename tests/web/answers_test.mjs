// What the page says of an answer, and that it says no more than is known.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  carl,
  dataOf,
  example,
  model,
  report,
  scratch,
  shown,
  startBrowser,
  stopBrowser,
  visit,
} from './harness.mjs';
import { deadEnd, jobs, nearlyEqual } from './models.mjs';

let browser;
before(async () => {
  browser = await startBrowser();
});
after(async () => {
  await stopBrowser(browser);
});

const work = example('getting-to-work/domain.pddl', 'getting-to-work/problem.pddl');
const city = example('drone-delivery/domain.pddl', 'drone-delivery/city.pddl');

/** The labels of an axis of a chart, as they are read: those along x have class "middle". */
const ticks = (page, chart, axis) =>
  page.$$eval(`${chart} .axes text.${axis}:not(.title)`, (all) => all.map((t) => t.textContent));

test('bounds hold on average: how often a run exceeds them', async () => {
  await visit(browser, 'average', work, async (page) => {
    const { runs } = await dataOf(page);
    assert.equal(runs.runs, 10_000);
    const price = runs.costs.find(({ cost }) => cost === 'price');
    // Half of the runs take the taxi, for 30; the others cost nothing.
    assert.ok(Math.abs(price.exceeding / runs.runs - 0.5) < 0.03);
    assert.deepEqual(
      price.bars.map(([from, to, , above]) => [from, to, above]),
      [
        [0, 0, false],
        [30, 30, true],
      ],
    );
    const text = await page.innerText('#on-average');
    assert.match(text, /hold on average over many runs; a single run may exceed them/);
    // Every run is above one of the two budgets.
    assert.match(text, /Of 10,000 simulated runs 100 % exceed at least one\./);
    const card = await page.innerText('.card.bound');
    assert.match(card, /15 of 15 on average/);
    assert.match(card, /(49|50)(\.\d+)? % ± 0\.5 % of runs exceed it/);
    assert.equal((await page.$$('.card.bound >> nth=0 >> .bar')).length, 2);
    assert.equal((await page.$$('.card.bound >> nth=0 >> .bar.above')).length, 1);
  });
});

test('the runs are those of carl simulate', async () => {
  const [policy, sample] = [join(scratch, 'p.json'), join(scratch, 's.json')];
  carl('solve', '--quiet', '--policy', policy, ...city);
  const options = ['--runs', '2000', '--seed', '1', '--quiet'];
  carl('simulate', ...options, '--json', sample, ...city, policy);
  const { costs } = JSON.parse(readFileSync(sample, 'utf8'));
  await visit(browser, 'runs', [...city, '--runs', '2000'], async (page) => {
    const { runs } = await dataOf(page);
    for (const [i, { cost, mean, p95, exceeding }] of runs.costs.entries()) {
      assert.equal(cost, costs[i].cost);
      assert.equal(mean, costs[i].mean);
      assert.equal(p95, costs[i].p95);
      if (exceeding !== undefined)
        assert.ok(Math.abs(1 - exceeding / 2000 - costs[i].within_bound) < 1e-12);
      const counted = runs.costs[i].bars.reduce((sum, [, , count]) => sum + count, 0);
      assert.equal(counted, 2000);
      const above = runs.costs[i].bars.filter((bar) => bar[3]);
      assert.equal(
        above.reduce((sum, [, , count]) => sum + count, 0),
        exceeding ?? 0,
      );
    }
  });
  await visit(browser, 'no-runs', [...city, '--runs', '0'], async (page) => {
    assert.equal((await dataOf(page)).runs, undefined);
    assert.match(await page.innerText('#on-average'), /hold on average/);
    assert.equal(await page.$('.histogram'), null);
  });
});

test('ticks that differ look different', async () => {
  const nearly = [model('nearly', nearlyEqual())];
  const sweep = join(scratch, 'nearly-sweep.json');
  carl('sweep', '--quiet', ...nearly, '--bound', 'fuel=0:1:0.25', '--json', sweep);
  await visit(browser, 'ticks', [...nearly, '--sweep', sweep], async (page) => {
    for (const chart of ['#trade-off', '#dual', '#convergence'])
      for (const axis of ['end', 'middle']) {
        const labels = await ticks(page, chart, axis);
        assert.ok(labels.length > 1, `${chart} ${axis}: ${labels}`);
        assert.equal(new Set(labels).size, labels.length, `${chart} ${axis}: ${labels}`);
      }
    // They do not run into each other, nor out of the picture.
    const boxes = await page.$$eval('.chart .axes text', (all) =>
      all.map((text) => {
        const { left, right, top, bottom } = text.getBoundingClientRect();
        const frame = text.ownerSVGElement.getBoundingClientRect();
        const inside = left >= frame.left - 1 && right <= frame.right + 1;
        return { left, right, top, bottom, inside, text: text.textContent };
      }),
    );
    for (const [i, a] of boxes.entries()) {
      assert.ok(a.inside, a.text);
      for (const b of boxes.slice(0, i))
        assert.ok(
          a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top,
          `${a.text} on ${b.text}`,
        );
    }
  });
});

test('infeasible: no λ* is invented, and what would suffice is said', async () => {
  await visit(browser, 'no-star', [...city, '--bound', 'battery=1'], async (page) => {
    assert.equal(await page.$('polygon.best'), null);
    assert.equal(await page.$('.key.best'), null);
    const text = await page.innerText('main');
    assert.doesNotMatch(text, /λ\*/);
    assert.doesNotMatch(text, /upper bound\n/);
    assert.match(text, /There is no highest point: L grows beyond any cost/);
    const cards = await page.$$eval('.card.bound', (all) => all.map((card) => card.innerText));
    assert.match(cards[0], /26 would suffice, the other bounds as they are\./);
    assert.match(cards[1], /However large, this bound alone would not help\./);
  });
});

test('no proper policy: the reason, and what one could do', async () => {
  await visit(browser, 'improper', [model('pit', deadEnd())], async (page) => {
    const reason = await page.textContent('#reason');
    assert.match(reason, /in pit\nno action leads anywhere from there/);
    assert.match(reason, /--give-up/);
    assert.equal(await page.$('#on-average'), null);
  });
});

test('a sweep of two bounds: a curve for each value of the second', async () => {
  const sweep = join(scratch, 'both.json');
  const ranges = ['--bound', 'battery=20:40:5', '--bound', 'risk=3:6:1'];
  carl('sweep', '--quiet', ...city, ...ranges, '--json', sweep);
  await visit(browser, 'two', [...city, '--sweep', sweep], async (page) => {
    assert.match(await page.innerText('#trade-off'), /What battery and risk buy/);
    assert.equal((await page.$$('#trade-off path.dual')).length, 4);
    const labels = await page.$$eval('#trade-off .curve-label', (all) =>
      all.map((label) => ({ text: label.textContent, y: label.getBoundingClientRect().y })),
    );
    assert.deepEqual(
      labels.map(({ text }) => text),
      [3, 4, 5, 6].map((bound) => `risk ≤ ${bound}`),
    );
    // A larger budget is never worse.
    for (let i = 1; i < 4; ++i) assert.ok(labels[i].y > labels[i - 1].y + 10);
    const point = await page.getAttribute('#trade-off circle.visited >> nth=0', 'aria-label');
    assert.match(point, /battery ≤ 30, risk ≤ 3: time /);
  });
});

test('the legend stands beside the curve', async () => {
  const sweep = join(scratch, 'one.json');
  carl('sweep', '--quiet', ...city, '--bound', 'battery=20:40:5', '--json', sweep);
  await visit(browser, 'legend', [...city, '--sweep', sweep], async (page) => {
    for (const chart of ['#trade-off', '#dual', '#convergence']) {
      const [picture, legend] = await page.$$eval(`${chart} .chart, ${chart} .legend`, (all) =>
        all.map((one) => one.getBoundingClientRect().toJSON()),
      );
      assert.ok(legend.left >= picture.right, chart);
      assert.ok(legend.bottom <= picture.bottom, chart);
    }
  });
});

test('the title is the problem, and no path is in the page', async () => {
  const path = report('title', work);
  const text = readFileSync(path, 'utf8');
  assert.ok(!text.includes(process.env.CARL_SOURCE));
  assert.ok(!text.includes(scratch));
  await visit(browser, 'title', work, async (page) => {
    assert.equal(await page.innerText('.problem'), 'today (getting-to-work)');
  });
  const explicit = [model('two jobs', jobs())];
  await visit(browser, 'explicit-title', explicit, async (page) => {
    assert.equal(await page.innerText('.problem'), 'two jobs');
    assert.ok(!(await page.content()).includes(scratch));
  });
});

test('one of a thing is not several, and goals are no states', async () => {
  await visit(browser, 'singular', work, async (page) => {
    const card = await page.innerText('.card.policy');
    assert.match(card, /1 state\n/);
    assert.match(card, /\n1 action on average\./);
    assert.match(card, /Ends in 1 goal\./);
    assert.equal(await page.textContent('#shown'), 'All 1 state and 1 goal are shown.');
    assert.match(await page.innerText('.headline'), /Of 10,000 simulated runs/);
  });
});

test('the table has the chances of a random choice', async () => {
  await visit(browser, 'chances', work, async (page) => {
    await page.click('#policy summary');
    assert.match(await page.innerText('#policy table'), /run 50 %, taxi 50 %/);
  });
});

test('each part of the mixture can be seen in the graph', async () => {
  await visit(browser, 'parts', city, async (page) => {
    const { policy, parts, result } = await dataOf(page);
    assert.equal(parts.length, result.policy.mixture.length);
    assert.equal((await shown(page)).length, policy.states.length);
    for (const [i, part] of parts.entries()) {
      assert.equal(part.stochastic_states, 0);
      await page.click(`#mixture button.show >> nth=${i}`);
      assert.equal(await page.inputValue('#part'), String(i));
      assert.equal((await shown(page)).length, part.states.length);
      // From the start on, each costs what the mixture says.
      part.states[0].values.forEach((value, c) =>
        assert.ok(Math.abs(value - result.policy.mixture[i].costs[c]) < 1e-9),
      );
    }
    // What was there before has let go of the page: one search box, one answer to its key.
    await page.keyboard.press('/');
    assert.equal((await page.$$('#search')).length, 1);
    assert.equal(await page.evaluate(() => document.activeElement.id), 'search');
    await page.selectOption('#part', '-1');
    assert.equal((await shown(page)).length, policy.states.length);
  });
});

test('it can be solved in another way', async () => {
  const options = ['--algorithm', 'i-dual', '--heuristic', 'hmax', '--gap', '1e-4'];
  await visit(browser, 'another-way', [...city, ...options], async (page) => {
    assert.match(await page.innerText('#effort .lead'), /^i-dual, hmax:/);
    assert.match(await page.innerText('h1'), /36\.2/);
  });
});
