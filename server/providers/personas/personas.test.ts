/** Tests of the invented people of the sandbox. */
import { expect, it } from 'vitest';
import { each } from '../../../test/support/each.ts';
import { isNeverIssued, personaFor, personas } from './index.ts';

it('gives every persona its own key, number and description', () => {
  for (const member of ['key', 'taxId', 'description'] as const)
    expect(new Set(personas.map((persona) => persona[member])).size).toBe(personas.length);
});

it.each(personas)('gives $key a number that nobody holds', ({ kind, taxId }) => {
  expect(isNeverIssued(taxId)).toBe(true);
  expect(taxId).toMatch(kind === 'person' ? /^\d{11}$/ : /^SANDBOX\d{5}\d{2}$/);
});

it('gives people names that are valid for applicants', () => {
  for (const { name } of each(personas.filter(({ kind }) => kind === 'person')))
    expect(name).toMatch(/^[\p{L}\p{M} '.-]{2,120}$/u);
});

it('finds a persona by its number and none by any other number', () => {
  expect(personaFor('22222222222')?.outcomes).toEqual(['pep_active', 'left_to_people', 'risk_high', 'approved_by_two']);
  expect(personaFor('SANDBOX4000103')?.key).toBe('closed_company');
  expect(personaFor('52998224725')).toBeNull();
});
