/**
 * Runs vitest and pytest and reads their reports. Used by steps of `make test` and `make quick`. A file that does not
 * load and a skipped test count as failures.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { LOGS, type Result, run, tail, verdict } from './command.ts';

/** Part of vitest's JSON report that is read here. */
interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly startTime: number;
    readonly endTime: number;
    readonly assertionResults: readonly TestCase[];
  }[];
}

interface TestCase {
  readonly status: string;
  readonly title: string;
  readonly ancestorTitles: readonly string[];
  readonly fullName: string;
  readonly failureMessages: readonly string[];
}

interface Selection {
  /** Files, and options that select among their tests. */
  readonly args: readonly string[];
}

/**
 * Runs one vitest configuration. A file that does not load counts as a failure, and so does a skipped test, unless the
 * run is of selected tests.
 */
export async function vitest(
  name: string,
  config: string,
  env: Readonly<Record<string, string>> = {},
  selection: Selection | null = null,
): Promise<Result> {
  const json = join(LOGS, `${name}.json`);
  rmSync(json, { force: true });
  const { code, output } = await run(
    name,
    'vitest',
    [
      'run',
      '--config',
      config,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${json}`,
      ...(selection?.args ?? []),
    ],
    env,
  );
  const report = JSON.parse(textOf(json) ?? 'null') as Report | null;
  if (report === null) return { passed: 0, failed: 1, complaint: tail(output) };
  const skipped = selection === null ? report.numPendingTests + report.numTodoTests : 0;
  const unloadable = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  );
  const failed = report.numFailedTests + skipped + unloadable.length;
  const complaint = [
    ...report.testResults
      .flatMap(({ assertionResults }) => assertionResults.filter((test) => test.status === 'failed'))
      .map((test) => `    ✗ ${test.fullName}\n${tail(test.failureMessages.join('\n'), 12)}`),
    ...unloadable.map((file) => `    ✗ ${file.name}\n${tail(file.message, 12)}`),
    ...(skipped > 0 ? [`    ${skipped} tests were skipped`] : []),
  ].join('\n');
  // vitest also fails on errors outside of tests, for example an unhandled rejection.
  const hidden = code !== 0 && failed === 0 ? 1 : 0;
  return { passed: report.numPassedTests, failed: failed + hidden, complaint: hidden > 0 ? tail(output) : complaint };
}

/** Runs the unit tests of the TypeScript SDK, and reports on which runtimes the packed package ran. */
export async function typescriptSdk(env: Readonly<Record<string, string>>): Promise<Result> {
  const result = await vitest('sdk-typescript', 'sdks/typescript/vitest.config.ts', env);
  if (result.passed === 0) return result;
  const passed = reportOf('sdk-typescript')
    .filter(({ status }) => status === 'passed')
    .map(({ title }) => title);
  const runtimes = new Set(passed.flatMap((title) => /^runs \S+ on (.*)$/.exec(title)?.[1] ?? []));
  const places = [
    ...runtimes,
    ...(passed.some((title) => title.startsWith('runs in a page of Chromium'))
      ? ['a page of Chromium', 'a worker of Chromium']
      : []),
  ];
  return { ...result, figures: [`the packed package ran on ${places.join(', ')}`] };
}

/** Returns the tests of a run. */
function reportOf(name: string): readonly TestCase[] {
  const { testResults } = JSON.parse(readFileSync(join(LOGS, `${name}.json`), 'utf8')) as Report;
  return testResults.flatMap(({ assertionResults }) => assertionResults);
}

/** Returns the duration of each file of a run in seconds, by its path below the root. */
export function secondsOf(name: string, root: string): ReadonlyMap<string, number> {
  const report = JSON.parse(textOf(join(LOGS, `${name}.json`)) ?? '{"testResults":[]}') as Pick<Report, 'testResults'>;
  return new Map(
    report.testResults.map((file) => [relative(root, file.name), Math.round(file.endTime - file.startTime) / 1000]),
  );
}

/**
 * Tests the behaviour that both SDKs share, against recording and faulty servers and against the service with its
 * PostgreSQL.
 */
export async function behaviour(soak: boolean): Promise<Result> {
  const figures = join(LOGS, 'behaviour.figures');
  mkdirSync(LOGS, { recursive: true });
  rmSync(figures, { force: true });
  const result = await vitest('behaviour', 'test/sdk/vitest.config.ts', {
    BEHAVIOUR_FIGURES: figures,
    ...(soak && { SOAK: 'true' }),
  });
  return { ...result, figures: textOf(figures)?.trimEnd().split('\n') ?? [] };
}

const LANGUAGES = ['curl', 'TypeScript', 'Python'] as const;

/** Runs every sample of the reference and every program of the guides against a service, with the packages as built. */
export async function samples(): Promise<Result> {
  const result = await vitest('samples', 'test/samples/vitest.config.ts');
  // A run that ended before its report has no figures.
  return result.passed === 0 ? result : { ...result, figures: figures() };
}

function figures(): string[] {
  const run = reportOf('samples').filter(({ ancestorTitles: [group = ''] }) =>
    /^(?:the sample of|the guide) /.test(group),
  );
  return ['the sample of', 'the guide'].map((kind) => {
    const those = run.filter(({ ancestorTitles: [group = ''] }) => group.startsWith(kind));
    const each = LANGUAGES.map(
      (language) => `${language} ${those.filter(({ title }) => title.includes(` ${language} `)).length}`,
    );
    const failed = those.filter(({ status }) => status !== 'passed').length;
    return (
      `${those.length} ${kind === 'the guide' ? 'programs of the guides' : 'samples'} executed ` +
      `(${each.join(', ')}), ${failed} failed`
    );
  });
}

/** Runs pytest in the project's Python environment and reads its JUnit report. A skipped test counts as a failure. */
export async function pytest(
  name: string,
  folder: string,
  paths: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Result> {
  const xml = join(LOGS, `${name}.xml`);
  const { output } = await run(
    name,
    '.venv/bin/python',
    [
      '-m',
      'pytest',
      '-q',
      '-p',
      'no:cacheprovider',
      '--rootdir',
      folder,
      '-c',
      join(folder, 'pyproject.toml'),
      `--junitxml=${xml}`,
      ...paths,
    ],
    env,
  );
  const suite = /<testsuite [^>]*>/.exec(textOf(xml) ?? '')?.[0];
  if (suite === undefined) return { passed: 0, failed: 1, complaint: tail(output) };
  const count = (attribute: string) => Number(new RegExp(` ${attribute}="(\\d+)"`).exec(suite)?.[1] ?? 0);
  const failed = count('errors') + count('failures') + count('skipped');
  const passed = count('tests') - failed;
  return { passed, failed: passed + failed === 0 ? 1 : failed, complaint: tail(output) };
}

/** Tests the package of the Python SDK, and reports on which interpreters it ran. */
export async function pythonPackage(): Promise<Result> {
  const name = 'sdk-python-package';
  const result = await pytest(name, 'sdks/python', ['sdks/python/tests/package']);
  const versions = [...(textOf(join(LOGS, `${name}.xml`)) ?? '').matchAll(/ name="[^"]*\[(Python [\d.]+)[^"]*"/g)].map(
    ([, version = '']) => version,
  );
  return versions.length === 0
    ? result
    : { ...result, figures: [`the installed package ran on ${[...new Set(versions)].join(', ')}`] };
}

/**
 * Applies changes with known verdicts to a part of the contract; the full run applies them to the whole contract, and
 * lets Redocly read the whole each time.
 */
export async function mutations(soak: boolean): Promise<Result> {
  const extent = soak ? ['--places', '8', '--whole'] : ['--cut', '20'];
  const { code, output } = await run('mutations', process.execPath, [
    'scripts/contract-diff/mutations/main.ts',
    ...extent,
  ]);
  return verdict(code === 0, tail(output), output.trimEnd().split('\n').slice(-5));
}

/** Returns what a command has written to a file; null if the command ended before writing it. */
function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
