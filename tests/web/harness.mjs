// A browser with a page that carl has written, for the tests. Every message in the console and
// every request that would leave the page is kept, so that a test can say that there was none.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const { CARL, CARL_SOURCE, CHROMIUM, WEB } = process.env;
const { chromium } = createRequire(join(WEB, 'package.json'))('playwright-core');

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const scratch = mkdtempSync(join(tmpdir(), 'carl-web-'));

export function example(...files) {
  return files.map((file) => join(CARL_SOURCE, 'examples', file));
}

/** Writes a model; returns its path. */
export function model(name, json) {
  const path = join(scratch, `${name}.json`);
  writeFileSync(path, JSON.stringify(json));
  return path;
}

/** Runs carl; these exit statuses all mean that there is an answer. */
export function carl(...args) {
  try {
    execFileSync(CARL, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  } catch (error) {
    if (![10, 11].includes(error.status)) throw error;
  }
}

export function report(name, args) {
  const path = join(scratch, `${name}.html`);
  carl('report', ...args, '-o', path);
  return path;
}

/** `options`: of another device, say. */
export async function startBrowser(options = {}) {
  return chromium.launchPersistentContext(join(scratch, 'profile'), {
    executablePath: CHROMIUM,
    headless: true,
    args: flags,
    viewport: { width: 1280, height: 900 },
    colorScheme: 'light',
    ...options,
  });
}

export async function stopBrowser(browser) {
  await browser.close();
  rmSync(scratch, { recursive: true, force: true });
}

/** The page, once it is drawn, and `complaints`: all that should not have happened. */
export async function open(browser, path) {
  const page = await browser.newPage();
  const complaints = [];
  page.on('console', (message) => {
    // The advice is about pixelAt(), not about the page.
    if (!message.text().includes('getImageData')) complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('request', (request) => {
    if (request.url() !== pathToFileURL(path).href) complaints.push(`request: ${request.url()}`);
  });
  await page.goto(pathToFileURL(path).href);
  await drawn(page);
  return { page, complaints };
}

/** Opens a report, does something with it, and looks for complaints at the end. */
export async function visit(browser, name, args, body) {
  const { page, complaints } = await open(browser, report(name, args));
  await body(page);
  assert.deepEqual(complaints, []);
  await page.close();
}

/** The data in a page. */
export const dataOf = (page) =>
  page.evaluate(() => JSON.parse(document.getElementById('data').textContent));

/** Waits until the picture is at rest. */
export async function drawn(page) {
  await page.evaluate(
    () =>
      new Promise((done) =>
        setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), 180),
      ),
  );
}

export const selected = (page) => page.evaluate(() => window.carlReport.selected());
export const shown = (page) => page.evaluate(() => window.carlReport.shown());

export async function clickState(page, id) {
  const [x, y] = await page.evaluate((state) => window.carlReport.position(state), id);
  await page.click('#graph', { position: { x, y } });
}

/** The colour of the picture at a state. */
export async function pixelAt(page, id) {
  return page.evaluate((state) => {
    const canvas = document.querySelector('#graph');
    const ratio = canvas.width / canvas.clientWidth;
    const [x, y] = window.carlReport.position(state).map((place) => Math.round(place * ratio));
    return [...canvas.getContext('2d').getImageData(x, y, 1, 1).data];
  }, id);
}
