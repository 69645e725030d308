/** Tests of the tests: each expects something in every run. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import { LONGEST_START, LONGEST_TEST, LONGEST_WAIT, limits, longestWith } from '../../scripts/test/limits.ts';
import { isCertain } from './expectations.ts';
import { isConcurrent, testsIn, testsOf, type WrittenTest } from './written-tests.ts';

const ROOT = join(import.meta.dirname, '../..');
const FILES = ['server/**/*.test.ts', 'scripts/**/*.test.ts', 'test/**/*.test.ts', 'sdks/typescript/test/**/*.test.ts'];
const CONFIGURATIONS = ['test', 'test/browser', 'test/samples', 'test/sdk', 'sdks/typescript'];

/** Returns whether the function of a test is asynchronous and takes `{ expect }` as its last parameter. */
function takesExpect({ run }: WrittenTest): boolean {
  if (!ts.isArrowFunction(run) || !run.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword)) return false;
  const context = run.parameters.at(-1)?.name;
  if (context === undefined || !ts.isObjectBindingPattern(context)) return false;
  return context.elements.map((element) => element.getText()).join() === 'expect';
}

describe('every test', () => {
  let tests: readonly (WrittenTest & { readonly place: string })[];
  beforeAll(() => {
    const files = globSync(FILES, { cwd: ROOT, exclude: (path) => path.toString().includes('node_modules') });
    tests = files.flatMap((file) =>
      testsOf(join(ROOT, file)).map((test) => ({ ...test, place: `${file}:${test.line} ${test.title}` })),
    );
  });

  it('is seen', () => expect(tests.length).toBeGreaterThan(3_500));

  it('expects something in every run, and not only if a list has elements or a condition holds', () => {
    expect(tests.filter((test) => !isCertain(test)).map(({ place }) => place)).toEqual([]);
  });

  it('uses the expect of its context if tests run at the same time, so that each is counted for itself', () => {
    const concurrent = tests.filter(isConcurrent);
    expect(concurrent.length).toBeGreaterThan(5);
    expect(concurrent.filter((test) => !takesExpect(test)).map(({ place }) => place)).toEqual([]);
  });
});

describe('a test that expects nothing is found', () => {
  const judged = (body: string): boolean => testsIn(`it('does', async () => { ${body} });`).every(isCertain);

  it.each([
    'await page.waitFor();',
    'for (const row of rows) expect(row).toBe(1);',
    'rows.forEach((row) => expect(row).toBe(1));',
    'if (found) expect(found).toBe(1);',
    'found && expect(found).toBe(1);',
    'try { act(); } catch (error) { expect(error).toBe(1); }',
    'for (const row of rows) { if (row.skipped) continue; expect(row).toBe(1); }',
    'if (!found) return; expect(found).toBe(1);',
    'await act().catch((error) => expect(error).toBe(1));',
    'for (let i = 0; i < rows.length; i++) expect(rows[i]).toBe(1);',
    'while (more()) expect(next()).toBe(1);',
    'const check = () => expect(1).toBe(1);',
    'expect.assertions(0);',
    'const rows = [...none]; for (const row of rows) expect(row).toBe(1);',
    'check(); function check() { if (on) expect(1).toBe(1); }',
    'for (const row of [1, 2].filter(odd)) expect(row).toBe(1);',
    'switch (kind) { case 1: expect(1).toBe(1); }',
    'act(() => { rows.map((row) => expect(row).toBe(1)); });',
  ])('%s', (body) => expect(judged(body)).toBe(false));

  it.each([
    'expect(1).toBe(1);',
    'for (const row of [1, 2]) expect(row).toBe(1);',
    'for (const row of each(rows)) expect(row).toBe(1);',
    'if (found) expect(1).toBe(1); else expect(2).toBe(1);',
    'expect(rows).toHaveLength(2); for (const row of rows) expect(row).toBe(1);',
    'check(); function check() { expect(1).toBe(1); }',
    'await act(async (tx) => { expect(tx).toBe(1); });',
    'for (let i = 0; i < 3; i++) expect(i).toBe(1);',
    'const rows = [1, 2]; rows.forEach((row) => expect(row).toBe(1));',
    'try { expect(1).toBe(1); } finally { close(); }',
    'if (early) { expect(1).toBe(1); return; } expect(2).toBe(1);',
    'await expect.poll(() => 1).toBe(1);',
    'for (const [name] of Object.entries({ a: 1 })) expect(name).toBe(1);',
    'for (const row of each(rows)) { if (row.odd) { expect(1).toBe(1); continue; } expect(row).toBe(1); }',
  ])('and one that expects something is not: %s', (body) => expect(judged(body)).toBe(true));
});

describe('the limits of time', () => {
  it('are defined in one module, which every configuration imports', () => {
    const found = globSync(['test/**/vitest*.config.ts', 'sdks/typescript/vitest*.config.ts'], {
      cwd: ROOT,
      exclude: (path) => path.toString().includes('node_modules'),
    }).map((file) => [file, readFileSync(join(ROOT, file), 'utf8')] as const);
    expect(found.length).toBeGreaterThan(CONFIGURATIONS.length);
    expect(
      found
        .filter(
          ([, text]) =>
            !text.includes('...limits') ||
            /(?:hookTimeout|poll|requireAssertions):|testTimeout: (?!3_600_000)/.test(text),
        )
        .map(([file]) => file),
    ).toEqual([]);
  });

  it('are each longer than the operations within them', () => {
    expect([
      LONGEST_WAIT < LONGEST_TEST,
      LONGEST_TEST < LONGEST_START,
      LONGEST_START < limits.hookTimeout,
      limits.hookTimeout < longestWith(2),
    ]).toEqual([true, true, true, true]);
    expect(limits).toMatchObject({
      testTimeout: LONGEST_TEST,
      expect: { requireAssertions: true, poll: { timeout: LONGEST_WAIT } },
    });
  });
});
