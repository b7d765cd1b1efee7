// The report page in a real browser: what it shows, and that it does what its controls say.
import assert from 'node:assert/strict';
import { writeFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  carl,
  clickState,
  drawn,
  example,
  model,
  open,
  pixelAt,
  report,
  scratch,
  selected,
  shown,
  startBrowser,
  stopBrowser,
  visit,
} from './harness.mjs';
import { deadEnd, hostile, hostileNames, jobs, wide } from './models.mjs';

let browser;
before(async () => {
  browser = await startBrowser();
});
after(async () => {
  await stopBrowser(browser);
});

/** Opens a report, runs the test, and looks for complaints at the end. */
function withPage(name, args, body) {
  return () => visit(browser, name, args, body);
}

const drone = example('drone-delivery/domain.pddl', 'drone-delivery/problem.pddl');
const city = example('drone-delivery/domain.pddl', 'drone-delivery/city.pddl');
const text = (page, selector) => page.textContent(selector);

test(
  'summary: cost, gauges, prices, mixture, effort',
  withPage('summary', drone, async (page) => {
    assert.equal(await page.title(), 'two-parcels (drone-delivery) – carl report');
    assert.equal(await text(page, '#status'), 'Optimal');
    assert.equal(await text(page, 'h1'), 'The least expected time within both bounds is 40.3.');
    const cards = await page.$$eval('.card', (all) => all.map((card) => card.innerText));
    assert.equal(cards.length, 4);
    assert.match(cards[0], /expected time\s+40\.3\s+lower bound 40\.3/);
    assert.match(cards[1], /expected battery\s+30 of 30 on average\s+Tight/);
    assert.match(cards[1], /One more unit of battery saves up to 0\.833333 time\./);
    assert.match(cards[3], /18 states\s+In 2 states it chooses at random\./);
    assert.equal(await page.getAttribute('.gauge', 'aria-valuenow').then(Math.round), 30);
    const rows = await page.$$eval('#mixture tbody tr', (all) =>
      all.map((row) => row.innerText.split(/\s+/)),
    );
    assert.deepEqual(
      rows.map((row) => row[0]),
      ['60', '40'],
    );
    assert.match(await text(page, '#effort'), /scalarised problems/);
  }),
);

test(
  'a state: facts, actions with chances, outcomes, values',
  withPage('state', drone, async (page) => {
    await clickState(page, 0);
    assert.equal(await selected(page), 0);
    const details = await page.innerText('#details');
    assert.match(details, /^Start/);
    assert.match(details, /at depot/);
    assert.match(details, /fly depot river-bend\s+100 %/);
    assert.match(details, /30 %\s+\+ at river-bend, \+ gusty, − at depot/);
    assert.match(details, /time\s+40\.3/);
    // A link leads to the successor.
    await page.click('#details .outcomes button');
    assert.notEqual(await selected(page), 0);
    assert.match(await page.innerText('#details'), /Comes from\s+fly depot river-bend/);
  }),
);

test(
  'random choices are marked and listed with their chances',
  withPage('random', drone, async (page) => {
    await page.check('#stochastic');
    const states = await shown(page);
    assert.equal(states.length, 3); // the start as well
    assert.match(
      await text(page, '#shown'),
      /2 states of 18 states and 2 goals pass the filters\. Dashed lines/,
    );
    await drawn(page);
    await clickState(page, states[1]);
    const details = await page.innerText('#details');
    assert.match(details, /random choice/);
    assert.match(details, /60 %/);
    assert.match(details, /40 %/);
  }),
);

test(
  'filters by action and visits, and taken together',
  withPage('filters', city, async (page) => {
    const all = (await shown(page)).length;
    await page.selectOption('#action', 'charge');
    const charging = await shown(page);
    assert.ok(charging.length > 1 && charging.length < all);
    await page.selectOption('#action', '');
    await page.fill('#min-visits', '60');
    const often = await shown(page);
    assert.ok(often.length > 1 && often.length < all);
    const bound = Number((await text(page, 'output[for=min-visits]')).slice(2));
    await page.check('#stochastic');
    assert.ok((await shown(page)).length < often.length);
    await page.uncheck('#stochastic');
    await page.fill('#min-visits', '0');
    assert.equal((await shown(page)).length, all);
    const visits = await page.evaluate(() =>
      JSON.parse(document.getElementById('data').textContent).policy.states.map((s) => s.visits),
    );
    assert.deepEqual(
      often,
      visits.map((_, i) => i).filter((i) => i === 0 || visits[i] >= bound),
    );
  }),
);

