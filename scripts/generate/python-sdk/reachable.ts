import type { ApiModel } from '../model.ts';
import type { Schema } from '../schema.ts';
import { schemaName } from '../schema.ts';
import type { NamedSchemas } from './named-schemas.ts';

/** Names of the schemas that models are made for: all that is answered, and all that is sent as JSON. */
export function modelNames(model: ApiModel, named: NamedSchemas): ReadonlySet<string> {
  const roots = model.operations.flatMap(({ successes, failures, body }) => [
    ...[...successes, ...failures].map((response) => response.schemaName),
    body?.kind === 'json' ? body.schemaName : null,
  ]);
  return reachable(roots, named);
}

/** Names of the schemas that arguments are typed with: members of bodies, and parameters. */
export function argumentNames(model: ApiModel, named: NamedSchemas): ReadonlySet<string> {
  const schemas = model.operations.flatMap(({ body, parameters }) => [
    ...(body?.members ?? []).map((member) => member.schema),
    ...[...parameters.path, ...parameters.query, ...parameters.header].map((parameter) => parameter.schema),
  ]);
  const direct = schemas.flatMap((schema) => [...references(schema), ...references(model.schemas[schemaName(schema) ?? ''] ?? {})]);
  return reachable(direct, named);
}

function reachable(roots: readonly (string | null)[], named: NamedSchemas): ReadonlySet<string> {
  const found = new Set<string>();
  const queue = roots.filter((name) => name !== null);
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    const schema = named.get(name);
    if (schema === undefined || found.has(name)) continue;
    found.add(name);
    queue.push(...references(schema));
  }
  return found;
}

function references(node: Schema): string[] {
  const name = schemaName(node);
  const parts = [
    ...Object.values(node.properties ?? {}), ...(node.allOf ?? []), ...(node.oneOf ?? []), ...(node.items === undefined ? [] : [node.items]),
    ...(typeof node.additionalProperties === 'object' ? [node.additionalProperties] : []),
  ];
  return [...(name === null ? [] : [name]), ...parts.flatMap(references)];
}
