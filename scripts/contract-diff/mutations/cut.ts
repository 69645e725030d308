/** Cuts the contract to a smaller one, so that trying out mutations takes less time. Used by main.ts. */
import type { Contract } from '../../contract/contract.ts';
import { operationSites } from '../../contract/walk.ts';
import { withPaths } from '../reach.ts';
import type { Mutation } from './kit.ts';

/**
 * Returns a contract of about `operations` operations, taken from all over this one, in which each of these kinds of
 * change can be made. The verdict of a change does not depend on the rest of the contract, and comparing the whole
 * contract takes longer with every operation.
 */
export function cutTo(contract: Contract, operations: number, kinds: readonly Mutation[]): Contract {
  const paths = Object.keys(contract.paths);
  const count = Math.min(paths.length, Math.round((operations * paths.length) / operationSites(contract).length));
  const chosen = new Set(
    Array.from({ length: count }, (_, index) => paths[Math.floor((index * paths.length) / count)] ?? ''),
  );
  for (;;) {
    const cut = withPaths(contract, chosen);
    const missing = kinds.find((kind) => !isPossible(kind, cut));
    if (missing === undefined) return cut;
    const place = paths.find((path) => !chosen.has(path) && isPossible(missing, withPaths(contract, new Set([path]))));
    if (place === undefined) throw new Error(`nothing in the contract can be changed by: ${missing.name}`);
    chosen.add(place);
  }
}

const isPossible = ({ edits }: Mutation, contract: Contract): boolean => edits(structuredClone(contract)).length > 0;
