/** `make test`: every check and test, several at a time, with one count at the end. */
import { readOptions } from './options.ts';
import { command, type Result } from './test/command.ts';
import { coverage } from './test/coverage.ts';
import { dashboard } from './test/dashboard.ts';
import { liveSuites } from './test/live-suites.ts';
import { otherGenerators } from './test/other-generators.ts';
import { busy, measured } from './test/processor.ts';
import { behaviour, mutations, pytest, pythonPackage, samples, typescriptSdk, vitest } from './test/runners.ts';
import { otherRuntimes } from './test/runtimes.ts';
import { schemathesis } from './test/schemathesis.ts';

const HELP = `Run every check and test of the project against a real PostgreSQL, both SDKs and a real browser.

Usage: npx node scripts/test.ts [options]
  --only <text>   only the steps whose name contains the text (repeatable)
  --soak          the long campaigns in full instead of their bounded part
  --list          list the steps
  --help          this text

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

interface Step {
  readonly name: string;
  readonly run: () => Promise<Result>;
  /** How many it takes; a step that others build on takes all, so that none of them starts before it has ended. */
  readonly lanes?: 1 | 2 | 3;
  /** The step that must have ended: it uses its product, or would take its files away. */
  readonly after?: string;
}

/** The suite is made for a machine with two cores, which three lanes keep busy: tests also wait, for a database, a browser or a timer. */
const LANES = 3;

const PYTHON = '.venv/bin/python';
const TSC = 'node_modules/typescript-native/bin/tsc';

/** Cheap checks first: what fails fast is told first. The longest steps of one lane run beside the tests of the service. */
function stepsOf({ soak }: { readonly soak: boolean }): readonly Step[] {
  const node = process.execPath;
  const campaigns: Readonly<Record<string, string>> = soak ? { SOAK: 'true' } : {};
  const base = process.env['DIFF_BASE'] === undefined ? [] : [process.env['DIFF_BASE']];
  return [
    { name: 'python environment', run: command('python-environment', 'sh', ['scripts/python.sh']), lanes: 3 },
    { name: 'other runtimes', run: otherRuntimes },
    { name: 'Chromium', run: command('chromium', 'sh', ['scripts/chromium.sh']), lanes: 3 },
    { name: 'generated files are current', run: command('generated', node, ['scripts/generate.ts', '--check']) },
    { name: 'contract is formatted', run: command('format', node, ['scripts/format.ts', '--check']) },
    { name: 'contract lint', run: command('lint', 'redocly', ['lint', 'openapi.yaml', '--config', 'scripts/lint/redocly.yaml', '--max-problems', '50']) },
    { name: 'contract diff', run: command('diff', node, ['scripts/diff.ts', ...base]) },
    { name: 'contract diff of known changes', run: () => mutations(soak) },
    { name: 'types: service, scripts, tests', run: command('types', node, [TSC, '-p', 'tsconfig.json']) },
    { name: 'types: pages', run: command('types-pages', node, [TSC, '-p', 'server/pages/assets/tsconfig.json']) },
    { name: 'types: dashboard', run: command('types-dashboard', node, [TSC, '-p', 'server/pages/dashboard/tsconfig.json']) },
    { name: 'types: TypeScript SDK', run: command('types-sdk', 'npm', ['run', '--silent', '--prefix', 'sdks/typescript', 'check']) },
    { name: 'types: programs of the last release', run: command('previous-sdk', node, ['scripts/previous-sdk.ts', ...base]) },
    { name: 'reference pages', run: command('docs', node, ['scripts/generate.ts', '--only', 'docs', '--quiet']) },
    { name: 'dashboard', run: dashboard },
    { name: 'service: unit, contract and API tests', run: () => vitest('service', 'test/vitest.config.ts', campaigns), lanes: 2, after: 'reference pages' },
    { name: 'pages in a browser', run: () => vitest('browser', 'test/browser/vitest.config.ts'), after: 'dashboard' },
    { name: 'shared behaviour of the SDKs', run: () => behaviour(soak) },
    { name: 'Schemathesis', run: () => schemathesis(soak) },
    { name: 'TypeScript SDK: unit tests', run: () => typescriptSdk(campaigns), after: 'other runtimes' },
    { name: 'Python SDK: unit tests', run: () => pytest('sdk-python', 'sdks/python', ['sdks/python/tests/unit'], campaigns) },
    { name: 'SDK packages', run: command('sdk-packages', node, ['scripts/build-sdks.ts']), after: 'TypeScript SDK: unit tests' },
    { name: 'Python SDK: mypy', run: command('mypy', PYTHON, ['-m', 'mypy', '--config-file', 'sdks/python/pyproject.toml', 'sdks/python/src', 'sdks/python/tests', 'sdks/python/examples']) },
    { name: 'Python SDK: pyright', run: command('pyright', '.venv/bin/basedpyright', ['-p', 'sdks/python', '--level', 'error']) },
    { name: 'Python SDK: ruff', run: command('ruff', '.venv/bin/ruff', ['check', 'sdks/python']) },
    { name: 'Python SDK: package', run: pythonPackage, after: 'SDK packages' },
    { name: 'SDKs and the tour against a live service', run: liveSuites, after: 'SDK packages' },
    { name: 'samples of the reference and programs of the guides', run: samples, after: 'SDK packages' },
    { name: 'contract coverage of the HTTP tests', run: coverage, after: 'service: unit, contract and API tests' },
    ...(soak ? [{ name: 'clients of foreign generators', run: otherGenerators }] : []),
  ];
}

async function main(): Promise<number> {
  const all = stepsOf({ soak: values.soak });
  const steps = all.filter(({ name }) => values.only.length === 0 || values.only.some((text) => name.includes(text)));
  const unknown = values.only.find((text) => !all.some(({ name }) => name.includes(text)));
  if (unknown !== undefined) {
    console.error(`No step has "${unknown}" in its name. The steps are:\n  ${all.map(({ name }) => name).join('\n  ')}`);
    return 2;
  }
  if (values.list) {
    console.log(steps.map(({ name }) => name).join('\n'));
    return 0;
  }
  const [begun, busyBefore] = [performance.now(), busy()];
  let passed = 0;
  let failed = 0;
  const figures: string[] = [];
  const complaints: string[] = [];
  const costs: { readonly name: string; readonly seconds: number }[] = [];
  await inOrder(steps, async (step) => {
    const title = `[${steps.indexOf(step) + 1}/${steps.length}] ${step.name}`;
    console.log(title);
    const start = performance.now();
    const { result, seconds } = await measured(() => settle(step.run));
    costs.push({ name: step.name, seconds });
    passed += result.passed;
    failed += result.failed;
    figures.push(...(result.figures ?? []).map((figure) => `${step.name}: ${figure}`));
    console.log(`${title}: ${result.passed} passed, ${result.failed} failed in ${((performance.now() - start) / 1000).toFixed(1)} s, ${seconds.toFixed(1)} s of the processor`);
    for (const figure of result.figures ?? []) console.log(`    ${figure}`);
    if (result.failed === 0) return;
    console.log(result.complaint ?? '');
    complaints.push(`${step.name}:\n${result.complaint ?? ''}`);
  });
  const { user, system } = process.cpuUsage();
  costs.push({ name: 'this program itself', seconds: (user + system) / 1e6 });
  console.log(`\nSeconds of the processor:\n${costs.sort((a, b) => b.seconds - a.seconds).map(({ name, seconds }) => `${seconds.toFixed(1).padStart(8)}  ${name}`).join('\n')}`);
  console.log(`${costs.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(1).padStart(8)}  in all, of ${(busy() - busyBefore).toFixed(1)} that the processors were busy; the rest is Chromium, and what else runs here`);
  console.log(`\n${figures.join('\n')}\nin ${((performance.now() - begun) / 1000).toFixed(0)} s; full output in build/test/`);
  // What failed stands at the end once more, where somebody who reads only the end finds it.
  if (complaints.length > 0) console.log(`\nFailed:\n${complaints.join('\n')}\n`);
  console.log(`${passed} passed, ${failed} failed`);
  return failed > 0 ? 1 : 0;
}

/** Starts steps in their order, each as soon as the lanes that it needs are free and the step that it builds on has ended. */
async function inOrder(steps: readonly Step[], run: (step: Step) => Promise<void>): Promise<void> {
  const running = new Map<string, Promise<void>>();
  const busy = (): number => steps.reduce((sum, { name, lanes = 1 }) => sum + (running.has(name) ? lanes : 0), 0);
  for (const step of steps) {
    while (busy() + (step.lanes ?? 1) > LANES || (step.after !== undefined && running.has(step.after))) await Promise.race(running.values());
    running.set(step.name, run(step).finally(() => running.delete(step.name)));
  }
  await Promise.all(running.values());
}

/** A step that breaks is a failure, and the others still run. */
async function settle(step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    return { passed: 0, failed: 1, complaint: `    ${error instanceof Error ? error.message : String(error)}` };
  }
}

if (values.help) console.log(HELP);
else process.exitCode = await main();
