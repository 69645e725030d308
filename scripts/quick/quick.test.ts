/** Tests of choosing the tests of a change. A test that is not chosen would miss a fault until the full run. */
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { operations as table } from '../../server/contract/generated/operations.ts';
import type { Operation } from '../../server/contract/operation.ts';
import { chosenOperations, cachedCluster } from '../../test/support/quick.ts';
import { type Answers, answersOf, writeAnswers } from './answers.ts';
import { changedFiles, namedFiles } from './changed.ts';
import { concernedOperations } from './concerned.ts';
import { operationsOfLines } from './contract-changes.ts';
import { Imports } from './imports.ts';
import { select } from './select.ts';
import { served } from './served.ts';

const ROOT = join(import.meta.dirname, '../..');
const operations = Object.values(table) as readonly Operation[];
const ids = new Set<string>(operations.map(({ operationId }) => operationId));
const imports = new Imports(ROOT);
const service = globSync('server/**/*.ts', { cwd: ROOT }).filter((file) => !file.endsWith('.test.ts'));
const contract = readFileSync(join(ROOT, 'openapi.yaml'), 'utf8');
const lineOf = (text: string): number => contract.split('\n').findIndex((line) => line.startsWith(text)) + 1;
const concerned = (...files: string[]) =>
  concernedOperations(
    { files, base: null, what: '' },
    {
      root: ROOT,
      imports,
      service,
      operations,
    },
  );

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function repository(): {
  readonly root: string;
  readonly git: (...args: string[]) => void;
  readonly put: (file: string) => void;
} {
  const root = mkdtempSync(join(tmpdir(), 'quick-'));
  folders.push(root);
  const git = (...args: string[]): void =>
    void execFileSync('git', ['-C', root, '-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
      stdio: 'pipe',
    });
  const put = (file: string): void => {
    mkdirSync(join(root, file, '..'), { recursive: true });
    writeFileSync(join(root, file), `${Math.random()}`);
  };
  git('init', '-q', '-b', 'main');
  put('a.ts');
  git('add', '-A');
  git('commit', '-qm', 'first');
  put('b.ts');
  git('add', '-A');
  git('commit', '-qm', 'second');
  return { root, git, put };
}

describe('the changed files', () => {
  it('of a branch are those that were committed, staged, changed, deleted and added since main', () => {
    const { root, git, put } = repository();
    git('checkout', '-qb', 'work');
    put('committed.ts');
    git('add', '-A');
    git('commit', '-qm', 'third');
    put('staged.ts');
    git('add', '-A');
    put('a.ts');
    put('folder/untracked.ts');
    rmSync(join(root, 'b.ts'));
    expect(changedFiles(root).files).toEqual(['a.ts', 'b.ts', 'committed.ts', 'folder/untracked.ts', 'staged.ts']);
    expect(namedFiles(root, ['folder', 'a.ts']).files).toEqual(['a.ts', 'folder/untracked.ts']);
  });

  it('of main are the uncommitted ones, or those of the last commit if all is committed', () => {
    const { root, put } = repository();
    expect(changedFiles(root)).toMatchObject({ files: ['b.ts'], what: expect.stringContaining('last commit') });
    put('a.ts');
    expect(changedFiles(root)).toMatchObject({ files: ['a.ts'], what: 'are not committed' });
  });
});

describe('the operations of a file', () => {
  it('cover the contract: every operation is found in its module', () => {
    const lookUp = served(imports, service, ids);
    const found = new Set(
      service.filter((file) => /handlers\.ts$/.test(file)).flatMap((file) => [...lookUp.of(file).keys()]),
    );
    expect([...ids].filter((id) => !found.has(id))).toEqual([]);
  });

  it('are those whose handlers reach it, and no others of its module', () => {
    const lookUp = served(imports, service, ids);
    expect([...lookUp.of('server/modules/monitoring/triage.ts').keys()]).toEqual(['triageAlert']);
    expect(lookUp.ofModule('server/modules/monitoring/triage.ts')).toContain('listAlerts');
    expect(lookUp.ofModule('server/modules/applications/life/erase.ts')).toContain('createDecision');
  });

  it('are a dozen of all kinds for a file that every operation uses', () => {
    const { chosen, total } = concerned('server/request/idempotency.ts');
    expect(total).toBe(operations.length);
    expect(chosen).toHaveLength(12);
    for (const what of ['method', 'rateLimit', 'transaction'] as const)
      expect(new Set(chosen.map((one) => one[what]))).toEqual(new Set(operations.map((one) => one[what])));
    expect(chosen.some(({ idempotent }) => idempotent)).toBe(true);
  });

  it('are none for a guide', () => {
    expect(concerned('docs/guides/developers.md')).toMatchObject({ chosen: [], total: 0 });
  });
});

