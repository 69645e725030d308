/** Tests of formatting the contract: it must keep its content and change nothing in a second run. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { Document, parse } from 'yaml';
import type { ToStringOptions } from 'yaml';
import { withPaths } from '../../contract-diff/reach.ts';
import type { Contract } from '../contract.ts';
import { operationSites } from '../walk.ts';
import { formatContract } from './index.ts';

const CONTRACT = readFileSync(new URL('../../../openapi.yaml', import.meta.url), 'utf8');

/** Returns the formatted text; fails the test if the text cannot be formatted. */
function formatted(text: string): string {
  const outcome = formatContract(text);
  if ('message' in outcome) throw new Error(`${outcome.line}:${outcome.column} ${outcome.message}`);
  return outcome.text;
}

/**
 * Returns the operations of two groups with what they reach, a third of the text: formatting depends on the kinds of
 * content, not on the amount. `make soak` formats everything.
 */
function part(): Contract {
  const contract = parse(CONTRACT) as Contract;
  if (process.env['SOAK'] === 'true') return contract;
  const chosen = operationSites(contract).filter(({ operation }) =>
    ['oauth', 'applications'].includes(operation.tags?.[0] ?? ''),
  );
  return withPaths(contract, new Set(chosen.map(({ path }) => path)));
}

it('leaves openapi.yaml as it is, byte for byte', () => {
  expect(formatted(CONTRACT)).toBe(CONTRACT);
});

it('restores the banner of every section, and keeps all other comments', () => {
  const [before, after] = CONTRACT.split('  /v1/auth/refresh:\n');
  const commented = `${before}  # Sessions end here.\n  /v1/auth/refresh: # and begin\n${after}`.replace(
    /\n {2}# ─+ audit ─+\n/,
    '',
  );
  const text = formatted(commented);
  expect(text).toContain('  # Sessions end here.\n  /v1/auth/refresh:\n    # and begin\n');
  expect(text).toMatch(/\n {2}# ─+ audit ─+\n\n {2}\/v1\/audit\/events:\n/);
  expect(formatted(text)).toBe(text);
});

it('puts schemas and examples below the banner of the only group that uses them, and shared ones first', () => {
  const sectionOf = (text: string, kind: string, name: string): string | undefined => {
    const above = text.slice(0, text.indexOf(`\n    ${name}:\n`, text.indexOf(`\n  ${kind}:\n`)));
    return [...above.matchAll(/\n {4}# ─+ (.+) ─+\n/g)].at(-1)?.[1];
  };
  expect(sectionOf(CONTRACT, 'schemas', 'Timestamp')).toBe('schemas: shared');
  expect(sectionOf(CONTRACT, 'schemas', 'AlertStatus')).toBe('schemas: monitoring');
  expect(sectionOf(CONTRACT, 'examples', 'TokenPair')).toBe('examples: auth');
  const [alertStatus = ''] = /\n {4}AlertStatus:\n(?: {6}.*\n)+/.exec(CONTRACT) ?? [];
  const misplaced = CONTRACT.replace(alertStatus, '\n').replace('\n    Timestamp:\n', `${alertStatus}    Timestamp:\n`);
  expect(sectionOf(misplaced, 'schemas', 'AlertStatus')).toBe('schemas: shared');
  expect(sectionOf(formatted(misplaced), 'schemas', 'AlertStatus')).toBe('schemas: monitoring');
});

it('does not change the content: members that were reordered are the same members', () => {
  const shuffled = CONTRACT.replace(/( {6}operationId: login\n)( {6}summary: Sign in\n)/, '$2$1').replace(
    /( {8}'400': .*\n)( {8}'401':\n(?: {10}.*\n)+)/,
    '$2$1',
  );
  expect(shuffled).not.toBe(CONTRACT);
  expect(formatted(shuffled)).toBe(CONTRACT);
  expect(parse(shuffled)).toEqual(parse(CONTRACT));
});

it('changes nothing in a second run, however the contract was written, and keeps the content', () => {
  const contract = part();
  const written = (options: ToStringOptions) =>
    new Document(contract, { aliasDuplicateObjects: false }).toString(options);
  for (const options of [
    {},
    { collectionStyle: 'flow' },
    { lineWidth: 0, defaultStringType: 'QUOTE_DOUBLE', indentSeq: false },
  ] satisfies ToStringOptions[]) {
    const text = formatted(written(options));
    expect(formatted(text) === text, JSON.stringify(options)).toBe(true);
    expect(parse(text)).toEqual(contract);
  }
});

it('uses the shared response that has exactly the named codes', () => {
  const named = CONTRACT.replace(
    /( {6}operationId: logout\n(?:.*\n)+?)( {8}'429':)/,
    "$1        '423': [account_locked]\n$2",
  );
  expect(named).not.toBe(CONTRACT);
  expect(formatted(named)).toBe(named.replace('[account_locked]', "{ $ref: '#/components/responses/AccountLocked' }"));
});

it('rewrites a merge patch from the schema that creates the record, so that the two cannot drift', () => {
  const grown = CONTRACT.replace(
    /(\n {4}Address:\n(?:.*\n)+?)( {8}city:)/,
    '$1        floor: { type: integer, format: int32, minimum: 0, maximum: 200, default: 0, ' +
      'description: The floor. }\n' +
      '$2',
  );
  expect(grown).not.toBe(CONTRACT);
  const text = formatted(grown);
  expect(text).toContain(
    "        floor: { type: [integer, 'null'], format: int32, minimum: 0, maximum: 200, " +
      'description: The floor. }\n' +
      '        city: { oneOf:',
  );
  expect(formatted(text)).toBe(text);
  expect(formatContract(CONTRACT.replace('x-merge-patch-of: Money', 'x-merge-patch-of: Mony'))).toMatchObject({
    message: expect.stringContaining('did you mean `Money`?') as string,
  });
  const without = CONTRACT.replace(/\n {4}AddressUpdate:\n(?: {6}.*\n)+/, '\n');
  expect(parse(formatted(without))).toEqual(parse(CONTRACT));
});

it('writes as a command, and with --check writes nothing and fails', () => {
  const root = mkdtempSync(join(tmpdir(), 'format-'));
  const whole = formatted(new Document(part(), { aliasDuplicateObjects: false }).toString());
  try {
    const file = join(root, 'openapi.yaml');
    const run = (...options: string[]) => {
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [resolve(import.meta.dirname, '../../format.ts'), '--root', root, ...options],
        { cwd: root, encoding: 'utf8' },
      );
      return [status, stdout, stderr];
    };
    const untidy = whole.replace('tags: [oauth]', 'tags:\n        - oauth');
    writeFileSync(file, untidy);
    const line = untidy.split('\n').indexOf('        - oauth');
    expect(run('--check')).toEqual([
      1,
      '',
      `openapi.yaml:${line}:1 not formatted from here on (members, sections or lines are arranged ` +
        'otherwise): run make format\n',
    ]);
    expect(readFileSync(file, 'utf8')).toBe(untidy);
    expect(run()).toEqual([0, 'wrote openapi.yaml\n', '']);
    expect(readFileSync(file, 'utf8')).toBe(whole);
    expect(run()).toEqual([0, '', '']);
    expect(run('--check')).toEqual([0, '', '']);
  } finally {
    rmSync(root, { recursive: true });
  }
});