test(
  'search finds, marks and goes from match to match',
  withPage('search', drone, async (page) => {
    await page.keyboard.press('/');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'search');
    await page.keyboard.type('GUSTY harbour');
    const both = await page.evaluate(() => {
      const { states, facts, actions } = JSON.parse(
        document.getElementById('data').textContent,
      ).policy;
      return states.filter((state) => {
        const names = [
          ...state.facts.map((f) => facts[f]),
          ...(state.choices ?? []).map(([a]) => actions[a].name),
        ].join(' ');
        return names.includes('gusty') && names.includes('harbour');
      }).length;
    });
    assert.ok(both > 1);
    assert.match(await text(page, '#matches'), new RegExp(`^${both} matches`));
    await page.keyboard.press('Enter');
    const first = await selected(page);
    assert.match(await page.innerText('#details'), /gusty/);
    await page.keyboard.press('Enter');
    assert.notEqual(await selected(page), first);
    await page.keyboard.press('Shift+Enter');
    assert.equal(await selected(page), first);
    await page.keyboard.press('Escape');
    assert.equal(await page.inputValue('#search'), '');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'graph');
    await page.fill('#search', 'no such thing');
    assert.match(await text(page, '#matches'), /^0 matches/);
  }),
);

test(
  'everything by keyboard',
  withPage('keyboard', drone, async (page) => {
    await page.focus('#graph');
    await page.keyboard.press('ArrowRight');
    assert.equal(await selected(page), 0);
    await page.keyboard.press('ArrowRight');
    const second = await selected(page);
    assert.notEqual(second, 0);
    await page.keyboard.press('ArrowUp');
    const above = await selected(page);
    assert.notEqual(above, second);
    await page.keyboard.press('ArrowDown');
    assert.equal(await selected(page), second);
    await page.keyboard.press('ArrowLeft');
    assert.equal(await selected(page), 0);
    const scale = () => page.evaluate(() => window.carlReport.scale());
    const before = await scale();
    await page.keyboard.press('+');
    assert.ok((await scale()) > before);
    await page.keyboard.press('0');
    assert.ok(Math.abs((await scale()) - before) < 1e-9);
    await page.keyboard.press('Escape');
    assert.equal(await selected(page), -1);
    assert.match(await page.innerText('#details'), /Choose a state/);
    // All that can be done can be reached with Tab.
    const reached = new Set();
    await page.evaluate(() => document.activeElement.blur());
    for (let i = 0; i < 60; ++i) {
      await page.keyboard.press('Tab');
      reached.add(
        await page.evaluate(() => document.activeElement.id || document.activeElement.tagName),
      );
    }
    for (const id of [
      'theme',
      'search',
      'min-visits',
      'action',
      'stochastic',
      'colour',
      'graph',
      'SUMMARY',
      'circle',
    ])
      assert.ok(reached.has(id), `${id} in ${[...reached]}`);
  }),
);

test(
  'dragging moves, buttons zoom, fit comes back',
  withPage('moving', drone, async (page) => {
    await page.locator('#graph').scrollIntoViewIfNeeded();
    const at = () => page.evaluate(() => window.carlReport.position(0));
    const [x, y] = await at();
    const box = await (await page.$('#graph')).boundingBox();
    await page.mouse.move(box.x + 300, box.y + box.height - 20);
    await page.mouse.down();
    await page.mouse.move(box.x + 360, box.y + box.height - 60, { steps: 4 });
    await page.mouse.up();
    const [mx, my] = await at();
    assert.ok(Math.abs(mx - x - 60) < 1 && Math.abs(my - y + 40) < 1);
    await page.click('.zoom button[title="Zoom in"]');
    await page.click('.zoom button[title="Show everything"]');
    const [fx, fy] = await at();
    assert.ok(Math.abs(fx - x) < 1e-6 && Math.abs(fy - y) < 1e-6);
  }),
);