describe('the operations of a change of the contract', () => {
  it('are those that refer to the changed schema, directly or through another one', () => {
    const found = operationsOfLines(contract, [lineOf('    SubscriptionSummary:') + 1]);
    expect(found).toEqual({ operationIds: ['listSubscriptions'], parts: ['schemas/SubscriptionSummary'] });
    expect(operationsOfLines(contract, [lineOf('    MonitoringSchedule:') + 1])?.operationIds).toEqual(
      expect.arrayContaining(['createSubscription', 'listSubscriptions', 'getSubscription']),
    );
  });

  it('are the one operation that changed, or all if the contract changed as a whole', () => {
    expect(operationsOfLines(contract, [lineOf('      operationId: triageAlert')])?.operationIds).toEqual([
      'triageAlert',
    ]);
    expect(operationsOfLines(contract, [lineOf('security:')])).toBeNull();
  });

  it('are none for the map at the top', () => {
    expect(operationsOfLines(contract, [1, 2, 3])?.operationIds).toEqual([]);
  });
});

describe('the files of tests', () => {
  const tests = ['test/api/triage.test.ts', 'test/api/large.test.ts', 'test/api/other.test.ts'];
  const answers = new Map<string, Answers>([
    [tests[0] ?? '', { seconds: 1, operations: { triageAlert: 9 } }],
    [tests[1] ?? '', { seconds: 900, operations: { triageAlert: 9 } }],
    [tests[2] ?? '', { seconds: 1, operations: { login: 9, getSandbox: 9 } }],
  ]);
  const given = {
    changed: ['server/modules/monitoring/triage.ts'],
    operations: [table.triageAlert as Operation],
    tests,
    answers,
    imports,
    contractChanged: false,
    budget: 10,
  };

  it('are those that call the operations, within the time limit; the others are listed', () => {
    const { chosen, left } = select(given);
    expect(chosen.map(({ file }) => file)).toEqual(['test/api/triage.test.ts']);
    expect(left.map(({ file }) => file)).toEqual(['test/api/large.test.ts']);
  });

  it('include those that changed, whatever they cost', () => {
    expect(select({ ...given, changed: ['test/api/large.test.ts'] }).chosen.map(({ file }) => file)).toContain(
      'test/api/large.test.ts',
    );
  });

  it('are known from the recording, or from their sources if there is none', () => {
    const { root } = repository();
    const test = 'test/api/monitoring.test.ts';
    const source = (): readonly string[] =>
      Object.keys(answersOf(ROOT, [test], operations, imports).answers.get(test)?.operations ?? {});
    expect(source()).toEqual(expect.arrayContaining(['createSubscription']));
    writeAnswers(
      root,
      [
        {
          file: test,
          answers: [{ operation: 'login', status: 200, count: 2 }],
          mediaTypes: [],
          codes: [],
        },
      ],
      new Map([[test, 3]]),
    );
    expect(answersOf(root, [test], operations, imports)).toMatchObject({
      recorded: 1,
      answers: new Map([[test, { seconds: 3, operations: { login: 2 } }]]),
    });
  });
});

describe('the variables of a quick check', () => {
  it('choose operations of the contract, and the folder of the cluster', () => {
    expect(chosenOperations({ QUICK_OPERATIONS: 'login,logout' })).toEqual(new Set(['login', 'logout']));
    expect([chosenOperations({}), cachedCluster({}), cachedCluster({ QUICK_CLUSTER: 'build/quick' })]).toEqual([
      null,
      null,
      'build/quick/cluster',
    ]);
    expect(() => chosenOperations({ QUICK_OPERATIONS: 'login,loggin' })).toThrow(
      'QUICK_OPERATIONS names loggin, which openapi.yaml does not have.',
    );
  });

  it('are refused in CI', () => {
    expect(() => chosenOperations({ CI: 'true', QUICK_OPERATIONS: 'login' })).toThrow(
      'QUICK_OPERATIONS is set, but CI runs every test in full: unset it.',
    );
    expect(() => cachedCluster({ CI: '1', QUICK_CLUSTER: 'build/quick' })).toThrow('QUICK_CLUSTER');
  });
});
