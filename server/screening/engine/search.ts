import type { ListedEntity, ListedName } from '../listed-entity.ts';
import { NICKNAMES_OF } from '../names/lexicon.ts';
import { type Similarity, similarityOf } from '../names/similarity.ts';
import { type NameToken, tokenOf, tokensOf, weightOf } from '../names/token.ts';
import { type ComparedNames, finalScore, isSameScore, judge, type Judgement, type ListRules } from './judgement.ts';
import { gapsOf, keysOf, literalKey, type SectionName } from './name-index.ts';
import { align, mostScore, scoreOf, type WeighedToken } from './name-score.ts';
import { hashOf, type Section, unpack, valuesOf } from './sections.ts';
import { modifiersOf, mostSupport, mostSupportOf } from './modifiers.ts';
import { type Subject, subjectIn } from './subject.ts';

export interface SearchOptions {
  /** The least final score of a hit. */
  readonly threshold: number;
  /** By the number of the list; a list that has no rules here is not searched. */
  readonly rules: readonly (ListRules | undefined)[];
  /** What is searched beside the index, entity by entity: few, and each by the number of its list. */
  readonly beside?: readonly Beside[];
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

/** Words of this many letters are looked for in two pieces, because the list may write them apart. */
const SPLIT_FROM = 6;

/** The tolerance of years that finds the most: which one a tenant has set is not asked here. */
const MOST_TOLERANCE = 2;

/** Reads one index. Its working memory is for one search at a time. */
export class NameSearch {
  readonly #at: Readonly<Record<SectionName, Section>>;
  readonly #decoder = new TextDecoder();
  /** Of each name: what its words that were found weigh together, and which words of the subject found them. */
  readonly #weight: Float32Array;
  readonly #seen: Uint32Array;
  readonly #tokens = new Map<number, WeighedToken>();

  constructor(buffer: SharedArrayBuffer) {
    this.#at = unpack<SectionName>(buffer);
    this.#weight = new Float32Array(this.#at.nameEntity.length);
    this.#seen = new Uint32Array(this.#at.nameEntity.length);
  }

