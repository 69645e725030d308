import type { Contract, Parameter, Header, Reference, Response } from '../generate/contract.ts';
import { schemaName } from '../generate/schema.ts';
import type { Schema } from '../generate/schema.ts';
import type { Pointer } from './rule.ts';
import { mediaSites, operationSites } from './walk.ts';

export interface SchemaSite { readonly schema: Schema; readonly pointer: Pointer }

/** Every schema of the contract where it is written, subschemas included; references are not followed. */
export function schemaSites(contract: Contract): SchemaSite[] {
  return roots(contract).flatMap(({ schema, pointer }) => below(schema, pointer));
}

/** Every schema that requests or responses reach, each once, at the place where it is written. */
export function schemasReached(contract: Contract, direction: 'request' | 'response'): SchemaSite[] {
  const seen = new Set<string>();
  const queue = mediaSites(contract).filter((site) => site.direction === direction).flatMap(({ media, pointer }) => rootOf(media.schema, [...pointer, 'schema']));
  const found: SchemaSite[] = [];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    for (const site of below(next.schema, next.pointer)) {
      const name = schemaName(site.schema);
      if (name === null) { found.push(site); continue; }
      const target = contract.components.schemas?.[name];
      if (target === undefined || seen.has(name)) continue;
      seen.add(name);
      queue.push({ schema: target, pointer: ['components', 'schemas', name] });
    }
  }
  return found;
}

function roots(contract: Contract): SchemaSite[] {
  const { schemas = {}, parameters = {}, headers = {}, responses = {} } = contract.components;
  return [
    ...Object.entries(schemas).map(([name, schema]) => ({ schema, pointer: ['components', 'schemas', name] })),
    ...Object.entries(parameters).flatMap(([name, node]) => rootOf(schemaOf(node), ['components', 'parameters', name, 'schema'])),
    ...Object.entries(headers).flatMap(([name, node]) => rootOf(schemaOf(node), ['components', 'headers', name, 'schema'])),
    ...Object.entries(contract.paths).flatMap(([path, { parameters: shared }]) => ofParameters(shared, ['paths', path])),
    ...operationSites(contract).flatMap(({ operation, pointer }) => [
      ...ofParameters(operation.parameters, pointer),
      ...Object.entries(operation.responses ?? {}).flatMap(([status, node]) => ofHeaders(node, [...pointer, 'responses', status])),
    ]),
    ...Object.entries(responses).flatMap(([name, node]) => ofHeaders(node, ['components', 'responses', name])),
    ...mediaSites(contract).flatMap(({ media, pointer }) => rootOf(media.schema, [...pointer, 'schema'])),
  ];
}

function ofParameters(parameters: readonly (Parameter | Reference)[] = [], pointer: Pointer): SchemaSite[] {
  return parameters.flatMap((node, index) => rootOf(schemaOf(node), [...pointer, 'parameters', index, 'schema']));
}

function ofHeaders(node: Response | Reference, pointer: Pointer): SchemaSite[] {
  const headers = 'headers' in node ? node.headers ?? {} : {};
  return Object.entries(headers).flatMap(([name, header]) => rootOf(schemaOf(header), [...pointer, 'headers', name, 'schema']));
}

function schemaOf(node: Parameter | Header | Reference): Schema | undefined {
  return 'schema' in node ? node.schema : undefined;
}

function rootOf(schema: Schema | undefined, pointer: Pointer): SchemaSite[] {
  return schema === undefined ? [] : [{ schema, pointer }];
}

function below(schema: Schema, pointer: Pointer): SchemaSite[] {
  const children: SchemaSite[] = [
    ...Object.entries(schema.properties ?? {}).map(([name, child]) => ({ schema: child, pointer: [...pointer, 'properties', name] })),
    ...rootOf(schema.items, [...pointer, 'items']),
    ...rootOf(schema.propertyNames, [...pointer, 'propertyNames']),
    ...rootOf(typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined, [...pointer, 'additionalProperties']),
    ...(['allOf', 'oneOf', 'anyOf'] as const).flatMap((keyword) => (schema[keyword] ?? []).map((child, index) => ({ schema: child, pointer: [...pointer, keyword, index] }))),
  ];
  return [{ schema, pointer }, ...children.flatMap((child) => below(child.schema, child.pointer))];
}
