/** `make quick`: runs the checks and tests that say most about a change, within a minute. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operations as table } from '../server/contract/generated/operations.ts';
import type { Operation } from '../server/contract/operation.ts';
import { CLUSTER_VARIABLE, OPERATIONS_VARIABLE } from '../test/support/quick.ts';
import { watchFolder, latestOnly } from './dev/watch.ts';
import { misused, readOptions } from './options.ts';
import { answersOf } from './quick/answers.ts';
import { changedFiles, namedFiles, type Changed } from './quick/changed.ts';
import { checksOf, type Check } from './quick/checks.ts';
import { concernedOperations } from './quick/concerned.ts';
import { Imports } from './quick/imports.ts';
import { isTable, select } from './quick/select.ts';
import type { Result } from './test/command.ts';
import { vitest } from './test/runners.ts';

const HELP = `Check what tells most about a change: contract, types, the unit tests beside it, and the API tests and the
rows of the tables over the operations that it serves. It is no substitute for make test, which runs everything.

Usage: npx node scripts/quick.ts [options]
  --only <path>       these files or folders in place of those that differ from main (repeatable; several may be
                      separated by spaces or commas);
                      on main itself: those that are not committed, and if there are none, those of the last commit
  --seconds <number>  seconds of the processor that the tests of the service may take, by what they took before
                      (default: 22, and 30 after a change of the contract)
  --list              choose and say why, but run nothing
  --watch             run again whenever a file changes
  --help              this text

The full output of each step is kept in build/test/. The last line is "N passed, N failed".
Exit status: 0 all passed, 1 something failed, 2 wrong options.`;

const ROOT = join(import.meta.dirname, '..');
const TESTS = { module: 22, contract: 30 } as const;

const { values } = readOptions({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    seconds: { type: 'string' },
    list: { type: 'boolean', default: false },
    watch: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const seconds = values.seconds === undefined ? null : Number(values.seconds);
if (values.help) console.log(HELP);
else {
  if (seconds !== null && !(seconds > 0)) misused('--seconds takes a number above 0');
  if (process.env['CI'] !== undefined && process.env['CI'] !== 'false')
    misused('make quick is for the machine of a developer; CI runs make test');
  process.chdir(ROOT);
  if (values.watch) watch();
  else process.exitCode = await main();
}

function changed(): Changed {
  const paths = values.only.flatMap((text) => text.split(/[\s,]+/)).filter((path) => path !== '');
  if (paths.length === 0) return changedFiles(ROOT);
  const named = namedFiles(ROOT, paths);
  // If the contract is among the named files, only its changed lines count.
  return named.files.length > 0
    ? { ...named, base: changedFiles(ROOT).base }
    : misused(`No file is at or below ${paths.join(', ')}`);
}

async function main(): Promise<number> {
  const begun = performance.now();
  const used = processorSeconds();
  const change = changed();
  if (change.files.length === 0) {
    console.log('No file differs.\n0 passed, 0 failed');
    return 0;
  }
  const steps = plan(change);
  if (values.list) return 0;
  const results = await Promise.all([inOrder(steps.checks), inOrder(steps.tests)]);
  const [passed, failed] = (['passed', 'failed'] as const).map((which) =>
    results.flat().reduce((sum, result) => sum + result[which], 0),
  );
  const processor = used === null ? '' : `, ${((processorSeconds() ?? 0) - used).toFixed(1)} s of the processor`;
  console.log(
    `in ${((performance.now() - begun) / 1000).toFixed(1)} s${processor}\n${passed} passed, ${failed} failed`,
  );
  return failed === 0 ? 0 : 1;
}

/** Prints the chosen checks and tests, one line each with the reason. */
function plan(change: Changed): { readonly checks: readonly Check[]; readonly tests: readonly Check[] } {
  const { files } = change;
  const imports = new Imports(ROOT);
  const operations = Object.values(table) as readonly Operation[];
  const glob = (pattern: string): string[] => globSync(pattern, { cwd: ROOT, exclude: ['**/node_modules/**'] }).sort();
  const service = glob('server/**/*.ts').filter((file) => !file.endsWith('.test.ts'));
  const tests = glob('{server,scripts,test}/**/*.test.ts').filter(
    (file) => !/^test\/(?:browser|samples|sdk)\//.test(file),
  );

  console.log(`Files that ${change.what}: ${files.length}`);
  for (const file of files.slice(0, 20)) console.log(`  ${file}`);
  if (files.length > 20) console.log(`  and ${files.length - 20} more`);
  const concerned = concernedOperations(change, {
    root: ROOT,
    imports,
    service,
    operations,
  });
  for (const reason of concerned.reasons.slice(0, 12)) console.log(`  ${reason}`);
  if (concerned.total > 0) {
    const some =
      concerned.chosen.length < concerned.total
        ? ` of ${concerned.total}, the nearest and those that have what others lack`
        : '';
    console.log(
      `Operations: ${concerned.chosen.length}${some}: ` +
        concerned.chosen.map(({ operationId }) => operationId).join(', '),
    );
  }
  const { answers, recorded } = answersOf(ROOT, tests, operations, imports);
  const contractChanged = files.includes('openapi.yaml');
  const budget = seconds ?? (contractChanged ? TESTS.contract : TESTS.module);
  const { chosen, left } = select({
    changed: files,
    operations: concerned.chosen,
    tests,
    answers,
    imports,
    contractChanged,
    budget,
  });
  const checks = checksOf(files, glob);
  console.log('Checks:');
  for (const { name, why } of checks) console.log(`  ${name} (${why})`);
  const source =
    recorded > 0
      ? 'by what the last make test recorded'
      : 'by what their sources say, because no make test has recorded anything here';
  console.log(`Files of tests, chosen ${source}:`);
  for (const { file, why } of chosen) console.log(`  ${file} (${why})`);
  if (left.length > 0)
    console.log(
      `Left to make test: ${left.length} more that concern it, such as ${left
        .slice(0, 4)
        .map(({ file }) => file)
        .join(', ')}`,
    );
  const env = {
    [OPERATIONS_VARIABLE]: concerned.chosen.map(({ operationId }) => operationId).join(','),
    [CLUSTER_VARIABLE]: 'build/quick',
  };
  const named = chosen.map(({ file }) => file);
  const run = (): Promise<Result> =>
    vitest('quick', 'test/vitest.config.ts', env, { args: ['--maxWorkers', '1', '--passWithNoTests', ...named] });
  const rows = chosen.filter(({ file }) => isTable(imports, file)).length;
  return {
    checks,
    tests:
      chosen.length === 0
        ? []
        : [{ name: `tests of the service: ${chosen.length} files, ${rows} of them tables`, why: '', run }],
  };
}

