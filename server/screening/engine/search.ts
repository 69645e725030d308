/**
 * Searches one index for a subject, and an index of subjects for an entity. Called in the threads of the engine. The
 * reverse search may find too many subjects but never too few.
 */
import type { ListCategory, ListedEntity, ListedName } from '../listed-entity.ts';
import { type Similarity, similarityOf } from '../names/similarity.ts';
import { type NameToken, tokensOf } from '../names/token.ts';
import { align } from './align.ts';
import type { WeighedToken } from './alignment.ts';
import { Candidates } from './candidates.ts';
import { IndexedNames } from './indexed-names.ts';
import {
  type ComparedNames,
  finalScore,
  isNamesake,
  isSameScore,
  judge,
  type Judgement,
  type ListRules,
  nameScoreOf,
} from './judgement.ts';
import { keysOfEntity, keysOfSubject } from './identifiers.ts';
import { modifiersOf, mostSupport, mostSupportOf, yearsOf } from './modifiers.ts';
import { literalKey } from './name-index.ts';
import { scoreOf } from './name-score.ts';
import { type Subject, subjectIn } from './subject.ts';

export interface SearchOptions {
  /**
   * Minimum final score of a hit. Namesakes on sanctions lists are hits below it, if `counting` says which lists these
   * are.
   */
  readonly threshold: number;
  /** Rules by the number of the list. A list without rules is not searched. */
  readonly rules: readonly (ListRules | undefined)[];
  /** A few entities that are searched outside of the index, each with the number of its list. */
  readonly beside?: readonly Beside[];
  /** Selects the hits among the entities that reach the threshold. All of them if absent. */
  readonly counting?: Counting;
}

/**
 * Selection of hits by the category of an entity. It applies during the search, so that entities that do not count take
 * no place from those that do.
 */
export interface Counting {
  /** Category of the entities of each list that does not state it per entity, by the number of the list. */
  readonly categories: readonly ListCategory[];
  /** Minimum score per category; infinite for one that does not count at all. */
  readonly alert: Readonly<Record<ListCategory, number>>;
  /** A politically exposed person who left the position before this day does not count. */
  readonly inOfficeOn: string | null;
}

interface Beside {
  readonly list: number;
  readonly entity: ListedEntity;
}

export interface Found {
  readonly list: number;
  readonly entity: ListedEntity;
  readonly judgement: Judgement;
  readonly score: number;
}

/** Tolerance of years that finds the most, because the tenant's own setting is not known here. */
const MOST_TOLERANCE = 2;

/** Reads one index. Its working memory is for one search at a time. */
export class NameSearch {
  readonly #names: IndexedNames;
  readonly #candidates: Candidates;
  /** Names by which the words of a search are weighed. */
  #weighing: IndexedNames;

  constructor(buffer: SharedArrayBuffer) {
    this.#names = new IndexedNames(buffer);
    this.#weighing = this.#names;
    this.#candidates = new Candidates(this.#names);
  }

