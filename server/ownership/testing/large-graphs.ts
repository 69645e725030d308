/**
 * Graphs of owners as large as a request may be, in the shapes that real groups of companies have, and hostile ones.
 * Used by the measurements of the engine. Each shape has loops, or the same holdings without them.
 */
import { randomOf } from '../../../test/support/random.ts';
import { ROOT, type OwnershipEdge, type OwnershipGraph } from '../graph.ts';
import { edge, party } from './random-graphs.ts';

/** Half of the parties are companies, half are persons; each company has eight owners, as long as there are so many. */
const OWNERS = 8;
const POINT = 1_000_000;

/** How the companies hold one another. */
export type Shape = 'chain' | 'dense' | 'groups';

/** Steps from a company to the companies that own it, and how many percent these own together. */
const SHAPES: Readonly<Record<Shape, { readonly steps: readonly number[]; readonly percent: number }>> = {
  chain: { steps: [1], percent: 92 },
  dense: { steps: [1, 7, 31, 83], percent: 80 },
  groups: { steps: [1, 2, 5], percent: 90 },
};
export const SHAPE_NAMES = Object.keys(SHAPES) as readonly Shape[];
/** Size of a group of companies in which the last owns the first. */
const GROUP = 10;

/**
 * Returns a graph of a size. Without loops a company is held only by those after it; with loops, those that would be
 * beyond the end are the first ones, so that both graphs have the same number of holdings.
 */
export function largeGraph(shape: Shape, parties: number, hasLoops: boolean): OwnershipGraph {
  const { steps, percent } = SHAPES[shape];
  const size = parties / 2;
  const random = randomOf(size);
  const companies = Array.from({ length: size }, (_, index) => index);
  const edges = companies.flatMap((index) => {
    const holders = new Set(steps.map((step) => holderOf(shape, index, { step, size, hasLoops })));
    holders.delete(null);
    holders.delete(index);
    const persons = new Set(Array.from({ length: OWNERS * 3 }, () => Math.floor(random() * size)));
    const byCompanies = [...holders].map((holder) => edge(`h${holder}`, `h${index}`, (percent / holders.size) * POINT));
    const byPersons = [...persons]
      .slice(0, OWNERS - holders.size)
      .map((person) => edge(`p${person}`, `h${index}`, ((99 - percent) / OWNERS) * POINT - index));
    return [...byCompanies, ...byPersons].map(rounded);
  });
  return {
    bearerShares: false,
    parties: companies.flatMap((index) => [party(`h${index}`, 'company'), party(`p${index}`, 'person')]),
    // The first holding belongs to nobody, so that no graph has more than the contract allows.
    edges: [edge('h0', ROOT, 60 * POINT), ...edges.slice(1)],
  };
}

const rounded = (held: OwnershipEdge): OwnershipEdge => ({ ...held, capital: Math.floor(held.capital!) });

function holderOf(
  shape: Shape,
  index: number,
  { step, size, hasLoops }: { readonly step: number; readonly size: number; readonly hasLoops: boolean },
): number | null {
  const next = index + step;
  if (shape !== 'groups') return next < size || hasLoops ? next % size : null;
  const first = index - (index % GROUP);
  const width = Math.min(GROUP, size - first);
  if (next < first + width) return next;
  // The last of a group is held by the next group, and with loops by its own first companies, too.
  if (step === 1) return next < size ? next : null;
  return hasLoops ? first + ((next - first) % width) : null;
}

/** Graphs that are made to cost as much as possible. */
export const HOSTILE: Readonly<Record<string, (parties: number) => OwnershipGraph>> = {
  'a loop that passes on 99.999 %': (parties) =>
    ring(parties / 2, { passes: 99_999_000, persons: (index) => [[index, 1000]] }),
  'a loop that passes on 99.9 %, of which somebody has exactly the threshold': (parties) =>
    ring(parties / 2, {
      passes: 99_900_000,
      persons: () => [
        [0, 25_000],
        [1, 75_000],
      ],
    }),
  'a loop that passes on 80 %, of which somebody has exactly the threshold': (parties) =>
    ring(parties / 2, {
      passes: 80_000_000,
      persons: () => [
        [0, 5_000_000],
        [1, 15_000_000],
      ],
    }),
  'every company holds all others': (parties) => complete(Math.floor(Math.sqrt(4 * parties)), parties),
  'most holdings are unknown': (parties) => unknown('dense', parties, 0.9),
  'three in ten holdings are unknown': (parties) => unknown('dense', parties, 0.3),
  'three in ten holdings of groups are unknown': (parties) => unknown('groups', parties, 0.3),
  'a ladder of twenty levels, of which all persons own the top': (parties) => ladder(20, parties - 40),
  'a ladder of twenty levels behind a long chain': (parties) => ladder(20, parties / 10, (3 * parties) / 4),
};

