// The report on a phone: 390 pixels, fingers, no keyboard.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { drawn, example, selected, startBrowser, stopBrowser, visit } from './harness.mjs';

let browser;
before(async () => {
  browser = await startBrowser({
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
    deviceScaleFactor: 2,
  });
});
after(async () => {
  await stopBrowser(browser);
});

const city = example('drone-delivery/domain.pddl', 'drone-delivery/city.pddl');

test('nothing is wider than the screen, and words stay whole', async () => {
  await visit(browser, 'narrow', city, async (page) => {
    const wide = await page.evaluate(() =>
      [...document.querySelectorAll('main *, header *')]
        .filter((element) => !element.closest('.scroll, svg, .unseen'))
        .filter((element) => element.getBoundingClientRect().right > innerWidth + 0.5)
        .map((element) => element.outerHTML.slice(0, 80)),
    );
    assert.deepEqual(wide, []);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
    // A header in one line is as tall as the others.
    const heights = await page.$$eval('#mixture thead th', (all) =>
      all.map((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return range.getClientRects().length;
      }),
    );
    assert.deepEqual(new Set(heights), new Set([1]));
    const buttons = await page.$$eval('.buttons button', (all) =>
      all.map((button) => button.getBoundingClientRect().height),
    );
    for (const height of buttons) assert.ok(height >= 40 && height < 50);
  });
});

test('cards: the answer first, each budget as wide as the screen', async () => {
  await visit(browser, 'cards', city, async (page) => {
    const boxes = await page.$$eval('.card', (all) =>
      all.map((card) => ({ kind: card.className, ...card.getBoundingClientRect().toJSON() })),
    );
    const [answer, policy] = ['objective', 'policy'].map((kind) =>
      boxes.find((box) => box.kind.includes(kind)),
    );
    assert.equal(answer.top, policy.top);
    for (const box of boxes.filter(({ kind }) => kind.includes('bound'))) {
      assert.ok(box.width > 340);
      assert.ok(box.top > answer.top);
    }
  });
});

test('no keyboard is explained to a finger', async () => {
  await visit(browser, 'keys', city, async (page) => {
    assert.equal(await page.$('kbd'), null);
    assert.match(await page.innerText('#details'), /Tap on one[^]*Two fingers/);
    assert.doesNotMatch(await page.getAttribute('#search', 'placeholder'), /\//);
  });
});

test('the graph can be read, tapped, moved by two fingers and scrolled past by one', async () => {
  await visit(browser, 'touch', city, async (page) => {
    await page.locator('#graph').scrollIntoViewIfNeeded();
    await drawn(page);
    const scale = () => page.evaluate(() => window.carlReport.scale());
    const place = () => page.evaluate(() => window.carlReport.position(0));
    assert.ok((await scale()) >= 0.6); // labels are from 0.28 on
    const [x, y] = await place();
    await page.locator('#graph').tap({ position: { x, y } });
    assert.equal(await selected(page), 0);
    assert.match(await page.innerText('#details'), /^Start/);
    const box = await page.locator('#graph').boundingBox();
    const client = await page.context().newCDPSession(page);
    const touch = (type, ...points) =>
      client.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: points.map(([px, py], id) => ({ x: box.x + px, y: box.y + py, id })),
      });
    const before = await place();
    await touch('touchStart', [100, 200], [200, 200]);
    for (let k = 1; k <= 5; ++k) await touch('touchMove', [100, 200 - 8 * k], [200, 200 - 8 * k]);
    await touch('touchEnd');
    const moved = await place();
    assert.ok(Math.abs(moved[1] - before[1] + 40) < 2, `${before} ${moved}`);
    const top = await page.evaluate(() => scrollY);
    await touch('touchStart', [150, 300]);
    for (let k = 1; k <= 10; ++k) await touch('touchMove', [150, 300 - 15 * k]);
    await touch('touchEnd');
    await page.waitForFunction((from) => scrollY > from + 50, top);
    assert.deepEqual(await place(), moved);
    await page.click('.zoom button[title="Show everything"]');
    assert.ok((await scale()) < 0.6);
  });
});
