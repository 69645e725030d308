/** Tests of the models and reference lists that are active from the first day. */
import { describe, expect, it } from 'vitest';
import { catalogueOf, FACT_GROUPS } from './catalogue.ts';
import { modelFaults } from './check-model.ts';
import { counterfactualsOf } from './counterfactuals.ts';
import type { Facts, SubjectType } from './facts.ts';
import type { FactsOfPerson } from './facts-of-people.ts';
import type { RiskOutcome } from './model.ts';
import { assessRisk } from './score.ts';
import { SHIPPED_LISTS, SHIPPED_MODELS, valuesOf } from './shipped.ts';

const LISTS = valuesOf(SHIPPED_LISTS);

/** What is known of a person who has declared a name and a date of birth, before any screening. */
const SILENT: FactsOfPerson = {
  'applicant.age': 36,
  'applicant.dateOfBirth': '1990-01-15',
  'applicant.nationality': null,
  'applicant.countryOfBirth': null,
  'applicant.address.country': null,
  'applicant.address.state': null,
  'applicant.residentAbroad': false,
  'applicant.taxResidencies': [],
  'applicant.taxResidenciesAbroad': 0,
  'applicant.occupation': null,
  'applicant.monthlyIncome': null,
  'applicant.sourceOfFunds': [],
  'applicant.pepDeclared': false,
  channel: 'web',
  purpose: 'account_opening',
  level: 'basic',
  'product.codes': [],
  'screening.state': 'none',
  'screening.truncated': false,
  'screening.maxSanctionScore': 0,
  'screening.maxPepScore': 0,
  'screening.maxWatchlistScore': 0,
  'screening.sanctionConfirmed': false,
  'screening.pepConfirmed': false,
  'screening.otherConfirmed': false,
  'attestations.unfavourable': 0,
  'verifications.passed': [],
  'verifications.failed': 0,
  'verifications.inconclusive': 0,
  'monitoring.openAlerts': 0,
  'history.resubmissions': 0,
  'history.isRenewal': false,
  'history.identityConflict': false,
};

function assess(subjectType: SubjectType, facts: Facts): RiskOutcome {
  const outcome = assessRisk(SHIPPED_MODELS[subjectType], { facts, lists: LISTS, today: '2026-11-26' });
  if ('unscorable' in outcome) throw new Error('A shipped model scores whatever is known.');
  return outcome;
}

describe('The shipped models', () => {
  it.each(['individual', 'business'] as const)(
    'for an %s have no fault, and score whatever is known',
    (subjectType) => {
      const listKeys = new Set(SHIPPED_LISTS.map(({ key }) => key));
      expect(modelFaults(SHIPPED_MODELS[subjectType], catalogueOf(FACT_GROUPS, subjectType), listKeys)).toEqual([]);
      expect(assess(subjectType, {}).score).toMatch(/^\d+\.\d{4}$/);
    },
  );

  it('find a person who declares nothing of low risk, and miss nothing', () => {
    expect(assess('individual', SILENT)).toMatchObject({ level: 'low', missingFacts: [] });
  });

  it.each<[string, Partial<FactsOfPerson>, string]>([
    ['a clear screening', { 'screening.state': 'clear' }, 'low'],
    ['a declared public office', { 'applicant.pepDeclared': true }, 'medium'],
    ['a confirmed public office', { 'screening.state': 'confirmed', 'screening.pepConfirmed': true }, 'high'],
    ['another confirmed hit', { 'screening.state': 'confirmed', 'screening.otherConfirmed': true }, 'high'],
    ['a confirmed sanction', { 'screening.state': 'confirmed', 'screening.sanctionConfirmed': true }, 'prohibited'],
    ['a residence under a call for action', { 'applicant.address.country': 'KP' }, 'high'],
    ['a nationality under a call for action', { 'applicant.nationality': 'IR' }, 'medium'],
    ['another date of birth elsewhere', { 'history.identityConflict': true }, 'medium'],
  ])('find a person with %s of the right level', (_, facts, level) => {
    expect(assess('individual', { ...SILENT, ...facts }).level).toBe(level);
  });

  it('find companies of each level', () => {
    const known: Facts = {
      'business.ageMonths': 60,
      'business.cnae': '6201501',
      'business.country': 'BR',
      'ownership.unresolvedPercent': 0,
      'ownership.layers': 0,
      channel: 'web',
      'screening.state': 'clear',
    };
    const young: Facts = {
      ...known,
      'business.ageMonths': 2,
      'business.cnae': '4783101',
      'ownership.unresolvedPercent': 30,
    };
    expect(assess('business', known).level).toBe('low');
    expect(assess('business', young).level).toBe('medium');
    expect(assess('business', { ...known, 'ownership.hasCycle': true }).level).toBe('high');
    expect(assess('business', { ...known, 'screening.sanctionConfirmed': true }).level).toBe('prohibited');
  });

  it('say what would change the level', () => {
    const inputs = { facts: { ...SILENT, 'screening.state': 'open' }, lists: LISTS, today: '2026-11-26' };
    expect(counterfactualsOf(SHIPPED_MODELS.individual, inputs).map(({ fact }) => fact)).toContain(
      'applicant.pepDeclared',
    );
  });

  it('rest on lists without double values, whose countries are codes', () => {
    for (const { values } of SHIPPED_LISTS) expect(new Set(values).size).toBe(values.length);
    const countries = SHIPPED_LISTS.filter(({ key }) => key.endsWith('_countries')).flatMap(({ values }) => values);
    expect(countries.filter((code) => !/^[A-Z]{2}$/.test(code))).toEqual([]);
  });
});