/**
 * Levels of two companies that both hold both companies of the level below, almost half each, so that the chains double
 * with each level. The persons share the two companies at the top. A chain of companies may be below.
 */
export function ladder(levels: number, persons: number, steps = 0): OwnershipGraph {
  const share = 49_999_999;
  const everyLevel = Array.from({ length: levels }, (_, index) => index);
  const sides = ['a', 'b'];
  const everyone = Array.from({ length: persons }, (_, index) => index);
  const top = sides.map((side) => `${side}${levels - 1}`);
  const chain = [ROOT, ...Array.from({ length: steps }, (_, index) => `h${index}`)];
  return {
    bearerShares: false,
    parties: [
      ...chain.slice(1).map((key) => party(key, 'company')),
      ...everyLevel.flatMap((level) => sides.map((side) => party(`${side}${level}`, 'company'))),
      ...everyone.map((index) => party(`p${index}`, 'person')),
    ],
    edges: [
      ...chain.slice(1).map((owner, index) => edge(owner, chain[index]!, 99_999_999)),
      ...sides.map((side) => edge(`${side}0`, chain.at(-1)!, share)),
      ...everyLevel
        .slice(1)
        .flatMap((level) =>
          sides.flatMap((owned) => sides.map((owner) => edge(`${owner}${level}`, `${owned}${level - 1}`, share))),
        ),
      ...everyone.flatMap((index) => top.map((owned) => edge(`p${index}`, owned, Math.floor((99 * POINT) / persons)))),
    ],
  };
}

function ring(
  size: number,
  { passes, persons }: { readonly passes: number; readonly persons: (index: number) => readonly [number, number][] },
): OwnershipGraph {
  const companies = Array.from({ length: size }, (_, index) => index);
  return {
    bearerShares: false,
    parties: companies.flatMap((index) => [party(`h${index}`, 'company'), party(`p${index}`, 'person')]),
    edges: [
      edge('h0', ROOT, 100 * POINT),
      ...companies.flatMap((index) => [
        edge(`h${(index + 1) % size}`, `h${index}`, passes),
        ...persons(index).map(([person, percent]) => edge(`p${person}`, `h${index}`, percent)),
      ]),
    ],
  };
}

/** Companies that all hold one another; the other parties are persons who own one of them. */
function complete(size: number, parties: number): OwnershipGraph {
  const companies = Array.from({ length: size - 1 }, (_, index) => index);
  const share = Math.floor((99 * POINT) / (size - 2));
  const persons = Array.from({ length: Math.min(parties - size, 60) }, (_, index) => index);
  return {
    bearerShares: false,
    parties: [
      ...companies.map((index) => party(`h${index}`, 'company')),
      ...persons.map((index) => party(`p${index}`, 'person')),
    ],
    edges: [
      edge('h0', ROOT, 100 * POINT),
      ...companies.flatMap((index) =>
        companies.filter((other) => other !== index).map((other) => edge(`h${other}`, `h${index}`, share)),
      ),
      ...persons.map((index) => edge(`p${index}`, `h${index % companies.length}`, 1000 + index)),
    ],
  };
}

/** A graph with loops, of which a share of the holdings has no percentage. */
function unknown(shape: Shape, parties: number, portion: number): OwnershipGraph {
  const graph = largeGraph(shape, parties, true);
  const random = randomOf(7);
  return {
    ...graph,
    edges: graph.edges.map((held) => (random() < portion ? { ...held, capital: null } : held)),
  };
}