  /**
   * Returns the best hits, each with the best name of its entity and the data behind its score: all of them, or at most
   * `most`. The weighing lists decide how rare a word is.
   */
  search(subject: Subject, options: SearchOptions, most = Infinity, weighing: NameSearch = this): Found[] {
    const { threshold, rules, beside = [] } = options;
    const names = this.#names;
    this.#weighing = weighing.#names;
    names.weighBy(weighing.#names);
    const floors = names.floors(
      threshold,
      mostSupport(subject),
      yearsOf(subject.birthDate === null ? [] : [subject.birthDate]),
    );
    const leads: Lead[] = [];
    const lead = (entity: number, score: number, compare: Lead['compare']): void =>
      void (
        rules[names.entityList[entity]!] !== undefined &&
        leads.push({ entity, most: Math.min(1, score + floors.support(entity)), compare })
      );
    // A number of a country that one side does not name counts only if some names are alike, so all are compared.
    const numbered = [...names.withNumbers(keysOfSubject(subject))]
      .filter((number) => rules[names.entityList[number]!] !== undefined)
      .map((number) => [number, names.entity(number).names.length] as const);
    for (const subjectName of subject.names) {
      const prepared = this.#prepared(subjectName, subject.type);
      const { tokens } = prepared;
      const same = names.sameAs(subjectName, tokens);
      for (const name of same)
        lead(names.nameEntity[name]!, 1, (entity) =>
          this.#compared(subject, prepared, entity.names[names.placeOf(name)]!),
        );
      const alike = rememberedSimilarity();
      for (const name of this.#candidates.find(tokens, subject.type, floors, 'subject')) {
        if (same.has(name)) continue;
        const alignment = align(tokens, names.wordsOf(name, subject.type), subject.type, alike);
        const [number, score] = [names.nameEntity[name]!, scoreOf(alignment)];
        if (score >= floors.of(number))
          lead(number, score, (entity) => ({
            subjectName,
            listedName: entity.names[names.placeOf(name)]!,
            isLiteral: false,
            alignment,
          }));
      }
      for (const [number, count] of numbered)
        for (let at = 0; at < count; at++)
          lead(number, 1, (entity) => this.#compared(subject, prepared, entity.names[at]!));
    }
    const others = beside.flatMap((other) => this.#judged(subject, other, options));
    return [...this.#best(subject, options, leads, most), ...others].sort((a, b) => b.score - a.score).slice(0, most);
  }

  /** Judges the leads with the highest possible scores first, and stops when no further lead can be among the best. */
  #best(subject: Subject, options: SearchOptions, leads: Lead[], most: number): Found[] {
    const best = new Map<number, Found>();
    leads.sort((a, b) => b.most - a.most || a.entity - b.entity);
    for (const [index, lead] of leads.entries()) {
      if (
        best.size >= most &&
        index % JUDGED_AT_ONCE === 0 &&
        [...best].filter(([number, { score }]) => score > lead.most || (score === lead.most && number < lead.entity))
          .length >= most
      )
        break;
      const list = this.#names.entityList[lead.entity]!;
      const before = best.get(lead.entity);
      const entity = before?.entity ?? this.#names.entity(lead.entity);
      const judgement = judge(subject, entity, options.rules[list]!, lead.compare(entity));
      const score = finalScore(judgement);
      const found = {
        list,
        entity,
        judgement,
        score,
      };
      const isBetter =
        before === undefined ||
        score > before.score ||
        (score === before.score && nameScoreOf(judgement) > nameScoreOf(before.judgement));
      if (isBetter && isHit(found, options)) best.set(lead.entity, found);
    }
    return [...best]
      .sort(([a, { score: one }], [b, { score: other }]) => other - one || a - b)
      .map(([, found]) => found);
  }

  /**
   * Searches in reverse, in an index of subjects (`asListed`). Returns the keys of the subjects for whom the entity may
   * be a hit at the threshold, or who have one of its numbers. The roles and weights are those of the search that would
   * find the entity, and other known data counts too, so every subject of that search is included; some others are
   * included as well.
   */
  subjectsLike(entity: ListedEntity, of: Subject['type'], threshold: number, lists: NameSearch): Set<string> {
    this.#names.weighBy(lists.#names);
    const found = new Map<number, string>();
    const floors = this.#names.floors(threshold, mostSupportOf(entity), yearsOf(entity.birthDates));
    const note = (number: number): void => {
      if (!found.has(number)) found.set(number, this.#names.entity(number).key);
    };
    for (const { name, quality } of entity.names) {
      const listed = tokensOf(name, of).map((token) => lists.#names.weigh(token, of));
      for (const same of this.#names.sameAs(name, listed)) note(this.#names.nameEntity[same]!);
      if (quality === 'weak') continue;
      const alike = rememberedSimilarity();
      for (const candidate of this.#candidates.find(listed, of, floors, 'listed')) {
        const number = this.#names.nameEntity[candidate]!;
        if (found.has(number)) continue;
        const score = scoreOf(align(this.#names.wordsOf(candidate, of), listed, of, alike));
        if (score < floors.of(number)) continue;
        const subject = this.#names.entity(number);
        const support = modifiersOf(subjectIn(subject), entity, MOST_TOLERANCE).reduce(
          (sum, { delta }) => sum + delta,
          0,
        );
        if (score + support >= threshold || isSameScore(score + support, threshold)) found.set(number, subject.key);
      }
    }
    this.#names.withNumbers(keysOfEntity(entity)).forEach(note);
    return new Set(found.values());
  }

  /**
   * Judges an entity that is not in the index, by the weights of the index. Returns its best name if it makes a hit.
   */
  #judged(subject: Subject, { list, entity }: Beside, options: SearchOptions): Found[] {
    const rule = options.rules[list];
    if (rule === undefined || (entity.type === 'person') !== (subject.type === 'person')) return [];
    const judgements = subject.names.flatMap((name) =>
      entity.names.map((listed) =>
        judge(subject, entity, rule, this.#compared(subject, this.#prepared(name, subject.type), listed)),
      ),
    );
    return judgements
      .map((judgement) => ({
        list,
        entity,
        judgement,
        score: finalScore(judgement),
      }))
      .filter((found) => isHit(found, options))
      .sort((a, b) => b.score - a.score)
      .slice(0, 1);
  }

  #prepared(subjectName: string, of: Subject['type']): PreparedName {
    return {
      subjectName,
      literal: literalKey(subjectName),
      tokens: tokensOf(subjectName, of).map((token) => this.#weighing.weigh(token, of)),
      known: new Map(),
    };
  }

  #compared(
    { type }: Subject,
    { subjectName, literal, tokens, known }: PreparedName,
    listedName: ListedName,
  ): ComparedNames {
    let compared = known.get(listedName.name);
    if (compared === undefined) {
      const listed = tokensOf(listedName.name, type).map((token) => this.#weighing.weigh(token, type));
      known.set(
        listedName.name,
        (compared = { isLiteral: literal === literalKey(listedName.name), alignment: align(tokens, listed, type) }),
      );
    }
    return { subjectName, listedName, ...compared };
  }
}

function isHit({ list, entity, score, judgement }: Found, { threshold, counting }: SearchOptions): boolean {
  if (counting === undefined) return score >= threshold;
  const category = entity.category ?? counting.categories[list]!;
  if (score < Math.max(threshold, counting.alert[category])) return category === 'sanction' && isNamesake(judgement);
  const until = entity.position?.to ?? null;
  return (
    category !== 'pep' ||
    counting.inOfficeOn === null ||
    until === null ||
    until >= counting.inOfficeOn.slice(0, until.length)
  );
}

/** A name of the subject, prepared for comparison. */
interface PreparedName {
  readonly subjectName: string;
  /** Key by which equal names are found. */
  readonly literal: string;
  readonly tokens: readonly WeighedToken[];
  /** Cache of compared names, because many people share one name. */
  readonly known: Map<string, Pick<ComparedNames, 'isLiteral' | 'alignment'>>;
}

/** A name or a number of an entity that may make it a hit. */
interface Lead {
  readonly entity: number;
  /** Highest possible score. */
  readonly most: number;
  readonly compare: (entity: ListedEntity) => ComparedNames;
}

/** Number of leads that are judged before each check for enough hits. */
const JUDGED_AT_ONCE = 50;

/** Returns a similarity with a cache, because words are compared many times in one search. */
function rememberedSimilarity(): typeof similarityOf {
  const known = new Map<NameToken, Map<NameToken, Similarity | null>>();
  return (a, b) => {
    let ofA = known.get(a);
    if (ofA === undefined) known.set(a, (ofA = new Map<NameToken, Similarity | null>()));
    let found = ofA.get(b);
    if (found === undefined) ofA.set(b, (found = similarityOf(a, b)));
    return found;
  };
}
