import type { OperationModel, ResourceNode } from '../model.ts';

/** All resources below the root, parents first. */
export function resourceNodes(root: ResourceNode): ResourceNode[] {
  return root.children.flatMap((child) => [child, ...resourceNodes(child)]);
}

/** Schemes of the contract, in its order, without repetition. */
export function schemesOf(operation: OperationModel): string[] {
  return [...new Set(operation.security.flatMap((requirement) => Object.keys(requirement)))];
}
