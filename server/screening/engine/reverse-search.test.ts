/** Tests of searching subjects for an entity, which must find what searching entities for a subject finds. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  entityOf,
  listedNumbers,
  numbersOfSubject,
  people,
  rules,
  searchIn,
  subjectOf,
  THRESHOLD,
} from '../../../test/support/searched-names.ts';
import { asListed } from './subject.ts';

const givenNames = (
  'Heitor Jose Zé J Mohammed Muhammad Ivan Иван Lukasz Łukasz Catarina Katharina Yevgeniy Jewgeni ' +
  'Uladzimir Vladimir'
).split(' ');
const family = (
  'Montalvao, Montalvão, Montalvan, Silva, Karzoun, Karzun, Petrenkov, Reis, al-Dariq, Aldariq, Falcoeira, ' +
  'Falcoiera, Abd al-Rahman, Abdulrahman, Salah al-Din, Salahuddin, Zhukov, Schukow, الزرقاوي, Zarqawi, ' +
  'Novikau, Novikov, Kassem, Qasim, Yaghoobi, Yaqubi'
).split(', ');

describe('A search', () => {
  it('finds, in reverse, each subject for whom an entity is a hit, even with misspelt, shortened, joined or omitted words', () => {
    const nameOf = (all: readonly string[]) =>
      fc
        .tuple(fc.constantFrom(...givenNames), fc.subarray([...all], { minLength: 1, maxLength: 3 }), fc.boolean())
        .map(([first, rest, last]) => (last ? [...rest, first] : [first, ...rest]).join(' '));
    const [name, listedName] = [nameOf(family), nameOf([...family, 'HeitorReis'])];
    const listed = fc
      .tuple(
        fc.array(listedName, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('strong', 'weak'),
        fc.subarray(['1955-05-17', '1956', '1990-01-01']),
        fc.subarray(['BR', 'PT']),
        fc.oneof(
          { weight: 3, arbitrary: fc.constant([]) },
          { weight: 1, arbitrary: fc.subarray([...listedNumbers], { maxLength: 2 }) },
        ),
      )
      .map(([names, quality, dobs, countries, identifiers]) => ({
        type: 'person' as const,
        names: names.map((text, index) => ({ name: text, quality: index === 0 ? ('strong' as const) : quality })),
        dobs,
        countries,
        identifiers,
      }));
    const screened = fc
      .record({
        name,
        dateOfBirth: fc.constantFrom('1955-05-17', '1955-05-17', '1955', '1954', '1990-01-01', undefined),
        nationalities: fc.subarray(['BR', 'RU']),
        identifiers: fc.oneof(
          { weight: 3, arbitrary: fc.constant([]) },
          { weight: 1, arbitrary: fc.subarray([...numbersOfSubject], { maxLength: 2 }) },
        ),
      })
      .map(({ name: text, ...known }) => subjectOf({ type: 'person', names: [text], ...known }));
    let hits = 0;
    fc.assert(
      fc.property(
        fc.array(listed, { minLength: 5, maxLength: 20 }),
        fc.array(screened, { minLength: 5, maxLength: 30 }),
        fc.constantFrom(0.7, THRESHOLD, 0.9, 0.95),
        (lists, subjects, threshold) => {
          const entities = lists.map((one, index) => entityOf(one, `e${index}`));
          const forward = searchIn('person', ...entities);
          const reverse = searchIn('person', ...subjects.map((subject, index) => asListed(`s${index}`, subject)));
          const affected = new Map(
            entities.map((entity) => [entity.key, reverse.subjectsLike(entity, 'person', threshold, forward)]),
          );
          subjects.forEach((subject, index) => {
            for (const { entity } of forward.search(subject, { threshold, rules })) {
              hits++;
              expect(
                affected.get(entity.key),
                `${subject.names[0]} and ${entity.names.map((one) => one.name).join(', ')}`,
              ).toContain(`s${index}`);
            }
          });
        },
      ),
      { numRuns: 400 },
    );
    expect(hits).toBeGreaterThan(1000);
  });

  it('finds, in reverse, each subject with the number of an entity', () => {
    const subjects = searchIn(
      'person',
      asListed('subject', subjectOf({ type: 'person', names: ['Clarice Montalvão'], taxId: '52998224725' })),
    );
    expect([
      ...subjects.subjectsLike(
        entityOf({ type: 'person', names: [{ name: 'Outro Nome' }], taxId: '52998224725' }),
        'person',
        0.9,
        searchIn('person', ...people),
      ),
    ]).toEqual(['subject']);
  });
});
