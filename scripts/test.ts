/** `make test`: runs every check and test, several at a time, and prints one count at the end. */
import { join } from 'node:path';
import { quickVariablesOf } from '../test/support/quick.ts';
import { misused, readOptions } from './options.ts';
import { command, LOGS } from './test/command.ts';
import { coverage } from './test/coverage.ts';
import { dashboard } from './test/dashboard.ts';
import { Inputs, PassedSteps } from './test/inputs.ts';
import { liveSuites } from './test/live-suites.ts';
import { otherGenerators } from './test/other-generators.ts';
import { busy, measured } from './test/processor.ts';
import { behaviour, mutations, pytest, pythonPackage, samples, typescriptSdk, vitest } from './test/runners.ts';
import { otherRuntimes } from './test/runtimes.ts';
import { schemathesis } from './test/schemathesis.ts';
import { inOrder, runRemembering, type Step, unchangedSteps } from './test/steps.ts';

const HELP = `Run every check and test of the project against a real PostgreSQL, both SDKs and a real browser.

Usage: npx node scripts/test.ts [options]
  --only <text>   only the steps whose name contains the text (repeatable)
  --soak          the long campaigns in full instead of their bounded part
  --list          list the steps
  --help          this text

A step is skipped if its inputs have not changed since it passed on this machine: it is named, and its tests count as
neither passed nor failed. With CI=true or ALL=1 every step runs, and so do the steps that --only names.

The full output of each step is kept in build/test/. The last line is "N passed, N failed".
Exit status: 0 all passed, 1 something failed, 2 wrong options.`;

