// Builds the pages of `carl report` and `carl studio`: bundles the scripts, puts them and the styles
// into a template, and says of whom the bundled libraries are. A page may load nothing and run
// nothing but this script: its content security policy names the hashes of what is inside.
//
// Usage: node build.mjs [FOLDER]   (where to write them and THIRD-PARTY.txt; default: dist)
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const folder = process.argv[2] ?? join(here, 'dist');

async function bundle(entry) {
  const { outputFiles, metafile } = await esbuild.build({
    absWorkingDir: here,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'iife',
    target: ['chrome100', 'firefox100', 'safari15'],
    charset: 'utf8',
    legalComments: 'none',
  });
  return { text: outputFiles[0].text.trim(), inputs: Object.keys(metafile.inputs) };
}

/** The packages that went into a bundle, by their licences. */
function notices(page, inputs) {
  const names = new Set(
    inputs.map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]),
  );
  names.delete(undefined);
  const packages = new Map();
  for (const name of [...names].sort()) {
    const root = join(here, 'node_modules', name);
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const licence = readFileSync(join(root, 'LICENSE'), 'utf8').trim();
    packages.set(licence, [...(packages.get(licence) ?? []), `${name} ${version}`]);
  }
  const parts = [...packages].map(([licence, list]) => `${list.join(', ')}\n\n${licence}\n`);
  return `The ${page} page contains these libraries.\n\n${parts.join('\n----\n\n')}`;
}

const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Writes a page; returns whose libraries it contains. */
async function build(name, { script, style, template, policy }) {
  const scripts = await bundle(script);
  const styles = await bundle(style);
  const thirdParty = notices(name, scripts.inputs);
  const own = `script-src ${hash(scripts.text)}; style-src ${hash(styles.text)}`;
  const parts = {
    LICENCES: thirdParty.replaceAll('--', '- -').trim(),
    POLICY: `default-src 'none'; ${own}${policy}`,
    STYLE: styles.text,
    SCRIPT: scripts.text,
  };
  if (/<\/(script|style)/i.test(parts.SCRIPT + parts.STYLE)) throw new Error('cannot be inlined');
  const text = readFileSync(join(here, 'src', template), 'utf8');
  writeFileSync(
    join(folder, `${name}.html`),
    text.replace(/%([A-Z]+)%/g, (written, part) => parts[part] ?? written),
  );
  return thirdParty;
}

mkdirSync(folder, { recursive: true });
const report = await build('report', {
  script: 'src/main.ts',
  style: 'src/style.css',
  template: 'page.html',
  policy: '',
});
const studio = await build('studio', {
  script: 'src/studio/main.ts',
  style: 'src/studio/style.css',
  template: 'studio/page.html',
  // It asks the server that it came from, and nobody else.
  policy: "; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'",
});
writeFileSync(join(folder, 'THIRD-PARTY.txt'), `${report}\n====\n\n${studio}`);
