import { behaviour } from './behaviour.ts';
import { command } from './check.ts';
import { coverage } from './coverage.ts';
import { liveSuites } from './live-suites.ts';
import { mutations } from './mutations.ts';
import { otherGenerators } from './other-generators.ts';
import { pytest } from './pytest.ts';
import type { Result } from './result.ts';
import { samples } from './samples.ts';
import { schemathesis } from './schemathesis.ts';
import { vitest } from './vitest.ts';

export interface Step {
  readonly name: string;
  readonly run: () => Promise<Result>;
}

const PYTHON = '.venv/bin/python';
const TSC = 'node_modules/typescript-native/bin/tsc';

/** Cheap checks first: what fails fast is told first. */
export function stepsOf({ soak }: { readonly soak: boolean }): readonly Step[] {
  const node = process.execPath;
  const campaigns: Readonly<Record<string, string>> = soak ? { SOAK: 'true' } : {};
  const base = process.env['DIFF_BASE'] === undefined ? [] : [process.env['DIFF_BASE']];
  return [
    { name: 'python environment', run: command('python-environment', 'sh', ['scripts/python.sh']) },
    { name: 'Chromium', run: command('chromium', 'sh', ['scripts/chromium.sh']) },
    { name: 'generated files are current', run: command('generated', node, ['scripts/generate.ts', '--check']) },
    { name: 'contract lint', run: command('lint', 'redocly', ['lint', 'openapi.yaml', '--config', 'scripts/lint/redocly.yaml', '--max-problems', '50']) },
    { name: 'contract diff', run: command('diff', node, ['scripts/diff.ts', ...base]) },
    { name: 'contract diff of known changes', run: () => mutations(soak) },
    { name: 'types: service, scripts, tests', run: command('types', node, [TSC, '-p', 'tsconfig.json']) },
    { name: 'types: pages', run: command('types-pages', node, [TSC, '-p', 'server/pages/assets/tsconfig.json']) },
    { name: 'types: TypeScript SDK', run: command('types-sdk', 'npm', ['run', '--silent', '--prefix', 'sdks/typescript', 'check']) },
    { name: 'types: programs of the last release', run: command('previous-sdk', node, ['scripts/previous-sdk.ts', ...base]) },
    { name: 'reference pages', run: command('docs', node, ['scripts/generate.ts', '--only', 'docs', '--quiet']) },
    { name: 'service: unit, contract and API tests', run: () => vitest('service', 'test/vitest.config.ts', campaigns) },
    { name: 'contract coverage of the HTTP tests', run: coverage },
    { name: 'TypeScript SDK: unit tests', run: () => vitest('sdk-typescript', 'sdks/typescript/vitest.config.ts', campaigns) },
    { name: 'Python SDK: unit tests', run: () => pytest('sdk-python', 'sdks/python', ['sdks/python/tests/unit'], campaigns) },
    { name: 'Python SDK: mypy', run: command('mypy', PYTHON, ['-m', 'mypy', '--config-file', 'sdks/python/pyproject.toml', 'sdks/python/src', 'sdks/python/tests']) },
    { name: 'Python SDK: pyright', run: command('pyright', '.venv/bin/basedpyright', ['-p', 'sdks/python', '--level', 'error']) },
    { name: 'Python SDK: ruff', run: command('ruff', '.venv/bin/ruff', ['check', 'sdks/python']) },
    { name: 'shared behaviour of the SDKs', run: () => behaviour(soak) },
    { name: 'SDK packages', run: command('sdk-packages', node, ['scripts/build-sdks.ts']) },
    { name: 'Python SDK: package', run: () => pytest('sdk-python-package', 'sdks/python', ['sdks/python/tests/package']) },
    { name: 'SDKs and the tour against a live service', run: liveSuites },
    { name: 'samples of the reference and programs of the guides', run: samples },
    ...(soak ? [{ name: 'clients of foreign generators', run: otherGenerators }] : []),
    { name: 'Schemathesis', run: () => schemathesis(soak) },
    { name: 'pages in a browser', run: () => vitest('browser', 'test/browser/vitest.config.ts') },
  ];
}
