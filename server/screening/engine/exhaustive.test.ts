/** Random test that a search with the index finds what comparing everything finds. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ListedEntity } from '../listed-entity.ts';
import { listedNumbers, numbersOfSubject } from '../../../test/support/searched-names.ts';
import { NICKNAMES_OF } from '../names/lexicon.ts';
import { similarityOf } from '../names/similarity.ts';
import { type NameOf, type NameToken, tokensOf } from '../names/token.ts';
import { NOTHING_KNOWN } from '../sources/source-file.ts';
import { align } from './align.ts';
import { IndexedNames } from './indexed-names.ts';
import { finalScore, judge } from './judgement.ts';
import { gapsOf, keysOf, literalKey, NameIndexBuilder } from './name-index.ts';
import { NameSearch } from './search.ts';
import type { Subject } from './subject.ts';

const rule = { needsConfirmation: false, dobToleranceYears: 0 };

/**
 * Returns whether the index leads from one word to the other: they share all letters, an initial, a nickname, a sound,
 * the consonants, a reading, or all letters but one. Words that are similar beyond that are compared only in names that
 * other words lead to.
 */
const leadsTo = (a: NameToken, b: NameToken): boolean =>
  a.text === b.text ||
  Math.min(a.text.length, b.text.length) === 1 ||
  NICKNAMES_OF.get(a.text)?.has(b.text) === true ||
  a.voiceless === b.voiceless ||
  (a.skeleton === b.skeleton && a.skeleton.length >= 2) ||
  a.readings.some((reading) => b.readings.includes(reading)) ||
  gapsOf(a.text).some((left) => gapsOf(b.text).includes(left));

/**
 * Compares every name of every entity with the subject without an index. Returns the best score of each entity that
 * reaches the threshold: `inTruth` by all similarities, `byWays` only by those between words to which the index leads.
 */
function exhaustive(
  subject: Subject,
  entities: readonly ListedEntity[],
  threshold: number,
  words: IndexedNames,
): { readonly inTruth: Map<string, number>; readonly byWays: Map<string, number> } {
  const weighed = (name: string) => tokensOf(name, subject.type).map((token) => words.weigh(token, subject.type));
  const [inTruth, byWays] = [new Map<string, number>(), new Map<string, number>()];
  for (const entity of entities) {
    for (const listedName of entity.names) {
      for (const subjectName of subject.names) {
        const [ofSubject, ofListed] = [weighed(subjectName), weighed(listedName.name)];
        const keys = keysOf(subjectName, ofSubject);
        const isAlike = keysOf(listedName.name, ofListed).some((key) => keys.includes(key));
        const scoreBy = (similarity: typeof similarityOf): number => {
          const judgement = judge(subject, entity, rule, {
            subjectName,
            listedName,
            isLiteral: literalKey(subjectName) === literalKey(listedName.name),
            alignment: align(ofSubject, ofListed, subject.type, similarity),
          });
          // Without an equal number, a name that a list marks as weak counts only if it is written alike.
          return listedName.quality === 'weak' && !isAlike && judgement.identifier === null ? 0 : finalScore(judgement);
        };
        const own = new Set<NameToken>([...ofSubject, ...ofListed]);
        const truth = scoreBy(similarityOf);
        // Two words written as one are found if they are spelled like the one word.
        const found = Math.min(
          truth,
          scoreBy((a, b) =>
            (own.has(a) && own.has(b) ? leadsTo(a, b) : a.text === b.text) ? similarityOf(a, b) : null,
          ),
        );
        for (const [scores, score] of [
          [inTruth, truth],
          [byWays, found],
        ] as const)
          if (score >= threshold && score > (scores.get(entity.key) ?? 0)) scores.set(entity.key, score);
      }
    }
  }
  return { inTruth, byWays };
}

/** Mostly none of the numbers, else a few. */
const few = <T>(numbers: readonly T[]): fc.Arbitrary<T[]> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant<T[]>([]) },
    { weight: 1, arbitrary: fc.subarray([...numbers], { minLength: 1, maxLength: 2 }) },
  );

const VOCABULARY: Readonly<Record<NameOf, readonly string[]>> = {
  person: (
    'Heitor, Heitr, Hector, Jose, José, Zé, J, H, A, E, Jae, In, Jaein, Mohammed, Muhammad, Mohamad, محمد, Ivan, ' +
    'Иван, Petrenkov, Petrenko, Pietrenkov, Montalvao, Montalvão, Montalvan, Mont, Alvao, Silva, Sylva, da, dos, ' +
    'Reis, Rheis, al, Dariq, al-Dariq, Aldariq, Daryq, Falcoeira, Falcoiera, Abd, Rahman, Abdulrahman, Karzoun, ' +
    'Karzun, Kim, 김, 李明, Li, Ming, Liming, HeitorReis, Maria, Mariah, Dr, 3'
  ).split(', '),
  organisation: (
    'Padaria, Paderia, Encantada, Encantado, Ltda, Limited, LLC, S.A., Inc, Trading, Tradings, International, Group, ' +
    'Grupo, Aurora, Avrora, Ferramentas, Feramentas, Joint Stock Company, Fund, 5, 8, 11420, Zetta, Zeta, and, &, ' +
    'Mega, Megazetta, A.B.C., ABC, Navegacao, Navegação, Navigacao, Grp, Industries, Ind, II, 2, GmbH, ' +
    'Gesellschaft mit beschränkter Haftung'
  ).split(', '),
};

