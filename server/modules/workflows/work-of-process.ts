/**
 * Finds the types of work that a start leads to: of the process itself, of those that it calls, and of those that its
 * messages and signals begin about the same subject. A key must have the scopes of all of them.
 */
import type { Transaction } from '../../database/index.ts';
import { activeDefinition, type Definition, findDefinition } from '../definitions/index.ts';
import { graphOf } from './advance.ts';
import { documentOf } from './present.ts';
import { startsBy } from './start-store.ts';

/** Returns the types of work of an active version, and of every active version that it leads to. */
export async function workOf(tx: Transaction, first: Definition): Promise<string[]> {
  const known = new Map([[first.id, first]]);
  // A map is walked in the order of its insertions, also of those during the walk.
  for (const definition of known.values())
    for (const next of await followersOf(tx, definition)) known.set(next.id, next);
  return [...known.values()].flatMap((definition) => documentOf(definition).jobTypes);
}

async function followersOf(tx: Transaction, { id, environment }: Definition): Promise<Definition[]> {
  const found: (Definition | null)[] = [];
  for (const { type, calls, event } of (await graphOf(tx, id)).program.nodes) {
    if (calls !== undefined) found.push(await activeDefinition(tx, { environment, kind: 'workflow', key: calls }));
    if ((type !== 'throw' && type !== 'end') || (event?.kind !== 'message' && event?.kind !== 'signal')) continue;
    for (const { definitionId } of await startsBy(tx, environment, event.kind, event.name))
      found.push(await findDefinition(tx, definitionId));
  }
  return found.filter((one) => one !== null);
}
