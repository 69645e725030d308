import type { Contract } from '../generate/contract.ts';
import { operationSites } from '../lint/walk.ts';
import type { Change } from './change.ts';
import { closure, partOf } from './changed-part.ts';

/** Adds to each change of a component the operations that it reaches, in either contract. */
export function withReach(changes: readonly Change[], base: Contract, revision: Contract): Change[] {
  let known: ReadonlyMap<string, readonly string[]> | null = null;
  return changes.map((change) => {
    const name = change.component ?? schemaIn(change.place, base, revision);
    if (name === null) return change;
    known ??= reachOf(base, revision);
    return { ...change, operations: known.get(name) ?? [] };
  });
}

/** House rules call what is below a schema `Thing.name` or `Thing/properties/name`. */
function schemaIn(place: string, ...contracts: readonly Contract[]): string | null {
  const [name = ''] = place.split(/[./]/);
  return contracts.some(({ components }) => Object.hasOwn(components.schemas ?? {}, name)) ? `schemas/${name}` : null;
}

function reachOf(...contracts: readonly Contract[]): Map<string, string[]> {
  const reached = new Map<string, Set<string>>();
  for (const contract of contracts) {
    const components = new Map(Object.entries(contract.components).flatMap(([kind, named]) => Object.entries(named as object).map(([name, part]) => [`${kind}/${name}`, partOf(part)] as const)));
    for (const { operation, item, path, method } of operationSites(contract)) {
      const { uses } = partOf([operation, item.parameters]);
      for (const name of closure(components, new Set(uses))) reached.set(name, (reached.get(name) ?? new Set()).add(`${method.toUpperCase()} ${path}`));
    }
  }
  return new Map([...reached].map(([name, operations]) => [name, [...operations]]));
}
