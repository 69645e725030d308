/** The contract without the operations for browsers. Used by the SDK generators. */
import { METHODS, targetOf } from '../contract/contract.ts';
import type { Contract, PathItem } from '../contract/contract.ts';

/**
 * Returns the contract for the SDKs: without the operations for the pages of the service (`x-browser`), and without
 * components that only those use.
 */
export function sdkContract(contract: Contract): Contract {
  const paths = Object.fromEntries(
    Object.entries(contract.paths).flatMap(([path, item]) => {
      const left = forPrograms(item);
      return METHODS.some((method) => left[method] !== undefined) ? [[path, left]] : [];
    }),
  );
  const [before, after] = [referencesIn(contract, contract.paths), referencesIn(contract, paths)];
  const components = Object.entries(contract.components).map(([kind, all]) => [
    kind,
    Object.fromEntries(
      Object.entries(all as object).filter(([name]) => {
        const reference = `#/components/${kind}/${name}`;
        return after.has(reference) || !before.has(reference);
      }),
    ),
  ]);
  return { ...contract, paths, components: Object.fromEntries(components) as Contract['components'] };
}

function forPrograms(item: PathItem): PathItem {
  const dropped = new Set<string>(METHODS.filter((method) => item[method]?.['x-browser'] === true));
  return Object.fromEntries(Object.entries(item).filter(([key]) => !dropped.has(key)));
}

/** Returns everything that a node refers to, directly or indirectly. */
function referencesIn(contract: Contract, node: unknown, found: Set<string> = new Set()): ReadonlySet<string> {
  if (typeof node !== 'object' || node === null) return found;
  for (const [key, value] of Object.entries(node)) {
    if (key !== '$ref' || typeof value !== 'string') referencesIn(contract, value, found);
    else if (!found.has(value)) {
      found.add(value);
      referencesIn(contract, targetOf(contract, value), found);
    }
  }
  return found;
}
