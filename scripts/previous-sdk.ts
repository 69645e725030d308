/** Whether programs written for the last release still type-check against the SDKs as they are now. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { baseContract, baseRef, NoBase } from './contract-diff/base-contract.ts';
import { mayBreak } from './contract-diff/change.ts';
import { readContract } from './contract/read.ts';

const HELP = `Type-check the SDK tests of an earlier release against the SDKs as they are now.

Usage: npx node scripts/previous-sdk.ts [base] [options]
  base           a commit, branch or tag (default: the last tag v1.2.3)
  --root FOLDER  the project (default: this one)
  --help         this text

A new major version may break them, so then nothing is checked.
Exit status: 0 they fit, or there is nothing to check, 1 they do not, 2 wrong usage or the check could not run.`;

const TESTS = ['sdks/typescript/test', 'sdks/typescript/package.json', 'sdks/python/tests', 'scripts/generate', 'scripts/contract'];
const PUBLIC = new Set(['index.ts', 'functions.ts']);
const project = resolve(import.meta.dirname, '..');

/** How many files were looked at, and what the type checker said when they no longer fit. */
interface Outcome { readonly files: number; readonly complaint: string | null }

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

/** The SDK tests of an earlier commit, with what they import from its scripts, at their places below `out`. */
function extractTests(root: string, ref: string, out: string): void {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const known = git(root, ['ls-tree', '--name-only', ref, ...TESTS]).toString().split('\n').filter((path) => path !== '');
  if (known.length === 0) throw new Error(`${ref} has no tests of the SDKs`);
  execFileSync('tar', ['-x', '-C', out], { input: git(root, ['archive', ref, ...known]) });
}

function git(root: string, args: readonly string[]): Buffer {
  return execFileSync('git', args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 256 * 1024 * 1024 });
}

/** Type-checks the earlier tests that keep to the public modules, against the package as it is now. */
function checkTypeScript(root: string, out: string, tsc: string): Outcome {
  const tests = join(out, 'sdks/typescript/test');
  const files = globSync('*.test.ts', { cwd: tests }).filter((file) => isPublic(readFileSync(join(tests, file), 'utf8'))).sort();
  if (files.length === 0) return { files: 0, complaint: null };
  cpSync(join(root, 'sdks/typescript/src'), join(out, 'sdks/typescript/src'), { recursive: true });
  for (const file of globSync('**/*.ts', { cwd: tests })) tolerate(join(tests, file));
  const config = relative(tests, join(root, 'sdks/typescript/test/tsconfig.json'));
  writeFileSync(join(tests, 'tsconfig.json'), JSON.stringify({ extends: config, include: [], files }));
  return check(files.length, process.execPath, [tsc, '-p', join(tests, 'tsconfig.json')], root);
}

function isPublic(source: string): boolean {
  const inside = [...source.matchAll(/from '\.\.\/(src|scripts)\/([^']+)'/g)];
  return inside.every(([, folder, file = '']) => folder === 'src' && PUBLIC.has(file));
}

/** What was a mistake then may be allowed now: an addition breaks nobody. */
function tolerate(file: string): void {
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('@ts-expect-error', '@ts-ignore'));
}

/** Type-checks the earlier programs that show how the package is used, against the package as it is now. */
function checkPython(root: string, out: string, python: string): Outcome {
  const programs = join(out, 'sdks/python/tests/typed');
  if (!existsSync(programs)) return { files: 0, complaint: null };
  const files = globSync('**/*.py', { cwd: programs }).map((file) => join(programs, file)).sort();
  // What was a mistake then may be allowed now: an addition breaks nobody.
  const options = ['--config-file', 'sdks/python/pyproject.toml', '--no-warn-unused-ignores', '--cache-dir', join(out, '.mypy_cache')];
  return check(files.length, python, ['-m', 'mypy', ...options, ...files], root);
}

function check(files: number, command: string, args: readonly string[], cwd: string): Outcome {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (error !== undefined) throw error;
  return { files, complaint: status === 0 ? null : `${stdout}${stderr}`.trimEnd() };
}

process.exitCode = main();
