import type { ApiModel, OperationModel, ResourceNode } from '../model.ts';

/** All resources below the root, parents first. */
export function resourceNodes(root: ResourceNode): ResourceNode[] {
  return root.children.flatMap((child) => [child, ...resourceNodes(child)]);
}

/** Schemes of the contract, in its order, without repetition. */
export function schemesOf(operation: OperationModel): string[] {
  return [...new Set(operation.security.flatMap((requirement) => Object.keys(requirement)))];
}

/** Classes share one namespace with the schemas; one that would be called like a schema is called a resource. */
export function withDistinctClasses(model: ApiModel): ApiModel {
  const rename = (node: ResourceNode): ResourceNode => ({
    ...node,
    className: node.className in model.schemas ? `${node.className}Resource` : node.className,
    children: node.children.map(rename),
  });
  return { ...model, resources: rename(model.resources) };
}
