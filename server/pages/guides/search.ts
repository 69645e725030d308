import type { Guide, Section } from './render.ts';

export interface Hit {
  readonly guide: Guide;
  readonly section: Section;
  /** What stands around the first word that was found, cut at words. */
  readonly excerpt: string;
}

const HITS = 20;
const BEFORE = 60;
const AROUND = 220;

/** Letters without case and accents, so that they are found as people type them. Every letter stays one letter, which keeps positions. */
function folded(text: string): string {
  return [...text].map((letter) => (letter.length > 1 ? letter : letter.normalize('NFD').charAt(0).toLowerCase())).join('');
}

export function wordsOf(query: string): string[] {
  return folded(query).split(/[^\p{L}\p{N}_]+/u).filter((word) => word !== '');
}

/** The sections that have every word of the query, those first that have them in a heading. */
export function search(guides: readonly Guide[], query: string): Hit[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const found = guides.flatMap((guide) => guide.sections.flatMap((section) => {
    const [title, heading, text] = [folded(guide.title), folded(section.heading), folded(section.text)];
    if (!words.every((word) => title.includes(word) || heading.includes(word) || text.includes(word))) return [];
    const rank = words.reduce((sum, word) => sum + (title.includes(word) ? 2 : 0) + (heading.includes(word) ? 4 : 0) + Math.min(text.split(word).length - 1, 3), 0);
    return [{ hit: { guide, section, excerpt: excerptOf(section.text, text, words) }, rank }];
  }));
  return found.toSorted((a, b) => b.rank - a.rank).slice(0, HITS).map(({ hit }) => hit);
}

function excerptOf(text: string, searched: string, words: readonly string[]): string {
  const first = Math.max(0, Math.min(...words.map((word) => searched.indexOf(word)).filter((at) => at >= 0), searched.length) - BEFORE);
  const start = first === 0 || first >= text.length - BEFORE ? Math.min(first, Math.max(0, text.length - AROUND)) : first;
  const from = start === 0 ? 0 : text.indexOf(' ', start) + 1;
  const end = from + AROUND >= text.length ? text.length : text.lastIndexOf(' ', from + AROUND);
  return `${from === 0 ? '' : '… '}${text.slice(from, end)}${end === text.length ? '' : ' …'}`;
}

/** A text in pieces: every second one is a word that was looked for. */
export function marked(text: string, words: readonly string[]): string[] {
  const searched = folded(text);
  const pieces: string[] = [];
  let from = 0;
  for (let at = 0; at < searched.length;) {
    const word = words.find((one) => searched.startsWith(one, at));
    if (word === undefined) at += 1;
    else {
      pieces.push(text.slice(from, at), text.slice(at, at + word.length));
      at += word.length;
      from = at;
    }
  }
  return [...pieces, text.slice(from)];
}
