/** Tests that all code samples of the contract compile in their language. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { each } from '../../../test/support/each.ts';
import { buildModel } from '../build-model.ts';
import { projectContract } from '../../contract/project.ts';
import { codeSamples } from './code-samples.ts';

const root = resolve(import.meta.dirname, '../../..');
const samples = codeSamples(buildModel(projectContract()));
const EXTENSION = { curl: 'sh', typescript: 'ts', python: 'py' } as const;
let folder: string;

function run(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): string {
  const { stdout, stderr, status } = spawnSync(program, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  return status === 0 ? '' : `${stdout}${stderr}` || `status ${String(status)}`;
}

function typeCheck(): string {
  return run(process.execPath, [join(root, 'node_modules/typescript-native/bin/tsc'), '-p', 'tsconfig.json']);
}

describe('the code samples of the contract', () => {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'samples-'));
    for (const [operationId, list] of samples) {
      for (const { lang, source } of list)
        writeFileSync(join(folder, `${operationId}.${EXTENSION[lang]}`), `${source}\n`);
    }
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: join(root, 'tsconfig.json'),
        compilerOptions: {
          typeRoots: [join(root, 'node_modules/@types')],
          paths: { 'compliance-onboarding': [join(root, 'sdks/typescript/src/index.ts')] },
        },
        include: ['*.ts'],
        exclude: [],
      }),
    );
  });

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('exist for every operation', () => {
    for (const extension of Object.values(EXTENSION)) {
      expect(readdirSync(folder).filter((name) => name.endsWith(`.${extension}`))).toHaveLength(samples.size);
    }
  });

  it('compile against the TypeScript SDK, which rejects a wrong one', () => {
    expect(typeCheck()).toBe('');
    const wrong = join(folder, 'wrong.ts');
    writeFileSync(
      wrong,
      "import { ComplianceOnboarding } from 'compliance-onboarding';\n" +
        "await new ComplianceOnboarding().applications.submits('');\n",
    );
    expect(typeCheck()).toContain('submits');
    rmSync(wrong);
  });

  it('satisfy mypy against the Python SDK', () => {
    const env = { MYPYPATH: join(root, 'sdks/python/src') };
    const modules = readdirSync(folder).filter((name) => name.endsWith('.py'));
    expect(run(join(root, '.venv/bin/mypy'), ['--strict', '--scripts-are-modules', ...modules], env)).toBe('');
  });

  it('are valid shell scripts', () => {
    for (const name of each(readdirSync(folder).filter((file) => file.endsWith('.sh'))))
      expect(run('sh', ['-n', name]), name).toBe('');
  });
});
