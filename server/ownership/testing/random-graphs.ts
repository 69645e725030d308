/** Random graphs of owners, for the tests and the measurements of the engine. The same seed gives the same graph. */
import { ROOT, type OwnershipEdge, type OwnershipGraph, type OwnershipParty } from '../graph.ts';

export const party = (key: string, kind: OwnershipParty['kind'], terminal = false): OwnershipParty => ({
  key,
  kind,
  terminal,
  roles: ['partner'],
  validFrom: null,
  validTo: null,
  nomineeFor: null,
  bearerShares: false,
});
export const edge = (owner: string, owned: string, capital: number | null): OwnershipEdge => ({
  owner,
  owned,
  capital,
  voting: null,
  controlRight: null,
  validFrom: null,
  validTo: null,
});

/** A small graph with loops, unknown percentages, undisclosed rests and every kind of party. */
export function randomGraph(random: () => number): OwnershipGraph {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const companies = Array.from({ length: 1 + Math.floor(random() * 4) }, (_, index) =>
    party(`h${index}`, pick(['company', 'company', 'trust', 'fund']), random() < 0.1),
  );
  const persons = Array.from({ length: 1 + Math.floor(random() * 3) }, (_, index) => party(`p${index}`, 'person'));
  const others = random() < 0.3 ? [party('x', pick(['government', 'listed_company', 'unknown']))] : [];
  const parties = [...companies, ...persons, ...others];
  const owners = [ROOT, ...parties.map(({ key }) => key)];
  const edges = [ROOT, ...companies.map(({ key }) => key)].flatMap((owned) => {
    let left = 100;
    const chosen = owners.filter(() => random() < 0.45);
    const isFull = random() < 0.4;
    return chosen.map((owner, index) => {
      if (random() < 0.15) return edge(owner, owned, null);
      const isLast = isFull && index === chosen.length - 1;
      const percent = isLast ? left : Math.floor(random() * random() * (left + 1));
      left -= percent;
      const right = random() < 0.03 ? 'veto' : null;
      return { ...edge(owner, owned, percent * 1_000_000), controlRight: right };
    });
  });
  return { parties, edges, bearerShares: false };
}
