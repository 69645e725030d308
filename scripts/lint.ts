/** `make lint`: checks the contract and the code. A check runs only if something that it reads has changed. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { longLines, WIDTH } from './lint/code/long-lines.ts';
import { misused, readOptions } from './options.ts';

const HELP = `Check the contract, and the layout, line lengths and rules of the code.

Usage: npx node scripts/lint.ts [contract|code] [options]
  --all           also the checks that passed the last time and whose files have not changed since
  --help          this text

Exit status: 0 all checks passed, 1 one failed, 2 wrong options.`;

const ROOT = join(import.meta.dirname, '..');
/** Digest, for each check, of what it read when it last passed. */
const HELD = join(ROOT, 'build/lint.json');
const RUFF = join(ROOT, '.venv/bin/ruff');
/** Files that every check depends on: the tools and this program. */
const ALWAYS = [
  'package-lock.json',
  'scripts/lint.ts',
  'scripts/lint/code/long-lines.ts',
  'scripts/lint/code/plugin.js',
];

/** Folders of installed packages and build products. */
const NEVER = new Set(['node_modules', 'build', 'dist', '.venv', '.git', '.data']);
const TEXT = /\.(?:[cm]?js|tsx?|css|sh)$/;
const GENERATED = /(?:^|\/)generated\//;

interface Check {
  readonly of: 'contract' | 'code';
  readonly name: string;
  /** Paths of the files on which the check depends, besides the tools and this program. */
  readonly reads: RegExp;
  /** Runs the check and prints its findings. */
  readonly holds: (files: readonly string[]) => boolean;
}

const CHECKS: readonly Check[] = [
  {
    of: 'contract',
    name: 'the contract',
    reads: /^(?:openapi\.yaml|scripts\/(?:contract|lint)\/.*|scripts\/format\.ts)$/,
    holds: () =>
      runs(process.execPath, ['scripts/format.ts', '--check']) &&
      runs(tool('redocly'), ['lint', 'openapi.yaml', '--config', 'scripts/lint/redocly.yaml']),
  },
  {
    of: 'code',
    name: 'layout',
    reads: /\.(?:[cm]?js|tsx?|css|json)$/,
    holds: () => runs(tool('biome'), ['format', '--max-diagnostics=5', '.']),
  },
  {
    of: 'code',
    name: 'length of lines',
    reads: TEXT,
    holds: areLinesShort,
  },
  {
    of: 'code',
    name: 'rules',
    reads: /\.(?:[cm]?js|tsx?)$|(?:^|\/)tsconfig\.json$|^\.oxlintrc\.json$/,
    holds: () => runs(tool('oxlint'), ['--type-aware', '--quiet']),
  },
  {
    of: 'code',
    name: 'Python',
    reads: /\.py$|^ruff\.toml$|(?:^|\/)pyproject\.toml$|python-requirements\.txt$/,
    holds: () => runs(RUFF, ['format', '--check', '--quiet', '.']) && runs(RUFF, ['check', '--quiet', '.']),
  },
];

function tool(name: string): string {
  return join(ROOT, 'node_modules/.bin', name);
}

function runs(program: string, args: readonly string[]): boolean {
  const { status, error } = spawnSync(program, args, { cwd: ROOT, stdio: 'inherit' });
  if (error !== undefined) console.error(error.message);
  return status === 0;
}

function areLinesShort(files: readonly string[]): boolean {
  const found = files
    .filter((path) => !GENERATED.test(path))
    .flatMap((path) => longLines(path, readFileSync(join(ROOT, path), 'utf8')).map((line) => `${path}:${line}`));
  for (const place of found) console.error(`${place} has more than ${WIDTH} characters`);
  return found.length === 0;
}

/** Returns the paths of all files of the project, without installed packages and build products. */
function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    if (NEVER.has(entry.name)) return [];
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return filesBelow(path);
    return entry.isFile() ? [path] : [];
  });
}

const digests = new Map<string, string>();

function digestOf(files: readonly string[]): string {
  const whole = createHash('sha256');
  for (const path of files) {
    const digest =
      digests.get(path) ??
      createHash('sha256')
        .update(readFileSync(join(ROOT, path)))
        .digest('hex');
    digests.set(path, digest);
    whole.update(`${path} ${digest}\n`);
  }
  return whole.digest('hex');
}

function main(which: string | undefined, all: boolean): number {
  if (which !== undefined && which !== 'contract' && which !== 'code') misused(`There is no "${which}" to lint.`);
  const files = filesBelow('').sort();
  const held = readHeld();
  let failed = 0;
  for (const { of, name, reads, holds } of CHECKS) {
    if (which !== undefined && which !== of) continue;
    const read = files.filter((path) => reads.test(path));
    const digest = digestOf([...ALWAYS, ...read]);
    if (!all && held[name] === digest) continue;
    console.log(`lint: ${name}`);
    const isHeld = holds(read);
    if (isHeld) held[name] = digest;
    else delete held[name];
    if (!isHeld) failed++;
    mkdirSync(dirname(HELD), { recursive: true });
    writeFileSync(HELD, JSON.stringify(held));
  }
  return failed === 0 ? 0 : 1;
}

function readHeld(): Record<string, string> {
  try {
    return JSON.parse(readFileSync(HELD, 'utf8')) as Record<string, string>;
  } catch {
    return {};
  }
}

const { values, positionals } = readOptions({
  allowPositionals: true,
  options: {
    all: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(HELP);
else process.exitCode = main(positionals[0], values.all);
