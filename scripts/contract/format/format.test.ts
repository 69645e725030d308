import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { formatContract } from './index.ts';

const CONTRACT = readFileSync(new URL('../../../openapi.yaml', import.meta.url), 'utf8');

/** The formatted text; what stands in the way fails the test. */
function formatted(text: string): string {
  const outcome = formatContract(text);
  if ('message' in outcome) throw new Error(`${outcome.line}:${outcome.column} ${outcome.message}`);
  return outcome.text;
}

it('leaves openapi.yaml as it is, byte for byte', () => {
  expect(formatted(CONTRACT)).toBe(CONTRACT);
});

it('puts one comment of every section back, and keeps what else is commented', () => {
  const [before, after] = CONTRACT.split('  /v1/auth/refresh:\n');
  const commented = `${before}  # Sessions end here.\n  /v1/auth/refresh: # and begin\n${after}`.replace(/\n {2}# ─+ audit ─+\n/, '');
  const text = formatted(commented);
  expect(text).toContain('  # Sessions end here.\n  /v1/auth/refresh:\n    # and begin\n');
  expect(text).toMatch(/\n {2}# ─+ audit ─+\n\n {2}\/v1\/audit\/events:\n/);
  expect(formatted(text)).toBe(text);
});

it('says nothing else than before: members that were put in order are the same members', () => {
  const shuffled = CONTRACT.replace(/( {6}operationId: login\n)( {6}summary: Sign in\n)/, '$2$1').replace(/( {8}'400': .*\n)( {8}'401':\n(?: {10}.*\n)+)/, '$2$1');
  expect(shuffled).not.toBe(CONTRACT);
  expect(formatted(shuffled)).toBe(CONTRACT);
  expect(parse(shuffled)).toEqual(parse(CONTRACT));
});