test(
  'dark and light: by system, by button, on paper',
  withPage('theme', drone, async (page) => {
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await paper();
    const lightState = await pixelAt(page, 3);
    await page.emulateMedia({ colorScheme: 'dark' });
    await drawn(page);
    const dark = await paper();
    assert.notEqual(dark, light);
    assert.notDeepEqual(await pixelAt(page, 3), lightState);
    await page.click('#theme');
    assert.equal(await paper(), light);
    await page.click('#theme');
    assert.equal(await paper(), dark);
    const pdf = await page.pdf();
    assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
  }),
);

/** Relative luminance and contrast as WCAG 2 defines them. */
async function contrastOf(page, selector) {
  return page.$eval(selector, (element) => {
    const parse = (color) => color.match(/[\d.]+/g).map(Number);
    const luminance = ([r, g, b]) => {
      const [x, y, z] = [r, g, b].map((v) =>
        v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4,
      );
      return 0.2126 * x + 0.7152 * y + 0.0722 * z;
    };
    let below = element;
    while (parse(getComputedStyle(below).backgroundColor)[3] === 0) below = below.parentElement;
    const back = luminance(parse(getComputedStyle(below).backgroundColor));
    const front = luminance(parse(getComputedStyle(element).color));
    return (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05);
  });
}

test(
  'texts have a contrast of at least 4.5',
  withPage('contrast', drone, async (page) => {
    for (const theme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme: theme });
      for (const selector of [
        'h1',
        '.headline p',
        '#status',
        '.objective p',
        '.bound .price',
        '.bound p',
        '#shown',
        'summary',
        '.legend li',
        'figcaption',
        'footer',
        '#mixture td',
        '.facts li',
        'button.link',
      ]) {
        await clickState(page, 0);
        const contrast = await contrastOf(page, selector);
        assert.ok(contrast >= 4.5, `${selector} in ${theme}: ${contrast}`);
      }
    }
  }),
);

test(
  'colours by action and by cost to go',
  withPage('colours', drone, async (page) => {
    const plain = await pixelAt(page, 4);
    await page.selectOption('#colour', 'value-0');
    await drawn(page);
    assert.notDeepEqual(await pixelAt(page, 4), plain);
    await page.selectOption('#colour', 'action');
    assert.match(await page.innerText('#policy .legend'), /fly/);
  }),
);

test(
  'charts: a surface for two bounds',
  withPage('surface', drone, async (page) => {
    assert.match(
      await page.getAttribute('#dual svg', 'aria-label'),
      /multipliers of battery and risk/,
    );
    assert.ok((await page.$$('#dual .contour')).length > 5);
    const trace = await page.evaluate(
      () => JSON.parse(document.getElementById('data').textContent).result.trace,
    );
    assert.equal((await page.$$('#dual circle.visited')).length, trace.length);
    assert.equal((await page.$$('#convergence circle.lower')).length, trace.length);
  }),
);

test(
  'charts: a curve for one bound, whose top is the optimum',
  withPage('curve', [...city, '--bound', 'risk=inf', '--bound', 'battery=25'], async (page) => {
    const best = await page.getAttribute('#dual polygon.best', 'aria-label');
    const objective = /is ([\d.]+)\./.exec(await text(page, 'h1'))[1];
    assert.match(best, new RegExp(`L = ${objective}`));
  }),
);

test('a trade-off curve, if there is one', async () => {
  const sweep = join(scratch, 'sweep.json');
  writeFileSync(
    sweep,
    JSON.stringify({
      format: 'carl-sweep',
      version: 1,
      cost: 'battery',
      points: [
        { bound: 20, objective: null, status: 'infeasible' },
        { bound: 26, objective: 45, multiplier: 1.2, status: 'optimal' },
        { bound: 30, objective: 40.3, multiplier: 0.83, status: 'optimal' },
      ],
      breakpoints: [{ bound: 28, objective: 42.6, slope: -1.1 }],
      infeasible_below: 24,
      slack_above: 33,
    }),
  );
  await withPage('sweep', [...drone, '--sweep', sweep], async (page) => {
    const section = await page.innerText('#trade-off');
    assert.match(section, /What battery buys/);
    assert.match(
      section,
      /Below 24 no policy meets the bound\. Above 33 the bound no longer matters\./,
    );
    assert.equal((await page.$$('#trade-off circle.visited')).length, 2);
    assert.equal((await page.$$('#trade-off circle.corner')).length, 1);
  })();
});

