import { isInForce, type OwnershipEdge, type OwnershipGraph, ROOT, votesOf, WHOLE } from './graph.ts';

/** Owners of one company by capital or by votes, as positions in `Holdings.keys`. */
export interface Owners {
  /** Owners whose share is known. */
  readonly known: readonly { readonly owner: number; readonly share: number }[];
  /** Owners whose share is unknown. Only they can own the rest, if there are any. */
  readonly unknown: readonly number[];
  /** What is left of the whole. */
  readonly rest: number;
}

/** A graph on one day, with positions in place of keys. Position 0 is the company itself. */
export interface Holdings {
  readonly keys: readonly string[];
  /** Tells, for each position, whether its owners are sought. */
  readonly isLookedThrough: readonly boolean[];
  /** Tells, for each position, whether it may be anybody. */
  readonly isUnknown: readonly boolean[];
  readonly capital: readonly Owners[];
  readonly votes: readonly Owners[];
  /** Owners of a right that gives control, for each position. */
  readonly rights: readonly (readonly number[])[];
  /** Companies in which each position holds something. */
  readonly held: readonly (readonly number[])[];
}

/** Selects what is in force on a day. */
export function holdingsOn({ parties, edges }: OwnershipGraph, day: string): Holdings {
  const keys = [ROOT, ...parties.map(({ key }) => key)];
  const positions = new Map(keys.map((key, position) => [key, position]));
  const isLookedThrough = [
    true,
    ...parties.map(({ kind, terminal }) => !terminal && ['company', 'trust', 'fund'].includes(kind)),
  ];
  const into: OwnershipEdge[][] = keys.map(() => []);
  const held: number[][] = keys.map(() => []);
  for (const edge of edges) {
    const owned = positions.get(edge.owned)!;
    if (!isLookedThrough[owned]! || !isInForce(edge, day)) continue;
    into[owned]!.push(edge);
    held[positions.get(edge.owner)!]!.push(owned);
  }
  const ownersBy = (shareOf: (edge: OwnershipEdge) => number | null): Owners[] =>
    into.map((incoming) => {
      const known = incoming.flatMap((edge) => {
        const share = shareOf(edge);
        return share === null ? [] : [{ owner: positions.get(edge.owner)!, share }];
      });
      return {
        known,
        unknown: incoming.flatMap((edge) => (shareOf(edge) === null ? [positions.get(edge.owner)!] : [])),
        rest: WHOLE - known.reduce((sum, { share }) => sum + share, 0),
      };
    });
  return {
    keys,
    isLookedThrough,
    isUnknown: [false, ...parties.map(({ kind, terminal }) => kind === 'unknown' && !terminal)],
    capital: ownersBy(({ capital }) => capital),
    votes: ownersBy(votesOf),
    rights: into.map((incoming) =>
      incoming.flatMap(({ owner, controlRight }) => (controlRight === null ? [] : [positions.get(owner)!])),
    ),
    held,
  };
}