async function inOrder(steps: readonly Check[]): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const { name, run } of steps) {
    const start = performance.now();
    const result = await run().catch(
      (error: Error): Result => ({ passed: 0, failed: 1, complaint: `    ${error.message}` }),
    );
    console.log(
      `${result.failed === 0 ? '✓' : '✗'} ${name}: ${result.passed} passed, ${result.failed} failed in ` +
        `${((performance.now() - start) / 1000).toFixed(1)} s`,
    );
    if (result.failed > 0) console.log(result.complaint ?? '');
    results.push(result);
  }
  return results;
}

/**
 * Returns the processor seconds of this process and its children, if Linux reports them; the kernel counts hundredths
 * of a second.
 */
function processorSeconds(): number | null {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
  } catch {
    return null;
  }
}

function watch(): void {
  const again = latestOnly(async () => {
    await main();
    console.log('Waiting for a change …');
  });
  watchFolder(ROOT, { recursive: false, matches: (path) => path === 'openapi.yaml' }, again);
  for (const folder of [
    'server',
    'scripts',
    'test',
    'sdks/typescript/src',
    'sdks/typescript/test',
    'sdks/python/src',
    'sdks/python/tests',
  ]) {
    watchFolder(
      join(ROOT, folder),
      { recursive: true, matches: (path) => /\.(?:ts|tsx|css|js|py)$/.test(path) },
      again,
    );
  }
  again();
}
