import { WHOLE } from './graph.ts';
import type { Owners } from './holdings.ts';

/** Receiver of the rest of a company: an owner, the person in question, or nobody. */
export type Receiver = number | 'her' | 'nobody';

/**
 * Equations to solve: the company in question is the last position, so that the same company may occur a second time as
 * an owner. Its whole flows to its owners, from companies on to their owners, and ends where nothing is looked through.
 */
export interface System {
  readonly owners: readonly Owners[];
  /** Positions through which the flow goes on. */
  readonly isOpen: readonly boolean[];
  readonly receivers: readonly Receiver[];
}

/** Where the whole of a company ends, in doubles, with a proven bound of the error of any sum of its parts. */
export interface Flow {
  readonly ended: Float64Array;
  /** What ends with the person as the rest of a company. */
  readonly restOfHers: number;
  /** What goes through each position. */
  readonly through: Float64Array;
  readonly error: number;
}

/** Unit roundoff of doubles. */
const ROUNDOFF = 2 ** -53;
/** Passes over a loop after which it is solved exactly instead. */
const MOST_PASSES = 200;

/** Shares of one company with the rest at its receiver. */
export function sharesOf({ owners, receivers }: System, company: number): (readonly [owner: number, share: number])[] {
  const { known, rest } = owners[company]!;
  const shares = known.filter(({ share }) => share > 0).map(({ owner, share }) => [owner, share] as const);
  const receiver = receivers[company]!;
  return typeof receiver === 'number' && rest > 0 ? [...shares, [receiver, rest]] : shares;
}

/**
 * Returns the positions that the flow reaches, in groups of companies that own one another, those that it reaches first
 * at the beginning (strongly connected components, Tarjan, without recursion). A group out of which nothing flows is
 * left out with all that ends in it: nobody is behind it.
 */
export function groupsOf(system: System, starts: readonly number[]): number[][] {
  const { isOpen } = system;
  const index = new Int32Array(isOpen.length).fill(-1);
  const low = new Int32Array(isOpen.length);
  const isOnStack = new Uint8Array(isOpen.length);
  const stack: number[] = [];
  const groups: number[][] = [];
  let count = 0;
  for (const start of starts) {
    const frames = index[start] === -1 ? [{ company: start, shares: sharesOf(system, start), next: 0 }] : [];
    for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
      const { company, shares } = frame;
      if (frame.next === 0 && index[company] === -1) {
        index[company] = low[company] = count++;
        stack.push(company);
        isOnStack[company] = 1;
      }
      const share = shares[frame.next++];
      if (share !== undefined) {
        const [owner] = share;
        if (!isOpen[owner]!) continue;
        if (index[owner] === -1) frames.push({ company: owner, shares: sharesOf(system, owner), next: 0 });
        else if (isOnStack[owner] === 1) low[company] = Math.min(low[company]!, index[owner]!);
        continue;
      }
      frames.pop();
      const above = frames.at(-1);
      if (above !== undefined) low[above.company] = Math.min(low[above.company]!, low[company]!);
      if (low[company] !== index[company]) continue;
      const group = stack.splice(stack.lastIndexOf(company));
      for (const member of group) isOnStack[member] = 0;
      groups.push(group);
    }
  }
  return groups.reverse();
}

/** Tells whether the members of a group wholly own one another. */
export function isClosed(system: System, group: readonly number[]): boolean {
  const members = new Set(group);
  return group.every((company) => {
    let inside = 0;
    for (const [owner, share] of sharesOf(system, company)) if (members.has(owner)) inside += share;
    return inside === WHOLE;
  });
}

/** Lets the whole of the last position flow to its owners. */
export function flowOf(system: System): Flow {
  const { isOpen, owners, receivers } = system;
  const start = isOpen.length - 1;
  const through = new Float64Array(isOpen.length);
  const into = new Float64Array(isOpen.length);
  const groups = groupsOf(system, [start]).filter((group) => !isClosed(system, group));
  into[start] = 1;
  const shares = new Map(groups.flat().map((company) => [company, sharesOf(system, company)]));
  for (const group of groups) {
    solveGroup(group, shares, into, through);
    const members = new Set(group);
    for (const company of group)
      for (const [owner, share] of shares.get(company)!)
        if (!members.has(owner)) into[owner]! += (through[company]! * share) / WHOLE;
  }
  // The sums are made once more, because only their distance to the solution proves how good it is.
  const sums = new Float64Array(isOpen.length);
  const terms = new Int32Array(isOpen.length);
  sums[start] = 1;
  let [restOfHers, edges] = [0, 0];
  for (const [company, list] of shares) {
    for (const [owner, share] of list) {
      sums[owner]! += (through[company]! * share) / WHOLE;
      terms[owner]!++;
    }
    edges += list.length;
    if (receivers[company] === 'her') restOfHers += (through[company]! * owners[company]!.rest) / WHOLE;
  }
  let error = (edges + shares.size + 4) * ROUNDOFF;
  for (const company of shares.keys())
    error +=
      Math.abs(sums[company]! - through[company]!) +
      (terms[company]! + 4) * ROUNDOFF * (sums[company]! + through[company]!);
  return {
    ended: sums,
    restOfHers,
    through,
    error: 2 * error,
  };
}

type Shares = ReadonlyMap<number, readonly (readonly [owner: number, share: number])[]>;

/** Finds what goes through the members of a group, from what flows into it. */
function solveGroup(group: readonly number[], shares: Shares, into: Float64Array, through: Float64Array): void {
  const inside = new Map<number, { from: number; share: number }[]>(group.map((company) => [company, []]));
  for (const from of group)
    for (const [owner, share] of shares.get(from)!) inside.get(owner)?.push({ from, share: share / WHOLE });
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    let isSettled = true;
    for (const company of group) {
      let [sum, itself] = [into[company]!, 0];
      for (const { from, share } of inside.get(company)!) {
        if (from === company) itself = share;
        else sum += through[from]! * share;
      }
      const value = sum / (1 - itself);
      if (Math.abs(value - through[company]!) > ROUNDOFF * value) isSettled = false;
      through[company] = value;
    }
    if (isSettled) return;
  }
}