  /** All hits, the best name of each entity, with what their scores follow from. Nothing is left out for being one too many. */
  search(subject: Subject, { threshold, rules, beside = [] }: SearchOptions): Found[] {
    const best = new Map<number, Found>();
    // What agrees beside the name adds so much at most, so a name that is farther below the threshold cannot become a hit.
    const floor = threshold - mostSupport(subject);
    const consider = (number: number, compare: (entity: ListedEntity) => ComparedNames): void => {
      const list = this.#at.entityList[number]!;
      const rule = rules[list];
      if (rule === undefined) return;
      const entity = best.get(number)?.entity ?? this.#entity(number);
      const judgement = judge(subject, entity, rule, compare(entity));
      const score = finalScore(judgement);
      if (score >= threshold && score > (best.get(number)?.score ?? 0)) best.set(number, { list, entity, judgement, score });
    };
    for (const subjectName of subject.names) {
      const tokens = this.#weigh(tokensOf(subjectName, subject.type));
      const same = this.#sameAs(subjectName, tokens);
      for (const name of same) consider(this.#at.nameEntity[name]!, (entity) => this.#compared(subject, subjectName, entity.names[this.#at.nameNumber[name]!]!));
      const alike = this.#alike();
      for (const name of this.#candidates(tokens, subject.type, floor)) {
        if (same.has(name)) continue;
        const alignment = align(tokens, this.#wordsOf(name, subject.type), subject.type, alike);
        if (scoreOf(alignment, subject.type) < floor) continue;
        consider(this.#at.nameEntity[name]!, (entity) => ({ subjectName, listedName: entity.names[this.#at.nameNumber[name]!]!, isLiteral: false, alignment }));
      }
    }
    for (const number of this.#withIdentifier(subject)) consider(number, (entity) => this.#compared(subject, subject.names[0]!, entity.names[0]!));
    const others = beside.flatMap((other) => this.#judged(subject, other, rules[other.list])).filter(({ score }) => score >= threshold);
    return [...best.values(), ...others].sort((a, b) => b.score - a.score || (a.entity.key < b.entity.key ? -1 : 1));
  }

  /**
   * The other way round, in an index of subjects (`asListed`): the keys of those for whom the entity may be a hit at the threshold, or who have a number of it. They are judged by the
   * roles and weights of the search that would find the entity, and by what else is known of both, so nobody is left out whom that search finds; some are in it whom it does not.
   */
  subjectsLike(entity: ListedEntity, of: Subject['type'], threshold: number, lists: NameSearch): Set<string> {
    const found = new Map<number, string>();
    const floor = threshold - mostSupportOf(entity);
    for (const { name, quality } of entity.names) {
      const listed = lists.#weigh(tokensOf(name, of));
      for (const same of this.#sameAs(name, listed)) this.#note(found, this.#at.nameEntity[same]!);
      if (quality === 'weak') continue;
      const alike = this.#alike();
      for (const candidate of this.#candidates(listed, of, floor, 'listed')) {
        const number = this.#at.nameEntity[candidate]!;
        if (found.has(number)) continue;
        const score = scoreOf(align(lists.#weigh(this.#wordsOf(candidate, of)), listed, of, alike), of);
        if (score < floor) continue;
        const subject = this.#entity(number);
        const support = modifiersOf(subjectIn(subject), entity, MOST_TOLERANCE).reduce((sum, { delta }) => sum + delta, 0);
        if (score + support >= threshold || isSameScore(score + support, threshold)) found.set(number, subject.key);
      }
    }
    for (const { value } of entity.identifiers) for (const number of valuesOf(this.#uint('identifierHash'), this.#uint('identifierEntity'), hashOf(value))) this.#note(found, number);
    return new Set(found.values());
  }

  #note(found: Map<number, string>, number: number): void {
    if (!found.has(number)) found.set(number, this.#entity(number).key);
  }

  /** The best name of an entity that the index does not have, by the weights of those that it has. */
  #judged(subject: Subject, { list, entity }: Beside, rule: ListRules | undefined): Found[] {
    if (rule === undefined || (entity.type === 'person') !== (subject.type === 'person')) return [];
    const judgements = subject.names.flatMap((name) => entity.names.map((listed) => judge(subject, entity, rule, this.#compared(subject, name, listed))));
    return judgements.map((judgement) => ({ list, entity, judgement, score: finalScore(judgement) })).sort((a, b) => b.score - a.score).slice(0, 1);
  }

  /** The names that may agree in everything; a collision of hashes is found out when they are compared. */
  #sameAs(name: string, tokens: readonly NameToken[]): Set<number> {
    return new Set(keysOf(name, tokens).flatMap((key) => [...valuesOf(this.#uint('wholeHash'), this.#uint('wholeName'), hashOf(key))]));
  }

  #withIdentifier({ taxId }: Subject): Uint32Array {
    return taxId === null ? new Uint32Array() : valuesOf(this.#uint('identifierHash'), this.#uint('identifierEntity'), hashOf(taxId));
  }

  #compared({ type }: Subject, subjectName: string, listedName: ListedName): ComparedNames {
    const [ofSubject, ofListed] = [subjectName, listedName.name].map((name) => this.#weigh(tokensOf(name, type))) as [WeighedToken[], WeighedToken[]];
    return { subjectName, listedName, isLiteral: literalKey(subjectName) === literalKey(listedName.name), alignment: align(ofSubject, ofListed, type) };
  }

  #uint(name: SectionName): Uint32Array {
    return this.#at[name] as Uint32Array;
  }

  #entity(number: number): ListedEntity {
    const [from, to] = [this.#at.entityStart[number]!, this.#at.entityStart[number + 1]!];
    return JSON.parse(this.#decoder.decode((this.#at.entityText as Uint8Array).slice(from, to))) as ListedEntity;
  }

  /** A word that no list has is as rare as can be. */
  #weigh(tokens: readonly NameToken[]): WeighedToken[] {
    return tokens.map((token) => {
      const word = this.#lookUp('text', token.text).find((found) => this.#text(found) === token.text);
      return { ...token, weight: word === undefined ? weightOf(token, 0) : this.#at.wordWeight[word]! };
    });
  }

  #lookUp(way: 'text' | 'sound' | 'skeleton' | 'gap', key: string): Uint32Array {
    return valuesOf(this.#uint(`${way}Hash`), this.#uint(`${way}Word`), hashOf(key));
  }

  #text(word: number): string {
    const [from, to] = [this.#at.wordStart[word]!, this.#at.wordStart[word + 1]!];
    let text = '';
    for (let at = from; at < to; at++) text += String.fromCharCode(this.#at.wordText[at]!);
    return text;
  }

  #token(word: number, of: Subject['type']): WeighedToken {
    let token = this.#tokens.get(word);
    if (token === undefined) {
      if (this.#tokens.size > 50_000) this.#tokens.clear();
      token = { ...tokenOf({ text: this.#text(word), isUnvowelled: this.#at.wordUnvowelled[word] === 1 }, of), weight: this.#at.wordWeight[word]! };
      this.#tokens.set(word, token);
    }
    return token;
  }

  #wordsOf(name: number, of: Subject['type']): WeighedToken[] {
    const [from, to] = [this.#at.nameStart[name]!, this.#at.nameStart[name + 1]!];
    return Array.from({ length: to - from }, (_, index) => this.#token(this.#at.nameWord[from + index]!, of));
  }

  /** Words are compared many times in one search, and once each with this. */
  #alike(): typeof similarityOf {
    const known = new Map<string, Similarity | null>();
    return (a, b) => {
      const key = `${a.text} ${b.text}`;
      let found = known.get(key);
      if (found === undefined) known.set(key, found = similarityOf(a, b));
      return found;
    };
  }

  /** The words of the list that are like a word of the subject, with their likeness. */
  #expand(token: NameToken, of: Subject['type'], side: 'subject' | 'listed'): Map<number, number> {
    const alike = new Map<number, number>();
    const verify = (words: Uint32Array): void => {
      for (const word of words) {
        if (alike.has(word)) continue;
        const [ofSubject, ofListed] = side === 'subject' ? [token, this.#token(word, of)] : [this.#token(word, of), token];
        const value = similarityOf(ofSubject, ofListed)?.value ?? 0;
        if (value > 0) alike.set(word, value);
      }
    };
    verify(this.#lookUp('text', token.text));
    if (token.isNumber || token.text.length === 1) return alike;
    for (const form of NICKNAMES_OF.get(token.text) ?? []) verify(this.#lookUp('text', form));
    // Who has an initial on the other side is found by the word that it may stand for.
    verify(this.#lookUp('text', token.text[0]!));
    verify(this.#lookUp('sound', token.voiceless));
    if (token.skeleton.length >= 2) verify(this.#lookUp('skeleton', token.skeleton));
    for (const left of gapsOf(token.text)) verify(this.#lookUp('gap', left));
    return alike;
  }

  /** The names that may reach the floor: a word finds new names only while the words that are left weigh enough. */
  #candidates(tokens: readonly WeighedToken[], of: Subject['type'], floor: number, side: 'subject' | 'listed' = 'subject'): number[] {
    const probes = probesOf(tokens, of, side, (text) => this.#lookUp('text', text).some((word) => this.#text(word) === text)).map((probe) => {
      const words = [...this.#expand(probe.token, of, side)].sort((a, b) => b[1] - a[1]);
      return { ...probe, words, names: words.reduce((sum, [word]) => sum + this.#uint('postingStart')[word + 1]! - this.#uint('postingStart')[word]!, 0) };
    }).filter(({ words }) => words.length > 0).sort((a, b) => a.names - b.names);
    // An initial fits so many words that it is not looked for, and neither are other forms of companies, so each name may have a word for them.
    const isLoose = ({ role }: NameToken): boolean => role === 'initial' || role === 'form';
    const [initials, others] = [tokens.filter(isLoose), tokens.filter((token) => !isLoose(token))];
    const [fits, all] = [initials, others].map((some) => some.reduce((sum, { weight }) => sum + weight, 0)) as [number, number];
    /** No name whose words of this weight were found can score higher. */
    const most = (said: number, found: number): number => mostScore(said + fits, Math.max(0, all - found), of, side);
    const touched: number[] = [];
    const sumOf = (weights: readonly number[], bits: number): number => weights.reduce((sum, weight, index) => (bits >>> (index % 32)) & 1 ? sum + weight : sum, 0);
    const weights = tokens.map(({ weight }) => weight);
    const weightOfBits = (bits: number): number => sumOf(weights, bits);
    // Two words say more than the one into which somebody joined them.
    const told = weights.map((weight, index) => probes.reduce((greatest, { bits, says }) => bits === bitOf(index) ? Math.max(greatest, says) : greatest, weight));
    probes.forEach(({ bits, words, isWhole }, index) => {
      const left = probes.slice(index).reduce((sum, { bits: others }) => sum | others, 0);
      const mayCreate = most(sumOf(told, left), weightOfBits(left)) >= floor;
      const weight = sumOf(told, bits);
      for (const [word, value] of words) {
        const postings = this.#uint('posting').subarray(this.#at.postingStart[word]!, this.#at.postingStart[word + 1]!);
        for (const name of postings) {
          const seen = this.#seen[name]!;
          if (seen === 0) {
            if (!mayCreate) continue;
            touched.push(name);
          }
          const fresh = bits & ~seen;
          if (fresh === 0 && isWhole) continue;
          this.#seen[name] = seen | bits;
          // A word may be found whole, as a piece and joined to the next one, and only the best of these counts, which nobody knows yet: so it counts in full.
          this.#weight[name]! += isWhole ? value * (fresh === bits ? weight : sumOf(told, fresh)) : weight;
        }
      }
    });
    const found: number[] = [];
    for (const name of touched) {
      const bound = most(Math.min(this.#weight[name]!, sumOf(told, this.#seen[name]!)), weightOfBits(this.#seen[name]!));
      this.#weight[name] = 0;
      this.#seen[name] = 0;
      if (bound >= floor) found.push(name);
    }
    return found;
  }
}

interface Probe {
  readonly token: NameToken;
  /** The words of the name that this one stands for. */
  readonly bits: number;
  /** The most that the words may say together which it is a piece of. */
  readonly says: number;
  /** It stands for one word, and for all of it. */
  readonly isWhole: boolean;
}

const bitOf = (index: number): number => (1 << (index % 32)) >>> 0;

/** Each word, each two neighbours as one word, and the pieces of long words; a subject may be screened under one of two pieces. */
function probesOf(tokens: readonly WeighedToken[], of: Subject['type'], side: 'subject' | 'listed', isWord: (text: string) => boolean): Probe[] {
  const word = (text: string, { isUnvowelled }: NameToken): NameToken => tokenOf({ text, isUnvowelled }, of);
  return tokens.flatMap((token, index) => {
    const probes: Probe[] = [{ token, bits: bitOf(index), says: 0, isWhole: true }];
    const next = tokens[index + 1];
    if (next !== undefined) probes.push({ token: word(token.text + next.text, token), bits: bitOf(index) | bitOf(index + 1), says: 0, isWhole: false });
    if (token.text.length < SPLIT_FROM || token.isNumber) return probes;
    for (let at = 2; at <= token.text.length - 2; at++) {
      const pieces = [token.text.slice(0, at), token.text.slice(at)];
      if (side === 'subject' ? !pieces.every(isWord) : !pieces.some(isWord)) continue;
      const words = pieces.map((piece) => word(piece, token));
      const says = words.reduce((sum, piece) => sum + weightOf(piece, 0), 0);
      probes.push(...words.map((piece) => ({ token: piece, bits: bitOf(index), says, isWhole: false })));
    }
    return probes;
  });
}
