/**
 * Applies seeded faults one at a time, and reports which are found by `make quick` and which by all tests of their
 * area.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { misused, readOptions } from '../options.ts';
import type { Fault } from './fault.ts';
import { ofModules } from './modules.ts';
import { ofClients, ofContract, ofDatabase } from './outside.ts';
import { ofRequests } from './requests.ts';

const HELP = `Put in seeded faults one at a time, in a copy of the project, and say what finds them: first the choice of
make quick for the changed file, and if that finds nothing the tests of the service, of the SDK or of the browser. What
fails in the choice for the same file without a fault counts as no find.

Usage: npx node scripts/faults/main.ts [options]
  --only <text>   only the faults whose sentence or file contains the text (repeatable)
  --quick         ask only make quick
  --list          list the faults
  --help          this text

A fault whose text is not in its file exactly once is a mistake of the list, and nothing runs. The table is written to
build/faults/table.md after each fault.

Exit status: 0 all found, 1 some not found (with --quick: none asked further), 2 wrong options or a mistake of the
list.`;

const ROOT = join(import.meta.dirname, '../..');
const TREE = join(ROOT, 'build/faults/tree');
const TABLE = join(ROOT, 'build/faults/table.md');

export const faults: readonly Fault[] = [...ofRequests, ...ofModules, ...ofDatabase, ...ofContract, ...ofClients];

/** Explains for each fault that cannot be applied why not. */
export function mistakes(root: string): readonly string[] {
  return faults.flatMap(({ breaks, file, before }) => {
    const count = existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8').split(before).length - 1 : 0;
    return count === 1 ? [] : [`${file} has ${count} places for: ${breaks}`];
  });
}

interface Found {
  readonly fault: Fault;
  readonly byQuick: string | null;
  readonly byWhole: string | null;
  readonly seconds: number;
}

