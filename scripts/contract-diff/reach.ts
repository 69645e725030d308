/**
 * Which operations a changed component reaches, and the part of two contracts that differs. Used by the comparison.
 * Cutting must not change the result, only the time.
 */
import type { Contract } from '../contract/contract.ts';
import { operationSites } from '../contract/walk.ts';
import type { Change } from './change.ts';

/** One path or component as text, and what it refers to (`schemas/Thing`). */
interface Part {
  readonly text: string;
  readonly uses: readonly string[];
}
type Parts = ReadonlyMap<string, Part>;

const known = new WeakMap<Contract, Parts>();

/**
 * Returns both contracts without the paths in which nothing changed, directly or through references. The removed parts
 * are equal on both sides, so comparing the rest gives the same result in a fraction of the time.
 */
export function changedPart(
  base: Contract,
  revision: Contract,
): { readonly base: Contract; readonly revision: Contract } {
  // A change of what all operations inherit reaches every operation.
  if (sharedText(base) !== sharedText(revision)) return { base, revision };
  const before = remembered(base);
  const after = partsOf(revision, before);
  const changed = new Set([...before.keys(), ...after.keys()].filter((name) => before.get(name) !== after.get(name)));
  const users = [...before, ...after];
  for (let size = -1; size !== changed.size; ) {
    size = changed.size;
    for (const [name, { uses }] of users) if (uses.some((used) => changed.has(used))) changed.add(name);
  }
  const needed = new Set([...closure(before, changed), ...closure(after, changed)]);
  return { base: reduced(base, changed, needed), revision: reduced(revision, changed, needed) };
}

/** Returns a contract with only these paths and what they refer to. */
export function withPaths(contract: Contract, paths: ReadonlySet<string>): Contract {
  const names = new Set([...paths].map((path) => `paths ${path}`));
  return reduced(contract, names, closure(remembered(contract), names));
}

function remembered(contract: Contract): Parts {
  const parts = known.get(contract) ?? partsOf(contract);
  known.set(contract, parts);
  return parts;
}

function sharedText(contract: Contract): string {
  const { security } = contract as Contract & { readonly security?: unknown };
  return JSON.stringify([security, contract.components.securitySchemes]);
}

/** Returns the parts of a contract; a part with the same text as in `others` is the same object. */
function partsOf(contract: Contract, others?: Parts): Parts {
  const components = Object.entries(contract.components).flatMap(([kind, named]) =>
    Object.entries(named as object).map(([name, part]) => [`${kind}/${name}`, part as unknown] as const),
  );
  const paths = Object.entries(contract.paths).map(([path, item]) => [`paths ${path}`, item] as const);
  return new Map(
    [...components, ...paths].map(([name, part]) => {
      const other = others?.get(name);
      return [name, other?.text === JSON.stringify(part) ? other : partOf(part)];
    }),
  );
}

function partOf(node: unknown): Part {
  const text = JSON.stringify(node);
  return { text, uses: [...text.matchAll(/"#\/components\/([^/"]+\/[^/"]+)"/g)].map(([, used]) => used ?? '') };
}

/** Returns everything that these parts refer to, directly or indirectly. */
function closure(parts: Parts, from: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  const queue = [...from];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const part = parts.get(next);
    if (part === undefined || found.has(next)) continue;
    found.add(next);
    queue.push(...part.uses);
  }
  return found;
}

function reduced(contract: Contract, changed: ReadonlySet<string>, needed: ReadonlySet<string>): Contract {
  const keep = (kind: string, named: object) =>
    Object.fromEntries(
      Object.entries(named).filter(([name]) => kind === 'securitySchemes' || needed.has(`${kind}/${name}`)),
    );
  return {
    ...contract,
    paths: Object.fromEntries(Object.entries(contract.paths).filter(([path]) => changed.has(`paths ${path}`))),
    components: Object.fromEntries(
      Object.entries(contract.components).map(([kind, named]) => [kind, keep(kind, named as object)]),
    ),
  };
}

/** Adds to each change of a component the operations that it reaches in either contract. */
export function withReach(changes: readonly Change[], base: Contract, revision: Contract): Change[] {
  let known: ReadonlyMap<string, readonly string[]> | null = null;
  return changes.map((change) => {
    const name = change.component ?? schemaIn(change.place, base, revision);
    if (name === null) return change;
    known ??= reachOf(base, revision);
    return { ...change, operations: known.get(name) ?? [] };
  });
}

/**
 * Returns the schema of a place. The rules of this project name a place below a schema `Thing.name` or
 * `Thing/properties/name`.
 */
function schemaIn(place: string, ...contracts: readonly Contract[]): string | null {
  const [name = ''] = place.split(/[./]/);
  return contracts.some(({ components }) => Object.hasOwn(components.schemas ?? {}, name)) ? `schemas/${name}` : null;
}

function reachOf(...contracts: readonly Contract[]): Map<string, string[]> {
  const reached = new Map<string, Set<string>>();
  for (const contract of contracts) {
    const components = new Map(
      Object.entries(contract.components).flatMap(([kind, named]) =>
        Object.entries(named as object).map(([name, part]) => [`${kind}/${name}`, partOf(part)] as const),
      ),
    );
    for (const { operation, item, path, method } of operationSites(contract)) {
      const { uses } = partOf([operation, item.parameters]);
      for (const name of closure(components, new Set(uses)))
        reached.set(name, (reached.get(name) ?? new Set()).add(`${method.toUpperCase()} ${path}`));
    }
  }
  return new Map([...reached].map(([name, operations]) => [name, [...operations]]));
}
