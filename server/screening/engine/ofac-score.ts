/**
 * Computes the score that OFAC's own search tool would show (Sanctions List Search, FAQ 249): the number that American
 * banks and examiners know. It is shown beside a score of this service and never decides about a hit, because the tool
 * is too lenient: the order of the query matters, and words without a counterpart in the query cost nothing.
 *
 * OFAC publishes the principle: the whole name and its parts one by one are compared by Jaro-Winkler, and the higher
 * score counts. What it does not publish was inferred from scores of the tool.
 */

/**
 * Returns the Jaro similarity: the letters that both have, at most half the longer word apart, less those in another
 * order.
 */
function jaro(a: string, b: string): number {
  if (a === b) return 1;
  const reach = Math.max(0, Math.floor(Math.max(a.length, b.length) / 2) - 1);
  const taken = new Uint8Array(b.length);
  const ofA: string[] = [];
  for (let i = 0; i < a.length; i++) {
    for (let j = Math.max(0, i - reach); j <= Math.min(b.length - 1, i + reach); j++) {
      if (taken[j] === 1 || a[i] !== b[j]) continue;
      taken[j] = 1;
      ofA.push(a[i]!);
      break;
    }
  }
  const common = ofA.length;
  if (common === 0) return 0;
  const ofB = [...b].filter((_, j) => taken[j] === 1);
  const moved = ofA.filter((letter, index) => letter !== ofB[index]).length / 2;
  return (common / a.length + common / b.length + (common - moved) / common) / 3;
}

const PREFIX = { most: 4, weight: 0.1 } as const;

/**
 * Returns the Jaro-Winkler similarity: it adds a tenth of the missing part for each common letter at the beginning, at
 * most four. The tool does so however little the rest agrees.
 */
function jaroWinkler(a: string, b: string): number {
  const alike = jaro(a, b);
  let prefix = 0;
  while (prefix < PREFIX.most && prefix < Math.min(a.length, b.length) && a[prefix] === b[prefix]) prefix++;
  return alike + prefix * PREFIX.weight * (1 - alike);
}

/** A part with a lower similarity counts as another name. */
const LEAST_PART = 0.5;
/** Length up to which parts of the query are ignored, unless there are no others. */
const SHORT_PART = 2;

const partsOf = (name: string): string[] =>
  name
    .normalize('NFD')
    .toUpperCase()
    .replace(/[\p{M}'’‘`]/gu, '')
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** Returns the tool's score, from 0 to 100, of a listed name for a query. */
export function ofacScore(query: string, listed: string): number {
  const [asked, found] = [partsOf(query), partsOf(listed)];
  const long = asked.filter((part) => part.length > SHORT_PART);
  const parts = long.length > 0 ? long : asked;
  if (parts.length === 0 || found.length === 0) return 0;
  const byPart =
    parts
      .map((part) => Math.max(...found.map((other) => jaroWinkler(part, other))))
      .reduce((sum, best) => sum + (best < LEAST_PART ? 0 : best), 0) / parts.length;
  const [whole, other] = [asked.join(' '), found.join(' ')];
  return Math.round(100 * Math.max(byPart, whole[0] === other[0] ? jaroWinkler(whole, other) : 0));
}

/**
 * Writes a name as OFAC does, the family name first and in capital letters. This service keeps the capital letters and
 * the spoken order.
 */
export const asOfacWrites = (name: string): string => name.replace(/^(.*\p{Ll}.*?) (\P{Ll}+)$/u, '$2, $1');
