import type { OperationModel, ResourceNode } from './model.ts';
import { pascalCase, pythonName, resourcePath } from './naming.ts';

/** Groups operations by `x-sdk.resource`; order of first appearance in the contract. */
export function resourceTree(operations: readonly OperationModel[], prefix: readonly string[] = []): ResourceNode {
  const name = prefix.at(-1) ?? '';
  const path = prefix.join('.');
  const below = operations.filter((operation) => operation.sdk.resource !== path);
  const segments = new Set(below.map((operation) => resourcePath(operation.sdk.resource)[prefix.length] ?? ''));
  return {
    name,
    path,
    className: prefix.map(pascalCase).join(''),
    python: name === '' ? '' : pythonName(name),
    operations: operations.filter((operation) => operation.sdk.resource === path),
    children: [...segments].map((segment) => {
      const child = [...prefix, segment];
      const within = `${child.join('.')}.`;
      return resourceTree(below.filter((operation) => `${operation.sdk.resource}.`.startsWith(within)), child);
    }),
  };
}
