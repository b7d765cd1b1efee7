// The page that is compiled into carl is the one that its source makes, byte for byte.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const { CARL_SOURCE, WEB } = process.env;

test('its types are right', () => {
  execFileSync(process.execPath, [join(WEB, 'node_modules/typescript/bin/tsc'), '--noEmit'], {
    cwd: WEB,
    stdio: 'inherit',
  });
});

test('it is current', () => {
  execFileSync(process.execPath, ['build.mjs', 'built'], { cwd: WEB, stdio: 'inherit' });
  for (const file of ['report.html', 'studio.html', 'THIRD-PARTY.txt']) {
    const [built, kept] = [join(WEB, 'built', file), join(CARL_SOURCE, 'web', 'dist', file)];
    assert.ok(
      readFileSync(built).equals(readFileSync(kept)),
      `web/dist/${file} is not what its source makes: run npm ci && npm run build in web/`,
    );
  }
});

for (const file of ['report.html', 'studio.html'])
  test(`${file} names no other address`, () => {
    const page = readFileSync(join(CARL_SOURCE, 'web', 'dist', file), 'utf8');
    const addresses = new Set(page.match(/\bhttps?:\/\/[^\s"'`)<]+/g));
    // Names of markup languages, which browsers never load.
    for (const name of addresses)
      assert.match(name, /^http:\/\/www\.w3\.org\/(2000\/svg|1999\/x|2000\/xmlns|XML)/);
  });
