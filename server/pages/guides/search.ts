/**
 * The search in guides, error codes and operations. Used by pages.ts and router.ts. Everything is searched in memory on
 * each request, so the words of each target are computed once.
 */
import type { ProblemPages } from '../../contract/problem-facts.ts';
import { type ProblemCode, problems } from '../../contract/generated/problems.ts';
import type { Guide } from './render.ts';

/** A part of a page that the search can find and link to. */
export interface SearchTarget {
  readonly href: string;
  readonly heading: string;
  /** Page that contains the part; null if the part is the beginning of a page. */
  readonly page: string | null;
  readonly text: string;
  /** Words of each, computed once, because a search compares them all. */
  readonly words: Readonly<Record<'page' | 'heading' | 'text', readonly string[]>>;
}

export interface Hit {
  readonly target: SearchTarget;
  /** Text around the first word found, cut at words. */
  readonly excerpt: string;
}

const HITS = 20;
const BEFORE = 60;
const AROUND = 220;
const WORD = /[\p{L}\p{N}_]+/gu;

/**
 * Returns every page with text: the guides by their headings, the error codes, and the operations of the reference once
 * it is built.
 */
export function searchTargets(guides: readonly Guide[], reference: ProblemPages | null): readonly SearchTarget[] {
  const targets: readonly Omit<SearchTarget, 'words'>[] = [
    ...guides.flatMap(({ name, title, sections }) =>
      sections.map(({ id, heading, text }) =>
        id === ''
          ? {
              href: `/guides/${name}`,
              heading,
              page: null,
              text,
            }
          : {
              href: `/guides/${name}#${id}`,
              heading,
              page: title,
              text,
            },
      ),
    ),
    ...(Object.keys(problems) as ProblemCode[]).map((code) => {
      const { title, description } = problems[code];
      return {
        href: `/problems/${code}`,
        heading: `${code}: ${title}`,
        page: 'Errors',
        text: description.replaceAll('`', ''),
      };
    }),
    ...Object.entries(reference?.operations ?? {}).map(([id, { summary, method, path }]) => ({
      href: `/reference#operation/${id}`,
      heading: summary,
      page: 'Reference',
      text: `${id}: ${method.toUpperCase()} ${path}`,
    })),
  ];
  return targets.map((target) => ({
    ...target,
    words: {
      page: wordsOf(target.page ?? target.heading),
      heading: wordsOf(target.heading),
      text: wordsOf(target.text),
    },
  }));
}

/**
 * Removes case and accents. Every letter stays one letter, so that positions in the result are positions in the text.
 */
function folded(text: string): string {
  return [...text]
    .map((letter) => (letter.length > 1 ? letter : letter.normalize('NFD').charAt(0).toLowerCase()))
    .join('');
}

/** Reduces a plural to its singular, so that both count as one word. */
function stem(word: string): string {
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

export function wordsOf(query: string): string[] {
  return [...folded(query).matchAll(WORD)].map(([word]) => stem(word));
}

/** Returns the targets that contain every word of the query as a whole word. Words in headings rank first. */
export function search(targets: readonly SearchTarget[], query: string): Hit[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const found = targets.flatMap((target) => {
    const { page, heading, text } = target.words;
    if (!words.every((word) => page.includes(word) || heading.includes(word) || text.includes(word))) return [];
    const rankOf = (word: string): number =>
      (page.includes(word) ? 2 : 0) +
      (heading.includes(word) ? 4 : 0) +
      Math.min(text.filter((one) => one === word).length, 3);
    return [
      {
        hit: { target, excerpt: excerptOf(target.text, words) },
        rank: words.reduce((sum, word) => sum + rankOf(word), 0),
      },
    ];
  });
  return found
    .toSorted((a, b) => b.rank - a.rank)
    .slice(0, HITS)
    .map(({ hit }) => hit);
}

function excerptOf(text: string, words: readonly string[]): string {
  const first = [...folded(text).matchAll(WORD)].find(([word]) => words.includes(stem(word)))?.index ?? text.length;
  const wanted = Math.max(0, first - BEFORE);
  const start = wanted >= text.length - BEFORE ? Math.max(0, text.length - AROUND) : wanted;
  const from = start === 0 ? 0 : text.indexOf(' ', start) + 1;
  const end = from + AROUND >= text.length ? text.length : text.lastIndexOf(' ', from + AROUND);
  return `${from === 0 ? '' : '… '}${text.slice(from, end)}${end === text.length ? '' : ' …'}`;
}

/** Splits a text into pieces; every second one is a word of the query. */
export function marked(text: string, words: readonly string[]): string[] {
  const pieces: string[] = [];
  let from = 0;
  for (const { 0: word, index } of folded(text).matchAll(WORD)) {
    if (!words.includes(stem(word))) continue;
    pieces.push(text.slice(from, index), text.slice(index, index + word.length));
    from = index + word.length;
  }
  return [...pieces, text.slice(from)];
}
