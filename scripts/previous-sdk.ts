/** Checks if programs written for the last release still type-check against the present SDKs. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Language } from './changelog/section.ts';
import { SDKS, versionIn } from './changelog/sdk.ts';
import { baseRef, fileAt, NoBase } from './contract-diff/base-contract.ts';
import { mayBreak } from './contract-diff/change.ts';

const HELP = `Type-check the SDK tests of an earlier release against the SDKs as they are now.

Usage: npx node scripts/previous-sdk.ts [base] [options]
  base           a commit, branch or tag (default: the last tags typescript-v1.2.3 and python-v1.2.3)
  --root FOLDER  the project (default: this one)
  --help         this text

A new major version of an SDK may break them, so then nothing is checked.
Exit status: 0 they fit, or there is nothing to check, 1 they do not, 2 wrong usage or the check could not run.`;

const TESTS = [
  'sdks/typescript/test',
  'sdks/typescript/package.json',
  'sdks/python/tests',
  'scripts/generate',
  'scripts/contract',
];
const PUBLIC = new Set(['index.ts', 'functions.ts']);
const project = resolve(import.meta.dirname, '..');

/** Number of files checked, and the output of the type checker if they no longer fit. */
interface Outcome {
  readonly files: number;
  readonly complaint: string | null;
}

function main(): number {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { root: { type: 'string', default: project }, help: { type: 'boolean', default: false } },
    });
    if (values.help) {
      console.log(HELP);
      return 0;
    }
    const { root } = values;
    const broken = (Object.keys(SDKS) as Language[]).filter((language) => !fits(root, positionals[0], language));
    return broken.length > 0 ? 1 : 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 2;
  }
}

const CHECKS: Readonly<Record<Language, (root: string, out: string) => Outcome>> = {
  typescript: checkTypeScript,
  python: checkPython,
};

/**
 * Returns whether the programs of the last release of one SDK fit the present SDK. Each SDK has its own versions, so
 * each may break on its own.
 */
function fits(root: string, given: string | undefined, language: Language): boolean {
  const sdk = SDKS[language];
  const base = lastOf(root, given, sdk.tag);
  if (base === null) return true;
  const before = fileAt(root, base, sdk.file);
  const [was, is] = [
    before === null ? null : versionIn(sdk, before),
    versionIn(sdk, readFileSync(join(root, sdk.file), 'utf8')),
  ];
  if (was !== null && mayBreak(was, is)) {
    console.log(`${language}: ${was} → ${is}, a new major version may break programs; nothing to check`);
    return true;
  }
  const out = join(root, 'build/previous-sdk', language);
  extractTests(root, base, out);
  const { files, complaint } = CHECKS[language](root, out);
  console.log(`${language}: ${files} files of ${base} ${complaint === null ? 'fit' : `no longer fit:\n${complaint}`}`);
  return complaint === null;
}

function lastOf(root: string, base: string | undefined, tag: string): string | null {
  try {
    return baseRef(root, base, tag);
  } catch (error) {
    if (!(error instanceof NoBase)) throw error;
    console.log(error.message);
    return null;
  }
}

/**
 * Extracts the SDK tests of an earlier commit, with what they import from its scripts, to the same paths below `out`.
 */
function extractTests(root: string, ref: string, out: string): void {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const known = git(root, ['ls-tree', '--name-only', ref, ...TESTS])
    .toString()
    .split('\n')
    .filter((path) => path !== '');
  if (known.length === 0) throw new Error(`${ref} has no tests of the SDKs`);
  execFileSync('tar', ['-x', '-C', out], { input: git(root, ['archive', ref, ...known]) });
}

function git(root: string, args: readonly string[]): Buffer {
  return execFileSync('git', args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 256 * 1024 * 1024 });
}

/** Type-checks those of the earlier tests that import only public modules, against the present package. */
function checkTypeScript(root: string, out: string): Outcome {
  const tests = join(out, 'sdks/typescript/test');
  const files = globSync('*.test.ts', { cwd: tests })
    .filter((file) => isPublic(readFileSync(join(tests, file), 'utf8')))
    .sort();
  if (files.length === 0) return { files: 0, complaint: null };
  cpSync(join(root, 'sdks/typescript/src'), join(out, 'sdks/typescript/src'), { recursive: true });
  for (const file of globSync('**/*.ts', { cwd: tests })) tolerate(join(tests, file));
  const config = relative(tests, join(root, 'sdks/typescript/test/tsconfig.json'));
  writeFileSync(join(tests, 'tsconfig.json'), JSON.stringify({ extends: config, include: [], files }));
  return check(
    files.length,
    process.execPath,
    [join(project, 'node_modules/typescript-native/bin/tsc'), '-p', join(tests, 'tsconfig.json')],
    root,
  );
}

function isPublic(source: string): boolean {
  const inside = [...source.matchAll(/from '\.\.\/(src|scripts)\/([^']+)'/g)];
  return inside.every(([, folder, file = '']) => folder === 'src' && PUBLIC.has(file));
}

/** Removes expected type errors: an addition may allow what was an error before, and breaks no program. */
function tolerate(file: string): void {
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('@ts-expect-error', '@ts-ignore'));
}

/** Type-checks the earlier programs that show how the package is used, against the present package. */
function checkPython(root: string, out: string): Outcome {
  const programs = join(out, 'sdks/python/tests/typed');
  if (!existsSync(programs)) return { files: 0, complaint: null };
  const files = globSync('**/*.py', { cwd: programs })
    .map((file) => join(programs, file))
    .sort();
  // An addition may allow what was an error before, and breaks no program.
  const options = [
    '--config-file',
    'sdks/python/pyproject.toml',
    '--no-warn-unused-ignores',
    '--cache-dir',
    join(out, '.mypy_cache'),
  ];
  return check(files.length, join(project, '.venv/bin/python'), ['-m', 'mypy', ...options, ...files], root);
}

function check(files: number, command: string, args: readonly string[], cwd: string): Outcome {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (error !== undefined) throw error;
  return { files, complaint: status === 0 ? null : `${stdout}${stderr}`.trimEnd() };
}

process.exitCode = main();
