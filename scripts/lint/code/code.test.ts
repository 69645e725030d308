/** Tests of the rules for the code itself. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { longLines } from './long-lines.ts';

const ROOT = join(import.meta.dirname, '../../..');
const words = (count: number): string => 'words '.repeat(count).trim();

describe('A line of more than 120 characters', () => {
  const tooLong = (line: string, path = 'server/app.ts'): boolean => longLines(path, `\n${line}\n`).length > 0;

  it('is found by its number, and counted by the characters that are seen', () => {
    expect(
      longLines('server/app.ts', ['short', `// ${words(20)}`, 'short', 'é'.repeat(20).padEnd(121)].join('\n')),
    ).toEqual([2, 4]);
    expect(tooLong('𝒜 '.repeat(60))).toBe(false);
  });

  it.each([
    ['a comment', `// ${words(20)}`],
    ['a comment of one line about a declaration', `/** ${words(20)}. */`],
    ['a message', `const message = '${words(20)}';`],
    ['a statement of SQL', `  SELECT ${words(20)} FROM note`],
    ['a title that is not that of a test', `title('${words(20)}', () => {`],
    ['a call beside an address', `  await call('https://example.org/', ${words(20)});`],
  ])('is broken if it is %s', (_, line) => {
    expect(tooLong(line)).toBe(true);
  });

  it.each([
    ['an address', `// See https://example.org/${'a'.repeat(110)}`],
    ['the title of a test', `  it('${words(20)}', async () => {`],
    ['a regular expression', `const PATTERN = /^(?:${words(20)})$/i;`],
    ['a key in one piece', `  '${'x'.repeat(130)}',`],
  ])('may stay if it is %s', (_, line) => {
    expect(tooLong(line)).toBe(false);
  });

  it('may stay in a table of words', () => {
    expect(tooLong(words(30), 'server/screening/names/lexicon.ts')).toBe(false);
  });
});

describe('The linter of the code', () => {
  let folder: string;

  beforeAll(() => {
    mkdirSync(join(ROOT, 'build'), { recursive: true });
    folder = mkdtempSync(join(ROOT, 'build/linted-'));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  /** The rules that a file breaks, by the configuration of the project. */
  function findings(text: string): string[] {
    const file = join(folder, 'tried.ts');
    writeFileSync(file, text);
    const args = ['--type-aware', '--no-ignore', '--format', 'json', file];
    const { stdout } = spawnSync(join(ROOT, 'node_modules/.bin/oxlint'), args, { cwd: ROOT, encoding: 'utf8' });
    return (JSON.parse(stdout) as { diagnostics: { code: string }[] }).diagnostics.map(({ code }) => code).sort();
  }

  it.each([
    ['house(on-several-lines)', 'export const a = { b: 1, c: 2, d: 3, e: 4 };'],
    ['house(on-several-lines)', 'export type A = { b: 1; c: 2; d: 3; e: 4 };'],
    ['eslint(max-params)', 'export const f = (a: 1, b: 1, c: 1, d: 1, e: 1) => [a, b, c, d, e];'],
    ['eslint(no-nested-ternary)', 'export const f = (a: boolean, b: boolean) => (a ? 1 : b ? 2 : 3);'],
    ['typescript(no-floating-promises)', 'export function f(a: () => Promise<void>) {\n  a();\n}'],
    [
      'typescript(switch-exhaustiveness-check)',
      "export function f(a: 'b' | 'c') {\n  switch (a) {\n    case 'b':\n      return 1;\n  }\n  return 2;\n}",
    ],
  ])('finds %s in %s', (rule, text) => {
    expect(findings(text)).toEqual([rule]);
  });

  it('finds nothing in an object of three members, or of four on lines of their own', () => {
    expect(
      findings('export const a = { b: 1, c: 2, d: 3 };\nexport const e = {\n  b: 1,\n  c: 2,\n  d: 3,\n  e: 4,\n};'),
    ).toEqual([]);
  });
});
