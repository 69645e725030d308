/** Tests of checking that programs written for the last release still compile. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SDKS } from './changelog/sdk.ts';

const script = resolve(import.meta.dirname, './previous-sdk.ts');
let project: string;

const SOURCES = {
  'sdks/typescript/test/tsconfig.json':
    '{ "compilerOptions": { "strict": true, "module": "preserve", "allowImportingTsExtensions": true, "noEmit": ' +
    'true, "types": [] } }',
  'sdks/typescript/src/index.ts': 'export function add(a: number): number { return a; }\n',
  'sdks/typescript/src/inner.ts': 'export const inner = 1;\n',
  'sdks/typescript/test/add.test.ts':
    "import { add } from '../src/index.ts';\n" +
    'export const three: number = add(3);\n' +
    '// @ts-expect-error a text is no number\n' +
    "add('3');\n",
  'sdks/typescript/test/inner.test.ts': "import { inner } from '../src/inner.ts';\nexport const one: number = inner;\n",
  'sdks/python/pyproject.toml': '[tool.mypy]\nstrict = true\nmypy_path = "$MYPY_CONFIG_FILE_DIR/src"\n',
  'sdks/python/src/adder/__init__.py': 'def add(a: int) -> int:\n    return a\n',
  'sdks/python/src/adder/py.typed': '',
  'sdks/python/tests/typed/consumer.py':
    'from adder import add\n\nthree: int = add(3)\nadd("3")  # type: ignore[arg-type]\n',
} as const;

/** A separate repository whose first release is 1.0.0. */
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'previous-sdk-'));
  git('init', '--quiet');
});
afterAll(() => {
  rmSync(project, { recursive: true });
});

function git(...args: string[]): void {
  execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', ...args], { cwd: project });
}
function write(file: string, text: string): void {
  mkdirSync(dirname(join(project, file)), { recursive: true });
  writeFileSync(join(project, file), text);
}
function version(number: string): void {
  write(SDKS.typescript.file, `{\n  "version": "${number}"\n}\n`);
  write(SDKS.python.file, `__version__: Final = "${number}"\n`);
}
function run(...args: string[]) {
  return spawnSync(process.execPath, [script, ...args, '--root', project], { encoding: 'utf8' });
}

describe('programs written for the last release', () => {
  it('do not exist before the first release', () => {
    version('1.0.0');
    for (const [file, text] of Object.entries(SOURCES)) write(file, text);
    git('add', '.');
    git('commit', '--quiet', '-m', 'First');
    expect(run()).toMatchObject({ status: 0, stdout: expect.stringContaining('no release yet') });
    for (const { tag } of Object.values(SDKS)) git('tag', `${tag}1.0.0`);
  });

  it('fit when something was added, even what was a mistake then, and private modules moved', () => {
    write(
      'sdks/typescript/src/index.ts',
      'export function add(a: number | string, b = 0): number { return Number(a) + b; }\n',
    );
    rmSync(join(project, 'sdks/typescript/src/inner.ts'));
    write('sdks/python/src/adder/__init__.py', 'def add(a: int | str, b: int = 0) -> int:\n    return int(a) + b\n');
    expect(run()).toMatchObject({
      status: 0,
      stdout: 'typescript: 1 files of typescript-v1.0.0 fit\npython: 1 files of python-v1.0.0 fit\n',
    });
  });

  it('no longer fit when something was taken away, and it says where', () => {
    write('sdks/typescript/src/index.ts', 'export function sum(a: number): number { return a; }\n');
    write('sdks/python/src/adder/__init__.py', 'def sum(a: int) -> int:\n    return a\n');
    const { status, stdout } = run('python-v1.0.0');
    expect(status).toBe(1);
    expect(stdout).toMatch(/add\.test\.ts.*has no exported member/);
    expect(stdout).toMatch(/consumer\.py:1: error/);
  });

  it('are left alone by a new major version', () => {
    version('2.0.0');
    expect(run()).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(
        /^typescript: 1\.0\.0 → 2\.0\.0, a new major version may break programs.*\npython: 1\.0\.0 → 2\.0\.0/,
      ),
    });
  });

  it('must be of a commit that exists', () => {
    expect(run('nowhere')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('no file, commit, branch or tag nowhere'),
    });
  });
});
