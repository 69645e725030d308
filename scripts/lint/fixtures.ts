import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Contract } from '../generate/contract.ts';
import { inAnyState } from './partial.ts';
import type { Pointer, Rule } from './rule.ts';

export interface LintFixture {
  readonly contract: Contract;
  /** What the rule must say, one line per finding: `/paths/~1v1~1things/get message`. */
  readonly expected: readonly string[];
}

export function lintFixture(rule: string, kind: 'pass' | 'fail'): LintFixture {
  const text = readFileSync(new URL(`fixtures/${rule}.${kind}.yaml`, import.meta.url), 'utf8');
  const { 'x-expected': expected = [], ...contract } = parse(text) as Partial<Contract> & { 'x-expected'?: readonly string[] };
  return { contract: inAnyState(contract), expected };
}

export function findings(rule: Rule, contract: Contract): string[] {
  const found: string[] = [];
  rule(contract, (pointer, message) => found.push(`${jsonPointer(pointer)} ${message}`));
  return found;
}

/** RFC 6901 */
function jsonPointer(pointer: Pointer): string {
  return pointer.map((segment) => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