const { values } = readOptions({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    soak: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const PYTHON = '.venv/bin/python';
const TSC = 'node_modules/typescript-native/bin/tsc';

/** Inputs of the steps that depend only on the contract, on the types of the pages, or on one SDK. */
const OF_CONTRACT = ['openapi.yaml', 'scripts', 'server', 'package.json', 'package-lock.json'];
const OF_PAGES = ['server', 'tsconfig.json', 'package-lock.json'];
const OF_SDKS = ['sdks', 'openapi.yaml', 'scripts', 'server', 'docs', 'package.json', 'package-lock.json'];
const OF_PYTHON = ['sdks/python', 'scripts/python-requirements.txt', 'scripts/python.sh'];

/**
 * Lists cheap checks first, so that what fails fast is reported first. The longest steps with one lane run beside the
 * tests of the service.
 */
function stepsOf({ soak }: { readonly soak: boolean }): readonly Step[] {
  const node = process.execPath;
  const campaigns: Readonly<Record<string, string>> = soak ? { SOAK: 'true' } : {};
  const base = process.env['DIFF_BASE'] === undefined ? [] : [process.env['DIFF_BASE']];
  return [
    {
      name: 'python environment',
      run: command('python-environment', 'sh', ['scripts/python.sh']),
      lanes: 3,
      always: true,
    },
    { name: 'other runtimes', run: otherRuntimes, always: true },
    {
      name: 'Chromium',
      run: command('chromium', 'sh', ['scripts/chromium.sh']),
      lanes: 3,
      always: true,
    },
    {
      name: 'reader of documents',
      run: command('reader', node, ['scripts/verification.ts']),
      lanes: 3,
      always: true,
    },
    { name: 'generated files are current', run: command('generated', node, ['scripts/generate.ts', '--check']) },
    {
      name: 'contract is formatted',
      run: command('format', node, ['scripts/format.ts', '--check']),
      inputs: OF_CONTRACT,
    },
    {
      name: 'contract lint',
      run: command('lint', 'redocly', [
        'lint',
        'openapi.yaml',
        '--config',
        'scripts/lint/redocly.yaml',
        '--max-problems',
        '50',
      ]),
      inputs: OF_CONTRACT,
    },
    { name: 'layout and rules of the code', run: command('lint-code', node, ['scripts/lint.ts', 'code']) },
    { name: 'contract diff', run: command('diff', node, ['scripts/diff.ts', ...base]), inputs: OF_CONTRACT },
    { name: 'contract diff of known changes', run: () => mutations(soak), inputs: OF_CONTRACT },
    {
      name: 'types: service, scripts, tests',
      run: command('types', node, [TSC, '-p', 'tsconfig.json']),
      inputs: ['server', 'scripts', 'test', 'sdks', 'tsconfig.json', 'package-lock.json'],
    },
    {
      name: 'types: pages',
      run: command('types-pages', node, [TSC, '-p', 'server/pages/assets/tsconfig.json']),
      inputs: OF_PAGES,
    },
    {
      name: 'types: dashboard',
      run: command('types-dashboard', node, [TSC, '-p', 'server/pages/dashboard/tsconfig.json']),
      inputs: OF_PAGES,
    },
    {
      name: 'types: TypeScript SDK',
      run: command('types-sdk', 'npm', ['run', '--silent', '--prefix', 'sdks/typescript', 'check']),
      inputs: OF_SDKS,
    },
    {
      name: 'types: programs of the last release',
      run: command('previous-sdk', node, ['scripts/previous-sdk.ts', ...base]),
    },
    {
      name: 'reference pages',
      run: command('docs', node, ['scripts/generate.ts', '--only', 'docs', '--quiet']),
      makes: ['docs/dist'],
    },
    { name: 'dashboard', run: dashboard, makes: ['build/dashboard'] },
    {
      name: 'service: unit, contract and API tests',
      run: () => vitest('service', 'test/vitest.config.ts', campaigns),
      lanes: 2,
      after: 'reference pages',
    },
    { name: 'pages in a browser', run: () => vitest('browser', 'test/browser/vitest.config.ts'), after: 'dashboard' },
    { name: 'shared behaviour of the SDKs', run: () => behaviour(soak) },
    { name: 'Schemathesis', run: () => schemathesis(soak) },
    {
      name: 'TypeScript SDK: unit tests',
      run: () => typescriptSdk(campaigns),
      after: 'other runtimes',
      inputs: OF_SDKS,
    },
    {
      name: 'Python SDK: unit tests',
      run: () => pytest('sdk-python', 'sdks/python', ['sdks/python/tests/unit'], campaigns),
      inputs: OF_SDKS,
    },
    {
      name: 'SDK packages',
      run: command('sdk-packages', node, ['scripts/build-sdks.ts']),
      after: 'TypeScript SDK: unit tests',
      makes: ['build/packages'],
    },
    {
      name: 'Python SDK: mypy',
      run: command('mypy', PYTHON, [
        '-m',
        'mypy',
        '--config-file',
        'sdks/python/pyproject.toml',
        'sdks/python/src',
        'sdks/python/tests',
        'sdks/python/examples',
      ]),
      inputs: OF_PYTHON,
    },
    {
      name: 'Python SDK: pyright',
      run: command('pyright', '.venv/bin/basedpyright', ['-p', 'sdks/python', '--level', 'error']),
      inputs: OF_PYTHON,
    },
    { name: 'Python SDK: package', run: pythonPackage, after: 'SDK packages' },
    { name: 'SDKs and the tour against a live service', run: liveSuites, after: 'SDK packages' },
    { name: 'samples of the reference and programs of the guides', run: samples, after: 'SDK packages' },
    {
      name: 'contract coverage of the HTTP tests',
      run: coverage,
      after: 'service: unit, contract and API tests',
      judges: 'service: unit, contract and API tests',
    },
    ...(soak ? [{ name: 'clients of foreign generators', run: otherGenerators }] : []),
  ];
}

async function main(): Promise<number> {
  const all = stepsOf({ soak: values.soak });
  const steps = all.filter(({ name }) => values.only.length === 0 || values.only.some((text) => name.includes(text)));
  const unknown = values.only.find((text) => !all.some(({ name }) => name.includes(text)));
  if (unknown !== undefined) {
    console.error(
      `No step has "${unknown}" in its name. The steps are:\n  ${all.map(({ name }) => name).join('\n  ')}`,
    );
    return 2;
  }
  if (values.list) {
    console.log(steps.map(({ name }) => name).join('\n'));
    return 0;
  }
  const set = quickVariablesOf(process.env);
  if (set.length > 0) misused(`${set.join(' and ')} would leave tests out: unset it`);
  const root = join(import.meta.dirname, '..');
  const remembered = new PassedSteps(join(LOGS, 'passed-steps.json'));
  const inputs = new Inputs(root);
  const runsAll =
    values.soak ||
    values.only.length > 0 ||
    [process.env['CI'], process.env['ALL']].some((value) => value !== undefined && !['', '0', 'false'].includes(value));
  const unchanged = runsAll ? new Map<string, string>() : unchangedSteps(all, inputs, remembered, root);
  const [begun, busyBefore] = [performance.now(), busy()];
  let passed = 0;
  let failed = 0;
  const figures: string[] = [];
  const complaints: string[] = [];
  const costs: { readonly name: string; readonly seconds: number }[] = [];
  await inOrder(steps, async (step) => {
    const title = `[${steps.indexOf(step) + 1}/${steps.length}] ${step.name}`;
    const at = unchanged.get(step.name);
    if (at !== undefined)
      return void console.log(`${title}: skipped, its inputs are those with which it passed at ${at}`);
    console.log(title);
    const start = performance.now();
    const { result, seconds } = await measured(() => runRemembering(step, inputs, remembered, root));
    costs.push({ name: step.name, seconds });
    passed += result.passed;
    failed += result.failed;
    figures.push(...(result.figures ?? []).map((figure) => `${step.name}: ${figure}`));
    console.log(
      `${title}: ${result.passed} passed, ${result.failed} failed in ` +
        `${((performance.now() - start) / 1000).toFixed(1)} s, ${seconds.toFixed(1)} s of the processor`,
    );
    for (const figure of result.figures ?? []) console.log(`    ${figure}`);
    if (result.failed === 0) return;
    console.log(result.complaint ?? '');
    complaints.push(`${step.name}:\n${result.complaint ?? ''}`);
  });
  const { user, system } = process.cpuUsage();
  costs.push({ name: 'this program itself', seconds: (user + system) / 1e6 });
  console.log(
    `\nSeconds of the processor:\n${costs
      .sort((a, b) => b.seconds - a.seconds)
      .map(({ name, seconds }) => `${seconds.toFixed(1).padStart(8)}  ${name}`)
      .join('\n')}`,
  );
  const inAll = costs.reduce((sum, { seconds }) => sum + seconds, 0);
  console.log(
    `${inAll.toFixed(1).padStart(8)}  in all, of ${(busy() - busyBefore).toFixed(1)} that the processors were busy; ` +
      'the rest is Chromium, and what else runs here',
  );
  console.log(
    `\n${figures.join('\n')}\nin ${((performance.now() - begun) / 1000).toFixed(0)} s; full output in build/test/`,
  );
  // Failures are repeated at the end, for readers who read only the end.
  if (complaints.length > 0) console.log(`\nFailed:\n${complaints.join('\n')}\n`);
  if (unchanged.size > 0)
    console.log(
      `${unchanged.size} of ${steps.length} steps skipped, and none of their tests counted (ALL=1 runs ` +
        `everything): ${[...unchanged.keys()].join(', ')}`,
    );
  console.log(`${passed} passed, ${failed} failed`);
  return failed > 0 ? 1 : 0;
}

if (values.help) console.log(HELP);
else process.exitCode = await main();
