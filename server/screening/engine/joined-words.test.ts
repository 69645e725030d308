/**
 * Tests that an organisation is found however its words are joined, split, abbreviated or in full, and its numbers are
 * written.
 */
import { describe, expect, it } from 'vitest';
import { entityOf, rules, searchIn, subjectOf } from '../../../test/support/searched-names.ts';

describe('A search', () => {
  it.each([
    ['Zetta TradingLtd', 'Zetta Trading Ltd'],
    ['Zetta Trad ing Ltd', 'Zetta Trading Ltd'],
    ['Zetta Aurora COSARL', 'Zetta Aurora Co SARL'],
    ['Zetta Indus tries Aurora', 'Zetta Industries Aurora'],
    ['Zetta Aurora Mfg', 'Zetta Aurora Manu facturing'],
    ['Limited LiabilityCompany Zetta Aurora', 'Limited Liability Company Zetta Aurora'],
    ['Limited Liability CompanyZetta Aurora', 'Limited Liability Company Zetta Aurora'],
    ['Zetta Aurora Joint St ock Company', 'Zetta Aurora JSC'],
    ['Zetta Aurora Fund V', 'Zetta Aurora Fund 005'],
    ['Zetta Aurora I SA', 'Zetta Aurora 1 S.A.'],
    ['Zetta Aurora Gen Imp and Exp', 'Zetta Aurora General Import & Export'],
    ['Obshchestvo s ogranichennoi otvetstvennostyu Zetta Aurora', 'Zetta Aurora OOO'],
  ])('finds an organisation whose words are joined, split, abbreviated or in full: %s', (name, listed) => {
    const own = searchIn('organisation', entityOf({ type: 'organisation', names: [{ name: listed }] }));
    expect(own.search(subjectOf({ type: 'organisation', names: [name] }), { threshold: 0.9, rules })).toHaveLength(1);
    const reverse = searchIn('organisation', entityOf({ type: 'organisation', names: [{ name }] }));
    expect(
      reverse.search(subjectOf({ type: 'organisation', names: [listed] }), { threshold: 0.9, rules }),
    ).toHaveLength(1);
  });
});
