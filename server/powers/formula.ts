import type { Formula } from './powers.ts';

/** A slot of a formula that one person fills. */
export type Leaf = Extract<
  Formula,
  { readonly party: string } | { readonly group: string } | { readonly role: string }
>;

/** So many of some slots, each to be filled by a person of its own. */
export interface Slots {
  readonly count: number;
  readonly leaves: readonly Leaf[];
}

/** A way to satisfy a formula: all of these, and no person twice. */
export type Way = readonly Slots[];

/** Who may fill a slot. */
export type Candidates = (leaf: Leaf) => ReadonlySet<string>;

/** Returns a slot in words, by which a receipt names it. */
export function slotName(leaf: Leaf): string {
  if ('party' in leaf) return `party:${leaf.party}`;
  return 'group' in leaf ? `group:${leaf.group}` : `role:${leaf.role}`;
}

function isLeaf(formula: Formula): formula is Leaf {
  return 'party' in formula || 'group' in formula || 'role' in formula;
}

/**
 * Returns the ways to satisfy a formula. Alternatives among slots stay together as one number of slots, so only nodes
 * within nodes multiply; a formula has at most twenty slots.
 */
export function waysOf(formula: Formula): Way[] {
  if (isLeaf(formula)) return [[{ count: 1, leaves: [formula] }]];
  const { count, of } = partsOf(formula);
  const leaves: Leaf[] = [];
  const nodes: Way[][] = [];
  for (const part of of) {
    const ways = waysOf(part);
    const [only] = ways;
    // A node with a single slot is that slot.
    const single =
      ways.length === 1 && only!.length === 1 && only![0]!.leaves.length === 1 ? only![0]!.leaves[0]! : null;
    if (single === null) nodes.push(ways);
    else leaves.push(single);
  }
  const found: Way[] = [];
  for (const chosen of subsets(nodes)) {
    const rest = count - chosen.length;
    if (rest < 0 || rest > leaves.length) continue;
    const slots = rest === 0 ? [] : [{ count: rest, leaves }];
    for (const way of combined(chosen)) found.push([...slots, ...way]);
  }
  return found;
}

function partsOf(formula: Exclude<Formula, Leaf>): { readonly count: number; readonly of: readonly Formula[] } {
  if ('all' in formula) return { count: formula.all.length, of: formula.all };
  if ('any' in formula) return { count: 1, of: formula.any };
  return { count: formula.atLeast, of: formula.of };
}

function subsets<T>(items: readonly T[]): T[][] {
  return items.reduce<T[][]>((sets, item) => [...sets, ...sets.map((set) => [...set, item])], [[]]);
}

/** Returns each choice of one way from each node, put together. */
function combined(nodes: readonly (readonly Way[])[]): Way[] {
  return nodes.reduce<Way[]>((found, ways) => found.flatMap((way) => ways.map((more) => [...way, ...more])), [[]]);
}

/** Returns how many slots a way has. */
export function sizeOf(way: Way): number {
  return way.reduce((sum, { count }) => sum + count, 0);
}

/** A slot and the person who fills it. */
export interface Filled {
  readonly leaf: Leaf;
  readonly person: string;
}

/**
 * Fills as many slots of a way as some persons can, each person one slot. This is the greatest flow from the nodes of
 * the way, each with its number, through slots to persons; each round finds a path on which one more slot is filled.
 */
export function fill(way: Way, persons: ReadonlySet<string>, candidates: Candidates): Filled[] {
  const slots = way.flatMap(({ leaves }, node) =>
    leaves.map((leaf) => ({ node, leaf, can: [...candidates(leaf)].filter((person) => persons.has(person)) })),
  );
  const personOf = new Map<number, string>();
  const slotOf = new Map<string, number>();
  const used = way.map(() => 0);

  /** Fills one more slot of a node, by whatever exchange of persons and of slots that takes. */
  const fromNode = (node: number, seen: Set<string>): boolean => {
    if (seen.has(`node ${node}`)) return false;
    seen.add(`node ${node}`);
    return slots.some((slot, index) => slot.node === node && !personOf.has(index) && fromSlot(index, seen));
  };
  /** Finds a person for a slot, who may be taken from another slot if that one, or its node, finds another. */
  const fromSlot = (index: number, seen: Set<string>): boolean => {
    if (seen.has(`slot ${index}`)) return false;
    seen.add(`slot ${index}`);
    for (const person of slots[index]!.can) {
      if (seen.has(person)) continue;
      seen.add(person);
      const other = slotOf.get(person);
      if (other !== undefined && !leaves(other, seen)) continue;
      personOf.set(index, person);
      slotOf.set(person, index);
      return true;
    }
    return false;
  };
  const leaves = (slot: number, seen: Set<string>): boolean => {
    if (fromSlot(slot, seen)) return true;
    if (!fromNode(slots[slot]!.node, seen)) return false;
    personOf.delete(slot);
    return true;
  };
  for (const [node, { count }] of way.entries()) while (used[node]! < count && fromNode(node, new Set())) used[node]!++;
  return [...personOf].map(([slot, person]) => ({ leaf: slots[slot]!.leaf, person }));
}

/** Returns the filled slots of the first way that some persons satisfy, or null. */
export function satisfied(ways: readonly Way[], persons: ReadonlySet<string>, candidates: Candidates): Filled[] | null {
  for (const way of ways) {
    const filled = fill(way, persons, candidates);
    if (filled.length === sizeOf(way)) return filled;
  }
  return null;
}