function main(): number {
  const { values } = readOptions({
    options: {
      only: { type: 'string', multiple: true, default: [] },
      quick: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const chosen = faults.filter(
    ({ breaks, file }) => values.only.length === 0 || values.only.some((text) => `${breaks} ${file}`.includes(text)),
  );
  if (values.help || values.list) {
    console.log(values.help ? HELP : chosen.map(({ breaks, file }) => `${file}: ${breaks}`).join('\n'));
    return 0;
  }
  if (chosen.length === 0) misused('No fault has that text.');
  const wrong = mistakes(ROOT);
  if (wrong.length > 0) {
    console.error(wrong.join('\n'));
    return 2;
  }
  makeTree();
  const found: Found[] = [];
  for (const fault of chosen) {
    found.push(tryFault(fault, values.quick));
    const last = found.at(-1)!;
    console.log(
      `[${found.length}/${chosen.length}] ${fault.breaks} ${finderOf(last, values.quick)} (${last.seconds} s)`,
    );
    writeFileSync(TABLE, tableOf(found, values.quick));
  }
  console.log(`\n${tableOf(found, values.quick)}`);
  return found.every(({ byQuick, byWhole }) => byQuick !== null || byWhole !== null) ? 0 : 1;
}

function finderOf({ byQuick, byWhole }: Found, quickOnly: boolean): string {
  if (byQuick !== null) return `quick: ${byQuick}`;
  if (byWhole !== null) return `whole: ${byWhole}`;
  return quickOnly ? 'not by quick' : 'NOT FOUND';
}

/**
 * Copies the tracked and the untracked, not ignored files to a separate repository; the installed packages are shared.
 */
function makeTree(): void {
  rmSync(TREE, { recursive: true, force: true });
  mkdirSync(TREE, { recursive: true });
  const files = execFileSync('git', ['-C', ROOT, 'ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  }).split('\0');
  for (const file of files.filter((name) => name !== '' && existsSync(join(ROOT, name)))) {
    mkdirSync(dirname(join(TREE, file)), { recursive: true });
    cpSync(join(ROOT, file), join(TREE, file));
  }
  for (const name of ['node_modules', '.venv'])
    if (existsSync(join(ROOT, name))) symlinkSync(join(ROOT, name), join(TREE, name));
  for (const name of ['docs/dist', 'build/dashboard', 'build/quick'])
    if (existsSync(join(ROOT, name)))
      cpSync(join(ROOT, name), join(TREE, name), { recursive: true, preserveTimestamps: true });
  // Owned by the account of the database; a copy does not preserve the owner.
  rmSync(join(TREE, 'build/quick/cluster'), { recursive: true, force: true });
  writeFileSync(join(TREE, '.gitignore'), `${readFileSync(join(ROOT, '.gitignore'), 'utf8')}\nnode_modules\n.venv\n`);
  const git = (...args: string[]): void =>
    void execFileSync('git', ['-C', TREE, '-c', 'user.name=faults', '-c', 'user.email=faults@example.com', ...args], {
      stdio: 'pipe',
    });
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-qm', 'without a fault');
}

function tryFault(fault: Fault, quickOnly: boolean): Found {
  const begun = performance.now();
  const before = withoutFault(fault.file);
  const first = (ran: Ran): string | null => findersOf(ran).find((name) => !before.includes(name)) ?? null;
  const path = join(TREE, fault.file);
  const text = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    text.replace(fault.before, () => fault.after),
  );
  try {
    if (fault.generate === true) run(process.execPath, ['scripts/generate.ts', '--quiet']);
    const byQuick = first(run(process.execPath, ['scripts/quick.ts', '--only', fault.file]));
    const byWhole = byQuick !== null || quickOnly ? null : first(run(...whole(fault.file)));
    return {
      fault,
      byQuick,
      byWhole,
      seconds: Math.round((performance.now() - begun) / 1000),
    };
  } finally {
    execFileSync('git', ['-C', TREE, 'checkout', '-q', '--', '.']);
    execFileSync('git', ['-C', TREE, 'clean', '-qfd']);
  }
}

/** Returns the command that runs all tests of a file's area and ends at the first failure. */
function whole(file: string): readonly [string, readonly string[]] {
  if (file.startsWith('sdks/python/'))
    return [
      '.venv/bin/python',
      [
        '-m',
        'pytest',
        '-x',
        '-q',
        '--rootdir',
        'sdks/python',
        '-c',
        'sdks/python/pyproject.toml',
        'sdks/python/tests/unit',
      ],
    ];
  return ['vitest', ['run', '--config', vitestConfig(file), '--bail', '1']];
}

function vitestConfig(file: string): string {
  if (file.startsWith('sdks/typescript/')) return 'sdks/typescript/vitest.config.ts';
  return file.startsWith('server/pages/dashboard/') ? 'test/browser/vitest.config.ts' : 'test/vitest.config.ts';
}

interface Ran {
  readonly status: number | null;
  readonly output: string;
}

function run(program: string, args: readonly string[]): Ran {
  const { CI: _, ...env } = process.env;
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: TREE,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    env: {
      ...env,
      PATH: `${join(TREE, 'node_modules/.bin')}:${process.env['PATH']}`,
      NO_COLOR: '1',
      FORCE_COLOR: '0',
    },
  });
  if (error !== undefined) throw error;
  return { status, output: stdout + stderr };
}

/** Formats in which failed tests are named, and that of a failed check of `make quick`. */
const FAILED = [/^ {4}✗ (.+)$/gm, /^\s*FAIL\s+(?:\|?\w+\|?\s+)?(.+)$/gm, /^FAILED (.+)$/gm, /^✗ (.+?): \d+ passed/gm];

/**
 * Returns the tests and checks that failed. A command that fails without naming one could not run, and so finds
 * nothing.
 */
function findersOf({ status, output }: Ran): readonly string[] {
  const named =
    status === 0 ? [] : FAILED.flatMap((form) => [...output.matchAll(form)].map(([, name = '']) => name.trim()));
  if (status !== 0 && named.length === 0)
    throw new Error(`It ended with status ${status} and named nothing that failed:\n${output.slice(-2_000)}`);
  return named;
}

const controls = new Map<string, readonly string[]>();

/** Returns what fails for a file even without a fault, and so does not count as a find. */
function withoutFault(file: string): readonly string[] {
  const known = controls.get(file) ?? findersOf(run(process.execPath, ['scripts/quick.ts', '--only', file]));
  controls.set(file, known);
  return known;
}

function tableOf(found: readonly Found[], quickOnly: boolean): string {
  const wholly = ({ byQuick, byWhole }: Found): string => {
    if (byQuick !== null) return 'not asked';
    if (byWhole !== null) return 'yes';
    return quickOnly ? 'not asked' : '**no**';
  };
  const rows = found.map((one) => {
    const { fault, byQuick, byWhole } = one;
    const cells = [fault.breaks, fault.file, byQuick === null ? 'no' : 'yes', wholly(one)];
    return `| ${[...cells, (byQuick ?? byWhole ?? '').replaceAll('|', '/')].join(' | ')} |`;
  });
  const quick = found.filter(({ byQuick }) => byQuick !== null).length;
  const whole = found.filter(({ byWhole }) => byWhole !== null).length;
  return [
    '| Fault | File | By quick | By all tests of the place | By which |',
    '|---|---|---|---|---|',
    ...rows,
    '',
    `${found.length} faults: ${quick} found by quick, ${whole} by all tests of the ` +
      `place${quickOnly ? ' (not asked)' : ''}.`,
    '',
  ].join('\n');
}

if (import.meta.main) process.exitCode = main();
