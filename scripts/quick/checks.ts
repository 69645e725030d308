/** Determines the checks, beside the tests of the service, that changed files require. */
import { mkdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { longLines, WIDTH } from '../lint/code/long-lines.ts';
import { command, type Result, verdict } from '../test/command.ts';
import { pytest, vitest } from '../test/runners.ts';

export interface Check {
  readonly name: string;
  readonly why: string;
  readonly run: () => Promise<Result>;
}

const TSC = 'node_modules/typescript-native/bin/tsc';
const BUILD_INFO = 'build/quick/types';
const isGenerated = (file: string): boolean => /(?:^|\/)_?generated\//.test(file) || file.endsWith('/api.md');

/** Returns a type check that is incremental and runs on one thread, because little is left to check. */
function types(name: string, project: string): () => Promise<Result> {
  mkdirSync(BUILD_INFO, { recursive: true });
  return command(`quick-types-${name}`, process.execPath, [
    TSC,
    '-p',
    project,
    '--noEmit',
    '--incremental',
    '--tsBuildInfoFile',
    `${BUILD_INFO}/${name}.tsbuildinfo`,
  ]);
}

export function checksOf(files: readonly string[], existing: (pattern: string) => readonly string[]): readonly Check[] {
  const first = (pattern: RegExp): string | undefined => files.find((file) => pattern.test(file));
  const contract =
    first(/^openapi\.yaml$|^scripts\/(?:contract|generate|lint)\/|^scripts\/(?:format|generate)\.ts$/) ??
    files.find(isGenerated);
  const source = files.find((file) => /^(?:server|scripts|test)\/.*\.[cm]?ts$/.test(file));
  const asset = first(/^server\/pages\/assets\//);
  const page = first(/^server\/pages\/dashboard\//);
  const clientTypes = first(/generated\/client-types\.ts$/);
  const [typescript, python] = ['sdks/typescript/', 'sdks/python/'].map((folder) =>
    files.filter((file) => file.startsWith(folder) && !isGenerated(file) && /\.(?:ts|py|toml|json)$/.test(file)),
  );
  return [
    ...(contract === undefined
      ? []
      : [
          {
            name: 'contract is formatted',
            why: contract,
            run: command('quick-format', process.execPath, ['scripts/format.ts', '--check']),
          },
          {
            name: 'contract lint, generated files are current',
            why: contract,
            run: command('quick-generated', process.execPath, ['scripts/generate.ts', '--check', '--quiet']),
          },
        ]),
    ...(source === undefined
      ? []
      : [{ name: 'types: service, scripts, tests', why: source, run: types('service', 'tsconfig.json') }]),
    ...(asset === undefined
      ? []
      : [{ name: 'types: pages', why: asset, run: types('pages', 'server/pages/assets/tsconfig.json') }]),
    ...(page === undefined && clientTypes === undefined
      ? []
      : [
          {
            name: 'types: dashboard',
            why: page ?? clientTypes ?? '',
            run: types('dashboard', 'server/pages/dashboard/tsconfig.json'),
          },
        ]),
    ...layoutAndRules(files.filter((file) => existing(file).length > 0)),
    ...typescriptSdk(typescript ?? [], existing),
    ...pythonSdk(python ?? [], existing),
    ...browser(
      files.filter((file) => /^server\/pages\/(?!.*\.test\.ts$)|^test\/browser\//.test(file) && !file.endsWith('.md')),
      existing,
    ),
  ];
}

/** Returns the checks of `make lint` for the changed files of code. Each tool leaves generated files out by itself. */
function layoutAndRules(files: readonly string[]): Check[] {
  const bin = (name: string): string => `node_modules/.bin/${name}`;
  const check = (pattern: RegExp, name: string, program: string, args: readonly string[]): Check[] => {
    const [why, ...more] = files.filter((file) => pattern.test(file));
    if (why === undefined) return [];
    const run = command(`quick-${name.replaceAll(' ', '-')}`, program, [...args, why, ...more]);
    return [{ name: `code: ${name}`, why, run }];
  };
  return [
    ...check(/\.(?:[cm]?js|tsx?|css|json)$/, 'layout', bin('biome'), ['format', '--no-errors-on-unmatched']),
    ...check(/\.(?:[cm]?js|tsx?)$/, 'rules', bin('oxlint'), [
      '--type-aware',
      '--quiet',
      '--no-error-on-unmatched-pattern',
    ]),
    ...check(/\.py$/, 'layout of Python', '.venv/bin/ruff', ['format', '--check', '--quiet', '--force-exclude']),
    ...lengthOfLines(files.filter((file) => CODE.test(file) && !isGenerated(file))),
  ];
}

const CODE = /\.(?:[cm]?js|tsx?|css|sh)$/;

function lengthOfLines(files: readonly string[]): Check[] {
  const [why] = files;
  if (why === undefined) return [];
  const run = async (): Promise<Result> => {
    const found = files.flatMap((file) =>
      longLines(file, readFileSync(file, 'utf8')).map(
        (line) => `    ${file}:${line} has more than ${WIDTH} characters`,
      ),
    );
    return verdict(found.length === 0, found.join('\n'));
  };
  return [{ name: 'code: length of lines', why, run }];
}

/** Returns the test files that share a word of their name with a changed file; if there are none, `otherwise`. */
function namesakes(
  changed: readonly string[],
  tests: readonly string[],
  otherwise: readonly string[],
): readonly string[] {
  const words = (path: string): readonly string[] =>
    basename(path)
      .replace(/^test_|\.test\.ts$|\.\w+$/g, '')
      .split(/[-_.]/)
      .filter((word) => word.length > 3)
      .map((word) => word.replace(/s$/, ''));
  const own = new Set(changed.flatMap(words));
  const found = tests.filter((test) => changed.includes(test) || words(test).some((word) => own.has(word)));
  return found.length > 0 ? found.slice(0, 4) : tests.filter((test) => otherwise.includes(basename(test)));
}

function typescriptSdk(changed: readonly string[], existing: (pattern: string) => readonly string[]): Check[] {
  const [why] = changed;
  if (why === undefined) return [];
  const tests = namesakes(
    changed,
    existing('sdks/typescript/test/*.test.ts').filter((file) => !/live\.test\.ts$|package\.test\.ts$/.test(file)),
    ['client.test.ts', 'retry.test.ts', 'pagination.test.ts'],
  );
  return [
    {
      name: 'types: TypeScript SDK',
      why,
      run: command('quick-types-sdk', 'npm', ['run', '--silent', '--prefix', 'sdks/typescript', 'check']),
    },
    {
      name: `TypeScript SDK: ${tests.map((test) => basename(test)).join(', ')}`,
      why,
      run: () =>
        vitest(
          'quick-sdk-typescript',
          'sdks/typescript/vitest.config.ts',
          {},
          { args: ['--maxWorkers', '1', ...tests.map((test) => test.slice('sdks/typescript/'.length))] },
        ),
    },
  ];
}

function pythonSdk(changed: readonly string[], existing: (pattern: string) => readonly string[]): Check[] {
  const [why] = changed;
  if (why === undefined) return [];
  const tests = namesakes(changed, existing('sdks/python/tests/unit/test_*.py'), [
    'test_client.py',
    'test_retries.py',
    'test_pagination.py',
  ]);
  return [
    { name: 'Python SDK: ruff', why, run: command('quick-ruff', '.venv/bin/ruff', ['check', 'sdks/python']) },
    {
      name: `Python SDK: ${tests.map((test) => basename(test)).join(', ')}`,
      why,
      run: () => pytest('quick-sdk-python', 'sdks/python', tests),
    },
  ];
}

/**
 * Returns the browser tests. Pages of the dashboard are named after their folders; the other pages have one test for
 * all.
 */
function browser(changed: readonly string[], existing: (pattern: string) => readonly string[]): Check[] {
  const [why] = changed;
  if (why === undefined) return [];
  const folders = changed.map((file) => /^server\/pages\/dashboard\/pages\/([^/]+)\//.exec(file)?.[1] ?? file);
  const isOfDashboard = changed.some((file) => file.startsWith('server/pages/dashboard/'));
  const tests = namesakes(
    folders,
    existing('test/browser/*.test.ts'),
    isOfDashboard ? ['sign-in.test.ts', 'applications.test.ts'] : ['pages.test.ts'],
  ).slice(0, 3);
  return [
    { name: 'Chromium', why, run: command('quick-chromium', 'sh', ['scripts/chromium.sh']) },
    {
      name: `in a browser: ${tests.map((test) => basename(test)).join(', ')}`,
      why,
      run: () =>
        vitest('quick-browser', 'test/browser/vitest.config.ts', {}, { args: ['--maxWorkers', '1', ...tests] }),
    },
  ];
}
