/** Tests that the reasons of a score explain it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entityOf, people, personName, rules, searchIn, subjectOf } from '../../../test/support/searched-names.ts';
import { type Feature, featuresOf } from './features.ts';

/** Computes a score from its reasons, as the contract describes. */
function scoreByReasons(features: readonly Feature[]): number {
  const of = (name: Feature['name']): readonly Feature[] => features.filter((feature) => feature.name === name);
  const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0);
  const [divisor] = of('divisor');
  const words =
    divisor!.weight === 0
      ? 0
      : sum(of('alignment').map(({ weight, similarity }) => weight! * similarity!)) / divisor!.weight!;
  const capped = of('literal').length > 0 ? 1 : Math.min(words, ...of('cap').map(({ limit }) => limit!));
  const numbered = of('identifier').length > 0 ? Math.max(0.97, capped) : capped;
  const known = Math.min(1, Math.max(0, numbered + sum(of('modifier').map(({ contribution }) => contribution))));
  return Math.min(known, ...of('list_rule').map(({ limit }) => limit!));
}

/**
 * Returns whether a feature explains why a score is below 1: it lowers the score, or it is an alignment below full
 * similarity.
 */
const takesAway = ({ name, contribution, similarity }: Feature): boolean =>
  contribution < 0 || name === 'unmatched' || name === 'identifier' || (similarity !== null && similarity < 1);

describe('The reasons of a score', () => {
  it('explain the score, so that it can be computed from them alone, and explain why it is not higher', () => {
    const listed = [
      ...people,
      entityOf(
        {
          type: 'person',
          names: [
            { name: 'Touro', quality: 'weak' },
            { name: 'O Touro Falcoeira', quality: 'weak' },
            { name: '王小明' },
            { name: 'J. Reis' },
          ],
          dobs: ['1955-05-17'],
          countries: ['PT'],
          taxIdMasked: '***982247**',
        },
        'various',
      ),
      entityOf({ type: 'person', names: [{ name: 'Numeroso Reis 5' }], taxId: '52998224725' }, 'numbered'),
    ];
    const all = searchIn('person', ...listed);
    const asked = fc.record({
      name: fc.oneof(
        personName,
        fc.constantFrom(
          'Touro',
          'Wang Xiaoming',
          '王明小',
          'Falcoeira Touro',
          'José Reis',
          'Reis 7',
          'Heitor Montalvao Reis Karzoun Souza',
        ),
      ),
      dateOfBirth: fc.constantFrom(undefined, '1955-05-17', '1955-05-18', '1990-01-01'),
      nationalities: fc.constantFrom<string[]>([], ['PT'], ['BR']),
      taxId: fc.constantFrom(undefined, '52998224725', '11144477735'),
      needsConfirmation: fc.boolean(),
    });
    const told = new Set<string>();
    fc.assert(
      fc.property(asked, ({ name, dateOfBirth, nationalities, taxId, needsConfirmation }) => {
        const query = {
          type: 'person' as const,
          names: [name],
          nationalities,
          ...(dateOfBirth !== undefined && { dateOfBirth }),
          ...(taxId !== undefined && { taxId }),
        };
        for (const { judgement, score } of all.search(subjectOf(query), {
          threshold: 0.4,
          rules: [{ needsConfirmation, dobToleranceYears: 0 }],
        })) {
          const features = featuresOf(judgement);
          expect(scoreByReasons(features), name).toBeCloseTo(score, 9);
          if (score < 1) expect(features.filter(takesAway), name).not.toEqual([]);
          for (const feature of features) told.add(feature.name);
        }
      }),
      { numRuns: 400, seed: 20261125 },
    );
    expect([...told].sort()).toEqual([
      'alignment',
      'bounds',
      'cap',
      'divisor',
      'identifier',
      'list_rule',
      'modifier',
      'unmatched',
    ]);
  });

  it('show words as they are written, and not as the words for which they stand', () => {
    const told = (name: string, listed: string): string[] => {
      const [found] = searchIn('organisation', entityOf({ type: 'organisation', names: [{ name: listed }] })).search(
        subjectOf({ type: 'organisation', names: [name] }),
        { threshold: 0.1, rules },
      );
      return featuresOf(found!.judgement)
        .filter((feature) => feature.name === 'alignment' || feature.name === 'unmatched')
        .map(({ query, candidate }) => `${query}/${candidate}`)
        .sort();
    };
    expect(told('Bank Melli', 'Bank Melli')).toEqual(['bank/bank', 'melli/melli']);
    expect(told('Meteor Zavod', 'Meteor Plant Intl')).toEqual(['/intl', 'meteor/meteor', 'zavod/plant']);
    expect(told('Aurora Fund II Usine', 'Aurora Fund 2')).toEqual(['aurora/aurora', 'fund/fund', 'ii/2', 'usine/']);
  });

  it('of a name of a thousand characters fit into an answer', () => {
    const name = Array.from({ length: 330 }, (_, index) => `w${index.toString(36)}`).join(' ');
    const [found] = searchIn(
      'person',
      entityOf({ type: 'person', names: [{ name: `Heitor Montalvão ${name}` }], taxId: '52998224725' }),
    ).search(subjectOf({ type: 'person', names: ['Heitor Montalvão'], taxId: '52998224725' }), {
      threshold: 0.5,
      rules,
    });
    const features = featuresOf(found!.judgement);
    expect([features.length < 100, scoreByReasons(features)]).toEqual([true, 0.97]);
    expect(features.reduce((sum, { contribution }) => sum + contribution, 0)).toBeCloseTo(0.97, 9);
  });
});
