import type { ListCategory, ListedEntity, ListedName } from '../listed-entity.ts';
import { type Similarity, similarityOf } from '../names/similarity.ts';
import { type NameToken, tokensOf } from '../names/token.ts';
import { Candidates } from './candidates.ts';
import { IndexedNames } from './indexed-names.ts';
import { type ComparedNames, finalScore, isNamesake, isSameScore, judge, type Judgement, type ListRules, nameScoreOf } from './judgement.ts';
import { modifiersOf, mostSupport, mostSupportOf, yearsOf } from './modifiers.ts';
import { literalKey } from './name-index.ts';
import { align, scoreOf, type WeighedToken } from './name-score.ts';
import { type Subject, subjectIn } from './subject.ts';

export interface SearchOptions {
  /** The least final score of a hit. Namesakes on lists of sanctions are hits below it where `counting` tells such lists. */
  readonly threshold: number;
  /** By the number of the list; a list that has no rules here is not searched. */
  readonly rules: readonly (ListRules | undefined)[];
  /** What is searched beside the index, entity by entity: few, and each by the number of its list. */
  readonly beside?: readonly Beside[];
  /** Which of the entities that reach the threshold are hits; all of them, unless given. */
  readonly counting?: Counting;
}

/** What counts by why an entity is listed. It is asked here, because what does not count must take no place from what does. */
export interface Counting {
  /** Why entities are on a list that does not say it of each, by the number of the list. */
  readonly categories: readonly ListCategory[];
  /** The least score, which is infinite for what does not count at all. */
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

/** The tolerance of years that finds the most: which one a tenant has set is not asked here. */
const MOST_TOLERANCE = 2;

/** Reads one index. Its working memory is for one search at a time. */
export class NameSearch {
  readonly #names: IndexedNames;
  readonly #candidates: Candidates;
  /** By which names those of a search are weighed. */
  #weighing: IndexedNames;

  constructor(buffer: SharedArrayBuffer) {
    this.#names = new IndexedNames(buffer);
    this.#weighing = this.#names;
    this.#candidates = new Candidates(this.#names);
  }