test('a front of two costs, with the policy of the vertex that is chosen', async () => {
  const front = join(scratch, 'front.json');
  carl('pareto', '--quiet', '--costs', 'battery,risk', '--json', front, ...city);
  await withPage('front', [...city, '--front', front], async (page) => {
    const section = await page.innerText('#front');
    assert.match(section, /The trade-off between battery and risk/);
    assert.match(section, /3 vertices.*This is all of it, exactly/);
    assert.match(await page.innerText('#vertex'), /Vertex 1[^]*tosses no coin/);
    await page.click('#front circle.vertex >> nth=2');
    const chosen = await page.innerText('#vertex');
    assert.match(chosen, /Vertex 3/);
    assert.match(chosen, /87\.4/);
    assert.match(chosen, /\(fly /);
    await page.focus('#front circle.vertex >> nth=1');
    await page.keyboard.press('Enter');
    assert.match(await page.innerText('#vertex'), /Vertex 2/);
  })();
});

test('a front of three costs, which turns', async () => {
  const front = join(scratch, 'space.json');
  const costs = ['--costs', 'time,battery,risk', '--gap', '0.01', '--no-policies'];
  carl('pareto', '--quiet', ...costs, '--json', front, ...city);
  await withPage('space', [...city, '--front', front], async (page) => {
    assert.match(await page.innerText('#front'), /by more than 0\.\d+ % of the range/);
    assert.match(await page.innerText('#vertex'), /has no policies/);
    const faces = '#front polygon.face';
    assert.ok((await page.$$(faces)).length > 3);
    const place = () => page.getAttribute('#front circle.vertex >> nth=0', 'cx');
    const before = await place();
    await page.focus('#front .space');
    await page.keyboard.press('ArrowRight');
    const turned = await place();
    assert.notEqual(turned, before);
    await page.click('#front button');
    await page.waitForFunction(
      (from) => document.querySelector('#front circle.vertex').getAttribute('cx') !== from,
      turned,
    );
    assert.equal(await page.innerText('#front button'), 'Stop');
    await page.click('#front button');
    await page.click('#front circle.vertex >> nth=4', { force: true });
    assert.match(await page.innerText('#vertex'), /Vertex \d/);
  })();
});

test('an explained state has its alternatives', async () => {
  const [solved, explained] = [join(scratch, 'solved.json'), join(scratch, 'explained.json')];
  carl('solve', '--quiet', '--json', solved, ...city);
  carl('explain', '--quiet', '--most-visited', '3', '--json', explained, ...city, solved);
  await withPage('explained', [...city, '--explanation', explained], async (page) => {
    await page.focus('#graph');
    await page.keyboard.press('Home');
    const details = await page.innerText('#details');
    assert.match(details, /Why this action/);
    assert.match(details, /Without any bound/);
    assert.ok((await page.$$('#details .alternatives tbody tr')).length > 1);
  })();
});

test('from files, the same page as from a solve', async () => {
  const [policy, result] = [join(scratch, 'policy.json'), join(scratch, 'result.json')];
  carl('solve', '--quiet', '--policy', policy, '--json', result, ...drone);
  const solved = readFileSync(report('solved', drone), 'utf8');
  const read = readFileSync(
    report('read', [...drone, '--policy', policy, '--result', result]),
    'utf8',
  );
  const states = (page) => /"policy":\{"states":\[[^]*?"given_up":[^,}]*\}/.exec(page)[0];
  assert.equal(states(read), states(solved));
  const runs = (page) => /"runs":\{.*/.exec(page)[0];
  assert.equal(runs(read), runs(solved));
});

test('a spoilt result spoils only its own part', async () => {
  const [policy, result] = [join(scratch, 'good.json'), join(scratch, 'spoilt.json')];
  carl('solve', '--quiet', '--policy', policy, '--json', result, ...drone);
  const spoilt = { ...JSON.parse(readFileSync(result, 'utf8')), trace: 'none', cuts: [7] };
  writeFileSync(result, JSON.stringify(spoilt));
  await withPage('spoilt', [...drone, '--policy', policy, '--result', result], async (page) => {
    assert.ok((await page.$$('.broken')).length > 0);
    await clickState(page, 0);
    assert.match(await page.innerText('#details'), /fly depot river-bend/);
  })();
});

test(
  'no solution: the reason instead',
  withPage('infeasible', [...drone, '--bound', 'battery=1'], async (page) => {
    assert.equal(await text(page, '#status'), 'Infeasible');
    assert.match(await text(page, '.headline'), /Every policy has .*battery.* ≥/);
    assert.match(await text(page, '#reason'), /battery ≤ [0-9.]+ instead of 1/);
    assert.equal(await page.$('#policy'), null);
  }),
);

test(
  'no proper policy: the way into a dead end',
  withPage('dead-end', [model('dead-end', deadEnd())], async (page) => {
    assert.equal(await text(page, '#status'), 'No proper policy');
    assert.match(await text(page, '#reason'), /in home[^]*jump, with probability 0.5[^]*in pit/);
  }),
);

test(
  'a reward is shown as one',
  withPage('reward', [model('jobs', jobs())], async (page) => {
    assert.equal(await text(page, 'h1'), 'The greatest expected reward within the bound is −2.');
    assert.match(await text(page, '.headline'), /No policy can do better than −2/);
    assert.match(await text(page, '#summary'), /expected reward\s*−2\s*upper bound −2/);
    assert.match(await text(page, '#summary'), /One more unit of time gains up to 0.5 reward\./);
  }),
);

test('a bound that is met within the tolerance only is marked', async () => {
  const job = jobs();
  job.actions.pop(); // only the good one is left, which takes 4
  const only = model('job', job);
  await withPage('met', [only, '--bound', 'time=4'], async (page) => {
    assert.doesNotMatch(await text(page, '#summary'), /Exceeds/);
  })();
  await withPage('tolerance', [only, '--bound', 'time=3.9999999999'], async (page) => {
    assert.match(
      await text(page, '#summary'),
      /Exceeds the bound by 1\.00 e−10, within the tolerance\./,
    );
  })();
});

test(
  'giving up is said',
  withPage('give-up', [...drone, '--give-up', 'time=39'], async (page) => {
    assert.match(await text(page, '#summary'), /gives up with probability/);
    assert.match(await page.innerText('#policy .legend'), /given up/);
  }),
);

test('hostile names are names', async () => {
  const { page, complaints } = await open(
    browser,
    report('hostile', [model('hostile', hostile())]),
  );
  const body = await page.evaluate(() => document.body.innerText);
  assert.ok(body.includes(hostileNames[0]) && body.includes(hostileNames[1]));
  await clickState(page, 0);
  assert.ok((await text(page, '#details')).includes(hostileNames[4]));
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(await page.evaluate(() => document.querySelectorAll('img').length), 0);
  assert.equal(await page.evaluate(() => document.querySelectorAll('script').length), 2);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('nothing but the script of the page may run', async () => {
  const { page, complaints } = await open(browser, report('guarded', drone));
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.hacked = 1';
    document.body.append(script);
  });
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(complaints.length, 1);
  assert.match(complaints[0], /Content Security Policy/);
  await page.close();
});

test('50,000 states: summarised, still at hand', async () => {
  const path = report('wide', [model('wide', wide(249, 200))]);
  const start = performance.now();
  const { page, complaints } = await open(browser, path);
  // Seconds on a slow and busy machine; half an hour would be a bug.
  assert.ok(performance.now() - start < 30_000);
  assert.match(await text(page, '#summary'), /49,801 states/);
  assert.match(
    await text(page, '#shown'),
    /The most visited 1,499 states and 1 goal are drawn … and 48,302 more states are not/,
  );
  assert.equal((await shown(page)).length, 1500);
  // A state that is not drawn is found all the same.
  await page.fill('#search', '248:199');
  await page.press('#search', 'Enter');
  assert.match(await page.innerText('#details'), /248:199/);
  assert.ok((await shown(page)).includes(await selected(page)));
  await page.selectOption('#most', '49802');
  await drawn(page);
  assert.equal((await shown(page)).length, 49802);
  await page.check('#stochastic');
  assert.match(await text(page, '#shown'), /states of 49,801 states and 1 goal pass the filters/);
  assert.deepEqual(complaints, []);
  await page.close();
});

test(
  'larger policies: the most visited states',
  withPage('cut', [...drone, '--max-states', '5'], async (page) => {
    assert.match(
      await text(page, '#policy .lead'),
      /the 5 states that are visited most … and 13 states and 2 goals more are left out/,
    );
    assert.equal((await shown(page)).length, 5);
    await clickState(page, (await shown(page)).at(-1));
    assert.match(await page.innerText('#details'), /a state that is not in this page/);
  }),
);
