// Builds the page: bundles the scripts, puts them and the styles into the template, and says of
// whom the bundled libraries are. The page may load nothing and run nothing but this script: its
// content security policy names the hashes of what is inside.
//
// Usage: node build.mjs [FOLDER]   (where to write report.html and THIRD-PARTY.txt; default: dist)
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

/** The packages that went into the bundle, by their licences. */
function notices(inputs) {
  const names = new Set(inputs.map((path) => /node_modules\/([^/]+)\//.exec(path)?.[1]));
  names.delete(undefined);
  const packages = new Map();
  for (const name of [...names].sort()) {
    const root = join(here, 'node_modules', name);
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const licence = readFileSync(join(root, 'LICENSE'), 'utf8').trim();
    packages.set(licence, [...(packages.get(licence) ?? []), `${name} ${version}`]);
  }
  const parts = [...packages].map(([licence, list]) => `${list.join(', ')}\n\n${licence}\n`);
  return `The report page contains these libraries.\n\n${parts.join('\n----\n\n')}`;
}

const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const script = await bundle('src/main.ts');
const style = await bundle('src/style.css');
const thirdParty = notices(script.inputs);
const parts = {
  LICENCES: thirdParty.replaceAll('--', '- -').trim(),
  POLICY: `default-src 'none'; script-src ${hash(script.text)}; style-src ${hash(style.text)}`,
  STYLE: style.text,
  SCRIPT: script.text,
};
if (/<\/(script|style)/i.test(parts.SCRIPT + parts.STYLE)) throw new Error('cannot be inlined');
const template = readFileSync(join(here, 'src', 'page.html'), 'utf8');
const page = template.replace(/%([A-Z]+)%/g, (_, name) => parts[name]);
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'report.html'), page);
writeFileSync(join(folder, 'THIRD-PARTY.txt'), thirdParty);