  /** The best hits, each with the best name of its entity and with what its score follows from: all of them, unless fewer are asked for. How rare a word is follows from the weighing lists. */
  search(subject: Subject, options: SearchOptions, most = Infinity, weighing: NameSearch = this): Found[] {
    const { threshold, rules, beside = [] } = options;
    const names = this.#names;
    this.#weighing = weighing.#names;
    names.weighBy(weighing.#names);
    const floors = names.floors(threshold, mostSupport(subject), yearsOf(subject.birthDate === null ? [] : [subject.birthDate]));
    const leads: Lead[] = [];
    const lead = (entity: number, score: number, compare: Lead['compare']): void => void (rules[names.entityList[entity]!] !== undefined && leads.push({ entity, most: Math.min(1, score + floors.support(entity)), compare }));
    for (const subjectName of subject.names) {
      const asked = this.#asked(subjectName, subject.type);
      const { tokens } = asked;
      const same = names.sameAs(subjectName, tokens);
      for (const name of same) lead(names.nameEntity[name]!, 1, (entity) => this.#compared(subject, asked, entity.names[names.placeOf(name)]!));
      const alike = rememberedSimilarity();
      for (const name of this.#candidates.find(tokens, subject.type, floors, 'subject')) {
        if (same.has(name)) continue;
        const alignment = align(tokens, names.wordsOf(name, subject.type), subject.type, alike);
        const [number, score] = [names.nameEntity[name]!, scoreOf(alignment)];
        if (score >= floors.of(number)) lead(number, score, (entity) => ({ subjectName, listedName: entity.names[names.placeOf(name)]!, isLiteral: false, alignment }));
      }
      if (subject.taxId !== null && subjectName === subject.names[0]) for (const number of names.withIdentifier(subject.taxId)) lead(number, 1, (entity) => this.#compared(subject, asked, entity.names[0]!));
    }
    const others = beside.flatMap((other) => this.#judged(subject, other, options));
    return [...this.#best(subject, options, leads, most), ...others].sort((a, b) => b.score - a.score).slice(0, most);
  }

  /** What leads to the highest scores is judged first, and what cannot be among the best any more is not. */
  #best(subject: Subject, options: SearchOptions, leads: Lead[], most: number): Found[] {
    const best = new Map<number, Found>();
    leads.sort((a, b) => b.most - a.most || a.entity - b.entity);
    for (const [index, lead] of leads.entries()) {
      if (best.size >= most && index % JUDGED_AT_ONCE === 0 && [...best].filter(([number, { score }]) => score > lead.most || (score === lead.most && number < lead.entity)).length >= most) break;
      const list = this.#names.entityList[lead.entity]!;
      const before = best.get(lead.entity);
      const entity = before?.entity ?? this.#names.entity(lead.entity);
      const judgement = judge(subject, entity, options.rules[list]!, lead.compare(entity));
      const score = finalScore(judgement);
      const found = { list, entity, judgement, score };
      const isBetter = before === undefined || score > before.score || (score === before.score && nameScoreOf(judgement) > nameScoreOf(before.judgement));
      if (isBetter && isHit(found, options)) best.set(lead.entity, found);
    }
    return [...best].sort(([a, { score: one }], [b, { score: other }]) => other - one || a - b).map(([, found]) => found);
  }

  /**
   * The other way round, in an index of subjects (`asListed`): the keys of those for whom the entity may be a hit at the threshold, or who have a number of it. They are judged by the
   * roles and weights of the search that would find the entity, and by what else is known of both, so nobody is left out whom that search finds; some are in it whom it does not.
   */
  subjectsLike(entity: ListedEntity, of: Subject['type'], threshold: number, lists: NameSearch): Set<string> {
    this.#names.weighBy(lists.#names);
    const found = new Map<number, string>();
    const floors = this.#names.floors(threshold, mostSupportOf(entity), yearsOf(entity.birthDates));
    const note = (number: number): void => {
      if (!found.has(number)) found.set(number, this.#names.entity(number).key);
    };
    for (const { name, quality } of entity.names) {
      const listed = tokensOf(name, of).map((token) => lists.#names.weigh(token));
      for (const same of this.#names.sameAs(name, listed)) note(this.#names.nameEntity[same]!);
      if (quality === 'weak') continue;
      const alike = rememberedSimilarity();
      for (const candidate of this.#candidates.find(listed, of, floors, 'listed')) {
        const number = this.#names.nameEntity[candidate]!;
        if (found.has(number)) continue;
        const score = scoreOf(align(this.#names.wordsOf(candidate, of), listed, of, alike));
        if (score < floors.of(number)) continue;
        const subject = this.#names.entity(number);
        const support = modifiersOf(subjectIn(subject), entity, MOST_TOLERANCE).reduce((sum, { delta }) => sum + delta, 0);
        if (score + support >= threshold || isSameScore(score + support, threshold)) found.set(number, subject.key);
      }
    }
    for (const { value } of entity.identifiers) this.#names.withIdentifier(value).forEach(note);
    return new Set(found.values());
  }

  /** The best name of an entity that the index does not have, by the weights of those that it has, if it makes a hit. */
  #judged(subject: Subject, { list, entity }: Beside, options: SearchOptions): Found[] {
    const rule = options.rules[list];
    if (rule === undefined || (entity.type === 'person') !== (subject.type === 'person')) return [];
    const judgements = subject.names.flatMap((name) => entity.names.map((listed) => judge(subject, entity, rule, this.#compared(subject, this.#asked(name, subject.type), listed))));
    return judgements.map((judgement) => ({ list, entity, judgement, score: finalScore(judgement) })).filter((found) => isHit(found, options)).sort((a, b) => b.score - a.score).slice(0, 1);
  }

  #asked(subjectName: string, of: Subject['type']): Asked {
    return { subjectName, literal: literalKey(subjectName), tokens: tokensOf(subjectName, of).map((token) => this.#weighing.weigh(token)), known: new Map() };
  }

  #compared({ type }: Subject, { subjectName, literal, tokens, known }: Asked, listedName: ListedName): ComparedNames {
    let compared = known.get(listedName.name);
    if (compared === undefined) {
      const listed = tokensOf(listedName.name, type).map((token) => this.#weighing.weigh(token));
      known.set(listedName.name, compared = { isLiteral: literal === literalKey(listedName.name), alignment: align(tokens, listed, type) });
    }
    return { subjectName, listedName, ...compared };
  }
}

function isHit({ list, entity, score, judgement }: Found, { threshold, counting }: SearchOptions): boolean {
  if (counting === undefined) return score >= threshold;
  const category = entity.category ?? counting.categories[list]!;
  if (score < Math.max(threshold, counting.alert[category])) return category === 'sanction' && isNamesake(judgement);
  const until = entity.position?.to ?? null;
  return category !== 'pep' || counting.inOfficeOn === null || until === null || until >= counting.inOfficeOn.slice(0, until.length);
}

/** A name of the subject, as it is compared. */
interface Asked {
  readonly subjectName: string;
  /** By which a name is known that is written alike. */
  readonly literal: string;
  readonly tokens: readonly WeighedToken[];
  /** Many people have one name: each is compared once. */
  readonly known: Map<string, Pick<ComparedNames, 'isLiteral' | 'alignment'>>;
}

/** A name of an entity, or a number of it, that may make it a hit. */
interface Lead {
  readonly entity: number;
  /** No score can be higher. */
  readonly most: number;
  readonly compare: (entity: ListedEntity) => ComparedNames;
}

/** So many leads are judged before it is asked whether there are enough hits. */
const JUDGED_AT_ONCE = 50;

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
