// `carl studio` with a browser, for the tests. Every message in the console and every request to
// anybody else is kept, so that a test can say that there was none.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const { CARL, WEB } = process.env;
const require = createRequire(join(WEB, 'package.json'));

/** Starts a server; returns its address, and how to end it. */
export async function startStudio(...args) {
  const server = spawn(CARL, ['studio', '--no-browser', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const address = await new Promise((found, failed) => {
    let text = '';
    server.stdout.on('data', (data) => {
      text += data;
      const match = /Studio is at (\S+)\n/.exec(text);
      if (match) found(match[1]);
    });
    server.on('exit', () => failed(new Error('studio has ended')));
  });
  const stop = () =>
    new Promise((done) => {
      if (server.exitCode !== null) return done(server.exitCode);
      server.on('exit', (code) => done(code));
      server.kill('SIGINT');
    });
  return { address, stop };
}

/** The page once it has a certified answer, and `complaints`: all that should not have happened. */
export async function openStudio(browser, address, options = {}) {
  const page = await browser.newPage();
  if (options.viewport) await page.setViewportSize(options.viewport);
  if (options.colorScheme) await page.emulateMedia({ colorScheme: options.colorScheme });
  const complaints = [];
  page.on('console', (message) => complaints.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  const origin = new URL(address).origin;
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !/^(data|blob):/.test(url)) complaints.push(`request: ${url}`);
  });
  await page.goto(address);
  if (options.wait !== false) await certified(page);
  return { page, complaints };
}

/** Waits until the answer is certified, or known not to be there, and the policy is shown. */
export async function certified(page) {
  await page.waitForFunction(() => {
    const answer = document.querySelector('.answer');
    return ['certified', 'infeasible'].includes(answer?.dataset.certainty);
  });
}

/** Waits until curves and runs are there as well. */
export async function settled(page) {
  await certified(page);
  await page.waitForFunction(
    () => ![...document.querySelectorAll('.curve')].some((curve) => curve.classList.contains('stale')),
  );
}

export const objective = async (page) =>
  Number((await page.textContent('#objective')).replace(/[≈ ,]/g, '').replace('−', '-'));

/** What axe-core has to say about accessibility. */
export async function violations(page) {
  const source = require('axe-core').source;
  // The page's policy allows no scripts but its own: a session of the debugger may.
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: source });
  const { result } = await session.send('Runtime.evaluate', {
    expression: `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
      JSON.stringify(violations.map(({ id, nodes }) => [id, nodes.slice(0, 3).map(({ html }) => html.slice(0, 160))])))`,
    awaitPromise: true,
    returnByValue: true,
  });
  return JSON.parse(result.value);
}
