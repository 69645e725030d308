/** Tests of each rule of the comparison with its fixtures. */
import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { inAnyState } from '../contract/contract.ts';
import type { Contract } from '../contract/contract.ts';
import { rules } from './rules/index.ts';

const TODAY = '2026-07-01';

type Fixture = Partial<Contract> & { readonly 'x-expected'?: readonly string[] };

function fixture(rule: string, side: 'base' | 'revision' | 'harmless'): Fixture {
  return parse(readFileSync(new URL(`fixtures/${rule}.${side}.yaml`, import.meta.url), 'utf8')) as Fixture;
}

describe.each(Object.entries(rules))('the diff rule %s', (name, rule) => {
  const base = inAnyState(fixture(name, 'base'));
  const revision = fixture(name, 'revision');

  it('gives the change its verdict', () => {
    const found = rule(base, inAnyState(revision), TODAY).map(
      ({ impact, place, message }) => `${impact} ${place} ${message}`,
    );
    expect(found.sort()).toEqual([...(revision['x-expected'] ?? ['nothing expected'])].sort());
  });

  it('reports nothing if nothing changed', () => {
    expect(rule(base, base, TODAY)).toEqual([]);
  });

  it('reports nothing about a similar but harmless change', () => {
    expect(rule(base, inAnyState(fixture(name, 'harmless')), TODAY)).toEqual([]);
  });
});

it('has fixtures for every rule, and no others', () => {
  const files = readdirSync(new URL('fixtures/', import.meta.url));
  expect(files.sort()).toEqual(
    Object.keys(rules)
      .flatMap((name) => [`${name}.base.yaml`, `${name}.harmless.yaml`, `${name}.revision.yaml`])
      .sort(),
  );
});
