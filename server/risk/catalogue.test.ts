/** Tests of the catalogue: what groups contribute, the tenant's own facts, and ratios. */
import { expect, it } from 'vitest';
import { catalogueOf, FACT_GROUPS, metadataFacts, type TenantFact, tenantFacts } from './catalogue.ts';
import { withRatios } from './ratios.ts';

const DECLARED: readonly TenantFact[] = [
  {
    key: 'segment',
    type: 'string',
    description: 'The segment.',
    availableSince: '2026-11-20',
  },
  {
    key: 'expectedMonthlyVolume',
    type: 'number',
    description: 'The volume.',
    availableSince: '2026-11-20',
  },
  {
    key: 'customerSince',
    type: 'date',
    description: 'The first contract.',
    availableSince: '2026-11-20',
  },
];

it('Each fact has one source, and a kind of subject has its own facts', () => {
  const paths = FACT_GROUPS.flatMap(({ facts }) => facts.map(({ path }) => path));
  expect(new Set(paths).size).toBe(paths.length);
  const [people, businesses] = [catalogueOf(FACT_GROUPS, 'individual'), catalogueOf(FACT_GROUPS, 'business')];
  expect(people.get('applicant.age')).toMatchObject({ source: 'applicant', type: 'number', pii: true });
  expect([people.has('business.cnae'), businesses.has('business.cnae'), businesses.has('channel')]).toEqual([
    false,
    true,
    true,
  ]);
});

it('A tenant declares facts over metadata, and values of another type are missing', () => {
  const catalogue = catalogueOf([...FACT_GROUPS, tenantFacts(DECLARED)], 'individual');
  expect(catalogue.get('metadata.segment')).toMatchObject({ source: 'tenant', type: 'string', pii: true });
  expect(
    metadataFacts(DECLARED, {
      segment: 'gold',
      expectedMonthlyVolume: '900',
      customerSince: '2026-13-01',
      other: 1,
    }),
  ).toEqual({
    'metadata.segment': 'gold',
    'metadata.expectedMonthlyVolume': null,
    'metadata.customerSince': null,
  });
  expect(metadataFacts([{ key: 'constructor', type: 'string' }], {})).toEqual({ 'metadata.constructor': null });
});

it('A ratio is a fact with four decimals, and is missing without both of its numbers', () => {
  const facts = { 'metadata.expectedMonthlyVolume': 10_000, 'applicant.monthlyIncome': 3000 };
  expect(withRatios(facts)).toMatchObject({ 'ratio.expectedVolumeToIncome': 3.3333 });
  expect(withRatios({ ...facts, 'applicant.monthlyIncome': 0 })).toMatchObject({
    'ratio.expectedVolumeToIncome': null,
  });
  expect(withRatios({})).toMatchObject({ 'ratio.expectedVolumeToIncome': null });
});
