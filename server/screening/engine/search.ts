import type { ListedEntity, ListedName } from '../listed-entity.ts';
import { type Similarity, similarityOf } from '../names/similarity.ts';
import { type NameToken, tokensOf } from '../names/token.ts';
import { Candidates } from './candidates.ts';
import { IndexedNames } from './indexed-names.ts';
import { type ComparedNames, finalScore, isSameScore, judge, type Judgement, type ListRules } from './judgement.ts';
import { modifiersOf, mostSupport, mostSupportOf } from './modifiers.ts';
import { literalKey } from './name-index.ts';
import { align, scoreOf } from './name-score.ts';
import { type Subject, subjectIn } from './subject.ts';

export interface SearchOptions {
  /** The least final score of a hit. */
  readonly threshold: number;
  /** By the number of the list; a list that has no rules here is not searched. */
  readonly rules: readonly (ListRules | undefined)[];
}

export interface Found {
  readonly list: number;
  readonly entity: ListedEntity;
  readonly judgement: Judgement;
  readonly score: number;
}

/** The tolerance of years that finds the most: which one a tenant has set is not asked here. */
const MOST_TOLERANCE = 2;

/** Sums of the same weights in another order differ by less: a bound has to be lower by more to leave a name out. */
const ROUNDING = 1e-9;

/** Reads one index. Its working memory is for one search at a time. */
export class NameSearch {
  readonly #names: IndexedNames;
  readonly #candidates: Candidates;

  constructor(buffer: SharedArrayBuffer) {
    this.#names = new IndexedNames(buffer);
    this.#candidates = new Candidates(this.#names);
  }

  /** All hits, the best name of each entity, with what their scores follow from. Nothing is left out for being one too many. */
  search(subject: Subject, { threshold, rules }: SearchOptions): Found[] {
    const { nameEntity, nameNumber, entityList } = this.#names;
    const best = new Map<number, Found>();
    // What agrees beside the name adds so much at most, so a name that is farther below the threshold cannot become a hit.
    const floor = threshold - mostSupport(subject) - ROUNDING;
    const consider = (number: number, compare: (entity: ListedEntity) => ComparedNames): void => {
      const list = entityList[number]!;
      const rule = rules[list];
      if (rule === undefined) return;
      const entity = best.get(number)?.entity ?? this.#names.entity(number);
      const judgement = judge(subject, entity, rule, compare(entity));
      const score = finalScore(judgement);
      if (score >= threshold && score > (best.get(number)?.score ?? 0)) best.set(number, { list, entity, judgement, score });
    };
    for (const subjectName of subject.names) {
      const tokens = tokensOf(subjectName, subject.type).map((token) => this.#names.weigh(token));
      const same = this.#names.sameAs(subjectName, tokens);
      for (const name of same) consider(nameEntity[name]!, (entity) => this.#compared(subject, subjectName, entity.names[nameNumber[name]!]!));
      const alike = rememberedSimilarity();
      for (const name of this.#candidates.find(tokens, subject.type, floor, this.#names)) {
        if (same.has(name)) continue;
        const alignment = align(tokens, this.#names.wordsOf(name, subject.type, this.#names), subject.type, alike);
        if (scoreOf(alignment, subject.type) < floor) continue;
        consider(nameEntity[name]!, (entity) => ({ subjectName, listedName: entity.names[nameNumber[name]!]!, isLiteral: false, alignment }));
      }
    }
    if (subject.taxId !== null) for (const number of this.#names.withIdentifier(subject.taxId)) consider(number, (entity) => this.#compared(subject, subject.names[0]!, entity.names[0]!));
    return [...best.values()].sort((a, b) => b.score - a.score || (a.entity.key < b.entity.key ? -1 : 1));
  }

  /**
   * The other way round, in an index of subjects (`asListed`): the keys of those for whom the entity may be a hit at the threshold, or who have a number of it. They are judged by the
   * roles and weights of the search that would find the entity, and by what else is known of both, so nobody is left out whom that search finds; some are in it whom it does not.
   */
  subjectsLike(entity: ListedEntity, of: Subject['type'], threshold: number, lists: NameSearch): Set<string> {
    const found = new Map<number, string>();
    const floor = threshold - mostSupportOf(entity) - ROUNDING;
    const note = (number: number): void => {
      if (!found.has(number)) found.set(number, this.#names.entity(number).key);
    };
    for (const { name, quality } of entity.names) {
      const listed = tokensOf(name, of).map((token) => lists.#names.weigh(token));
      for (const same of this.#names.sameAs(name, listed)) note(this.#names.nameEntity[same]!);
      if (quality === 'weak') continue;
      const alike = rememberedSimilarity();
      for (const candidate of this.#candidates.find(listed, of, floor, lists.#names, 'listed')) {
        const number = this.#names.nameEntity[candidate]!;
        if (found.has(number)) continue;
        const score = scoreOf(align(this.#names.wordsOf(candidate, of, lists.#names), listed, of, alike), of);
        if (score < floor) continue;
        const subject = this.#names.entity(number);
        const support = modifiersOf(subjectIn(subject), entity, MOST_TOLERANCE).reduce((sum, { delta }) => sum + delta, 0);
        if (score + support >= threshold || isSameScore(score + support, threshold)) found.set(number, subject.key);
      }
    }
    for (const { value } of entity.identifiers) this.#names.withIdentifier(value).forEach(note);
    return new Set(found.values());
  }

  #compared({ type }: Subject, subjectName: string, listedName: ListedName): ComparedNames {
    const [ofSubject, ofListed] = [subjectName, listedName.name].map((name) => tokensOf(name, type).map((token) => this.#names.weigh(token))) as [ReturnType<IndexedNames['weigh']>[], ReturnType<IndexedNames['weigh']>[]];
    return { subjectName, listedName, isLiteral: literalKey(subjectName) === literalKey(listedName.name), alignment: align(ofSubject, ofListed, type) };
  }
}

/** Words are compared many times in one search, and once each with this. */
function rememberedSimilarity(): typeof similarityOf {
  const known = new Map<NameToken, Map<NameToken, Similarity | null>>();
  return (a, b) => {
    let ofA = known.get(a);
    if (ofA === undefined) known.set(a, ofA = new Map<NameToken, Similarity | null>());
    let found = ofA.get(b);
    if (found === undefined) ofA.set(b, found = similarityOf(a, b));
    return found;
  };
}
