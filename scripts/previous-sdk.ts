/** Whether programs written for the last release still type-check against the SDKs as they are now. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { NoBase, baseContract, baseRef } from './contract-diff/base-contract.ts';
import { mayBreak } from './contract-diff/version.ts';
import { readContract } from './generate/read-contract.ts';
import { checkPython } from './previous-sdk/python.ts';
import { extractTests } from './previous-sdk/extract.ts';
import { checkTypeScript } from './previous-sdk/typescript.ts';

const HELP = `Type-check the SDK tests of an earlier release against the SDKs as they are now.

Usage: npx node scripts/previous-sdk.ts [base] [options]
  base           a commit, branch or tag (default: the last tag v1.2.3)
  --root FOLDER  the project (default: this one)
  --help         this text

A new major version may break them, so then nothing is checked.
Exit status: 0 they fit, or there is nothing to check, 1 they do not, 2 wrong usage or the check could not run.`;

const project = resolve(import.meta.dirname, '..');
process.exitCode = main();

function main(): number {
  const folder = mkdtempSync(join(tmpdir(), 'previous-sdk-'));
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { root: { type: 'string', default: project }, help: { type: 'boolean', default: false } } });
    if (values.help) { console.log(HELP); return 0; }
    const { root } = values;
    const base = baseRef(root, positionals[0]);
    const before = readContract(baseContract(root, base, folder)).info.version;
    const { version } = readContract(join(root, 'openapi.yaml')).info;
    if (mayBreak(before, version)) { console.log(`${before} → ${version}: a new major version may break programs; nothing to check`); return 0; }
    return report(root, base);
  } catch (error) {
    if (error instanceof NoBase) { console.log(error.message); return 0; }
    console.error(error instanceof Error ? error.message : error);
    return 2;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function report(root: string, base: string): number {
  const out = join(root, 'build/previous-sdk');
  extractTests(root, base, out);
  const outcomes = {
    TypeScript: checkTypeScript(root, out, join(project, 'node_modules/typescript-native/bin/tsc')),
    Python: checkPython(root, out, join(project, '.venv/bin/python')),
  };
  for (const [language, { files, complaint }] of Object.entries(outcomes)) {
    console.log(`${language}: ${files} files of ${base} ${complaint === null ? 'fit' : `no longer fit:\n${complaint}`}`);
  }
  return Object.values(outcomes).some(({ complaint }) => complaint !== null) ? 1 : 0;
}