/** Words of people in the spellings of several languages and scripts. */
const SPELLINGS = (
  'Yevgeniy, Jewgeni, Evgueni, Schukow, Zhukov, Joukov, Salah, al-Din, Salahuddin, الزرقاوي, Zarqawi, al-Zarqawi, ' +
  'حبيب, الله, Habibullah, Habib, S, V, Sasha, Aleksandr'
).split(', ');

/** Words of people in the spellings of Belarusian and Arabic, of which some are read alike by two habits. */
const APART = (
  'Uladzimir, Vladimir, Volodymyr, Novikau, Novikov, Siarhei, Sergei, Kassem, Qasim, Kadhim, Kazem, Yaghoobi, ' +
  'Yaqubi, Hardzei, Gordei, Nasir, Naser, Kasem'
).split(', ');

/** General words of organisations, abbreviated and in several languages, among words that identify them. */
const TRANSLATED = (
  'Meteor, Aurora, Zavod, Plant, Usine, Group, Gruppe, Grp, Bureau, Byuro, Intl, Mezhdunarodnaya, ' +
  'International, Nauchno, Scientific, Bank, Banco, Melli, National, Invest, Investment, II, 2, K, Kubrin, LLC, OOO, ' +
  'Aktsionernoye obshestvo, JSC'
).split(', ');

/** Names that identify their bearers, so that two of them say enough. */
const RARE = 'Heitor, Falcoeira, Montalvao, Karzoun, Karzun, Petrenkov, Aldariq, al-Dariq, Rheis, Silva'.split(', ');

/** Words of organisations that one side joins or splits, among abbreviations and legal forms. */
const JOINED = (
  'Aurora, Zetta, AuroraZetta, Trading, Ltd, TradingLtd, Trad, ing, AuroraTrading, Co, Company, Com, pany, SARL, ' +
  'COSARL, Ind, ustries, Industries, Inds, II, 2, Limited Liability Company, Limited LiabilityCompany, LLC, ' +
  'Joint Stock CompanyZetta, JSC, Founda, tion, Foundation, Mfg, Manu, facturing'
).split(', ');

describe('A search', () => {
  it.each([
    ['person', 'mistyped words', VOCABULARY.person],
    ['person', 'spellings of several languages', SPELLINGS],
    ['person', 'spellings of Belarusian and Arabic', APART],
    ['person', 'more or fewer rare words', RARE],
    ['organisation', 'mistyped words', VOCABULARY.organisation],
    ['organisation', 'words joined and split', JOINED],
    ['organisation', 'words in several languages', TRANSLATED],
  ] as const)(
    'of the name of a %s with %s finds the same hits with the same scores as a comparison with every name',
    (type, _, vocabulary) => {
      const name = fc
        .array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 5 })
        .map((words) => words.join(' '));
      const listed = fc.record({
        names: fc.array(
          fc.record({ name, quality: fc.constantFrom('strong' as const, 'strong' as const, 'weak' as const) }),
          { minLength: 1, maxLength: 3 },
        ),
        birthDates: fc.subarray(['1955-05-17', '1956', '1990-01-01']),
        countries: fc.subarray(['BR', 'PT']),
        identifiers: few(listedNumbers),
        furtherIdentifiers: few(listedNumbers),
      });
      const subject = fc.record({
        names: fc.array(name, { minLength: 1, maxLength: 2 }),
        birthDate: fc.constantFrom(null, '1955-05-17', '1955', '1990-01-01'),
        countries: fc.subarray(['BR', 'RU']),
        identifiers: few(numbersOfSubject),
      });
      let [hits, byNumber] = [0, 0];
      fc.assert(
        fc.property(
          fc.array(listed, { minLength: 5, maxLength: 30 }),
          fc.array(subject, { minLength: 10, maxLength: 10 }),
          fc.constantFrom(0.75, 0.82, 0.95),
          (lists, subjects, threshold) => {
            const entities = lists.map(
              (one, index): ListedEntity => ({
                ...NOTHING_KNOWN,
                ...one,
                key: String(index),
                type,
                category: 'sanction',
                names: one.names.map((each) => ({ ...each, kind: 'alias' })),
              }),
            );
            const builder = new NameIndexBuilder(type);
            for (const entity of entities) builder.add(entity, 0);
            const index = builder.build();
            const [search, words] = [new NameSearch(index), new IndexedNames(index)];
            for (const one of subjects) {
              const asked = {
                ...one,
                type,
                gender: null,
                taxId: null,
              };
              const { inTruth, byWays } = exhaustive(asked, entities, threshold, words);
              const found = new Map(
                search.search(asked, { threshold, rules: [rule] }).map(({ entity, score }) => [entity.key, score]),
              );
              for (const [key, score] of found)
                expect(score, asked.names.join(', ')).toBeLessThanOrEqual(inTruth.get(key) ?? 0);
              for (const [key, score] of byWays)
                expect(found.get(key) ?? 0, asked.names.join(', ')).toBeGreaterThanOrEqual(score);
              hits += byWays.size;
              byNumber += search
                .search(asked, { threshold, rules: [rule] })
                .filter(({ judgement }) => judgement.identifier !== null).length;
            }
          },
        ),
        { numRuns: 40 },
      );
      expect(hits).toBeGreaterThan(30);
      expect(byNumber).toBeGreaterThan(30);
    },
  );
});
