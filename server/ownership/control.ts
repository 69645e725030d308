import { WHOLE } from './graph.ts';
import type { Holdings } from './holdings.ts';

/**
 * Returns the positions of the companies that somebody controls: more than half of the votes belong to her or to
 * companies that she controls, or one of these has a right that gives control. Votes that a company has in itself do
 * not count on either side.
 *
 * If `possibly` is set, unknown votes are hers wherever they could be: the rest of a company belongs to the owners
 * whose votes are unknown, or to anybody if there are none, and an owner of unknown kind may be she. If the company
 * itself has unknown votes in itself, the rest may also be its own and so count on neither side.
 */
export function controlledBy(
  { isLookedThrough, isUnknown, votes, rights, held }: Holdings,
  person: number | null,
  possibly: boolean,
): Set<number> {
  const controlled = new Set<number>();
  const isHers = (owner: number): boolean =>
    owner === person || controlled.has(owner) || (possibly && isUnknown[owner]!);
  const controls = (company: number): boolean => {
    if (rights[company]!.some(isHers)) return true;
    const { known, unknown, rest } = votes[company]!;
    let [hers, own] = [0, 0];
    for (const { owner, share } of known) {
      if (owner === company) own += share;
      else if (isHers(owner)) hers += share;
    }
    const counted = WHOLE - own;
    if (2 * hers > counted) return true;
    if (!possibly) return false;
    const isRestHers = unknown.length === 0 || unknown.some((owner) => owner !== company && isHers(owner));
    return (isRestHers && 2 * (hers + rest) > counted) || (unknown.includes(company) && 2 * hers > counted - rest);
  };
  const open = [...votes.keys()];
  for (let company = open.pop(); company !== undefined; company = open.pop()) {
    if (!isLookedThrough[company]! || controlled.has(company) || !controls(company)) continue;
    controlled.add(company);
    open.push(...held[company]!);
  }
  return controlled;
}
