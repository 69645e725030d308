/**
 * What the search tool of OFAC itself would say of a name (Sanctions List Search, FAQ 249): the number that American banks and examiners know. It is shown beside a score of this service and
 * never decides about a hit, because the tool forgives what names do not: the order of the question matters, and words that nothing in the question is like cost nothing.
 *
 * OFAC publishes the principle: the name as a whole, and its parts one by one, by Jaro-Winkler, and the higher of both. What it does not publish was inferred from scores that the tool gave.
 */

/** Similarity of Jaro: letters that both have, at most half the longer word apart, less those that are in another order. */
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

/** Winkler adds a tenth of what is missing for each letter with which both begin, four at most. The tool does so however little the rest agrees. */
function jaroWinkler(a: string, b: string): number {
  const alike = jaro(a, b);
  let prefix = 0;
  while (prefix < PREFIX.most && prefix < Math.min(a.length, b.length) && a[prefix] === b[prefix]) prefix++;
  return alike + prefix * PREFIX.weight * (1 - alike);
}

/** A part that is less alike counts as another name. */
const LEAST_PART = 0.5;
/** Parts of the question that are so short are not asked for, unless there are no others. */
const SHORT_PART = 2;

const partsOf = (name: string): string[] => name.normalize('NFD').toUpperCase().replace(/[\p{M}'’‘`]/gu, '').match(/[\p{L}\p{N}]+/gu) ?? [];

/** The score of 0 to 100 that the tool gives to a name of its list for a name that is asked for. */
export function ofacScore(query: string, listed: string): number {
  const [asked, found] = [partsOf(query), partsOf(listed)];
  const long = asked.filter((part) => part.length > SHORT_PART);
  const parts = long.length > 0 ? long : asked;
  if (parts.length === 0 || found.length === 0) return 0;
  const byPart = parts.map((part) => Math.max(...found.map((other) => jaroWinkler(part, other)))).reduce((sum, best) => sum + (best < LEAST_PART ? 0 : best), 0) / parts.length;
  const [whole, other] = [asked.join(' '), found.join(' ')];
  return Math.round(100 * Math.max(byPart, whole[0] === other[0] ? jaroWinkler(whole, other) : 0));
}

/** OFAC writes the family name first and in capital letters; this service keeps the capital letters and the order in which names are spoken. */
export const asOfacWrites = (name: string): string => name.replace(/^(.*\p{Ll}.*?) (\P{Ll}+)$/u, '$2, $1');
