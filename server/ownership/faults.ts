import { isInForce, type OwnershipEdge, type OwnershipGraph, ROOT, votesOf, WHOLE } from './graph.ts';

/** What is wrong with a graph, and where. */
export interface GraphFault {
  readonly code:
    | 'unknown_party'
    | 'duplicate_party'
    | 'person_cannot_be_owned'
    | 'validity_inverted'
    | 'duplicate_edge'
    | 'ownership_exceeds_100'
    | 'disconnected_party';
  readonly pointer: string;
}

/** Returns everything for which a graph is refused, in the order of its members. */
export function graphFaults(graph: OwnershipGraph): GraphFault[] {
  return [...partyFaults(graph), ...edgeFaults(graph), ...excesses(graph), ...disconnected(graph)];
}

function partyFaults({ parties }: OwnershipGraph): GraphFault[] {
  const seen = new Set([ROOT]);
  const keys = new Set(parties.map(({ key }) => key));
  return parties.flatMap(({ key, nomineeFor, validFrom, validTo }, index) => {
    const faults: GraphFault[] = [];
    if (seen.has(key)) faults.push({ code: 'duplicate_party', pointer: `/parties/${index}/key` });
    seen.add(key);
    if (isInverted(validFrom, validTo))
      faults.push({ code: 'validity_inverted', pointer: `/parties/${index}/validTo` });
    if (nomineeFor !== null && !keys.has(nomineeFor))
      faults.push({ code: 'unknown_party', pointer: `/parties/${index}/nomineeFor` });
    return faults;
  });
}

function isInverted(from: string | null, to: string | null): boolean {
  return from !== null && to !== null && to < from;
}

function edgeFaults({ parties, edges }: OwnershipGraph): GraphFault[] {
  const kinds = new Map<string, string>([[ROOT, 'company'], ...parties.map(({ key, kind }) => [key, kind] as const)]);
  const same = new Map<string, OwnershipEdge[]>();
  return edges.flatMap((edge, index) => {
    const pointer = `/edges/${index}`;
    const faults: GraphFault[] = [];
    if (!kinds.has(edge.owner)) faults.push({ code: 'unknown_party', pointer: `${pointer}/owner` });
    if (!kinds.has(edge.owned)) faults.push({ code: 'unknown_party', pointer: `${pointer}/owned` });
    if (kinds.get(edge.owned) === 'person')
      faults.push({ code: 'person_cannot_be_owned', pointer: `${pointer}/owned` });
    if (isInverted(edge.validFrom, edge.validTo))
      faults.push({ code: 'validity_inverted', pointer: `${pointer}/validTo` });
    const pair = `${edge.owner} ${edge.owned}`;
    const others = same.get(pair) ?? [];
    if (others.some((other) => isTogether(other, edge))) faults.push({ code: 'duplicate_edge', pointer });
    same.set(pair, [...others, edge]);
    return faults;
  });
}

/** Tells whether two edges are in force on a common day. */
function isTogether(a: OwnershipEdge, b: OwnershipEdge): boolean {
  return (
    (a.validFrom === null || b.validTo === null || a.validFrom <= b.validTo) &&
    (b.validFrom === null || a.validTo === null || b.validFrom <= a.validTo)
  );
}

/**
 * Finds companies of which more than all is owned on some day, by capital or by votes. The sum can only become too
 * large on a day on which an edge begins.
 */
function excesses({ edges }: OwnershipGraph): GraphFault[] {
  const into = Map.groupBy(
    edges.map((edge, index) => ({ edge, index })),
    ({ edge }) => edge.owned,
  );
  return [...into.values()].flatMap((holdings) => {
    const begins = new Set(holdings.map(({ edge }) => edge.validFrom ?? ''));
    const exceeds = [...begins].some((day) => {
      let [capital, votes] = [0, 0];
      for (const { edge } of holdings) {
        if (!isInForce(edge, day)) continue;
        capital += edge.capital ?? 0;
        votes += votesOf(edge) ?? 0;
      }
      return capital > WHOLE || votes > WHOLE;
    });
    return exceeds ? [{ code: 'ownership_exceeds_100' as const, pointer: `/edges/${holdings[0]!.index}` }] : [];
  });
}

/**
 * Finds parties that have nothing to do with the company: no chain of edges leads to it, on whatever day, they have no
 * role, and nobody holds shares in their name.
 */
function disconnected({ parties, edges }: OwnershipGraph): GraphFault[] {
  const owners = Map.groupBy(edges, ({ owned }) => owned);
  const reached = new Set([ROOT]);
  const open = [ROOT];
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    for (const { owner } of owners.get(key) ?? []) {
      if (reached.has(owner)) continue;
      reached.add(owner);
      open.push(owner);
    }
  }
  const principals = new Set(parties.map(({ nomineeFor }) => nomineeFor));
  return parties.flatMap(({ key, roles }, index) =>
    reached.has(key) || roles.length > 0 || principals.has(key)
      ? []
      : [{ code: 'disconnected_party' as const, pointer: `/parties/${index}` }],
  );
}
