import { dereference, METHODS, resolve } from '../contract.ts';
import type { Contract, Operation, Parameter, RequestBody, Response } from '../contract.ts';
import type { ApiModel } from '../model.ts';
import type { Schema } from '../schema.ts';

/** Where each operation carries what the contract marks as personal data. */
export function personalDataFile(contract: Contract, model: ApiModel): string {
  const entries = model.operations.flatMap(({ operationId }) => {
    const places = placesOf(contract, operationOf(contract, operationId));
    return Object.values(places).every((list) => list.length === 0) ? [] : [`  ${operationId}: {\n${Object.entries(places).map(([part, list]) => `    ${part}: [${list.map((place) => `'${place}'`).join(', ')}],\n`).join('')}  },\n`];
  });
  return `/** Names of query parameters, and JSON Pointers (RFC 6901) into bodies, in which \`*\` stands for every item. */\n`
    + `export interface PersonalData {\n  readonly query: readonly string[];\n  readonly request: readonly string[];\n  readonly response: readonly string[];\n}\n\n`
    + `/** Where the operations carry personal data, for masking it in logs of your own. An operation that is not named carries none. */\n`
    + `export const personalData: Readonly<Record<string, PersonalData>> = {\n${entries.join('')}};\n`;
}

function operationOf(contract: Contract, id: string): Operation {
  const operations = Object.values(contract.paths).flatMap((item) => METHODS.flatMap((method) => item[method] ?? []));
  return operations.find(({ operationId }) => operationId === id) as Operation;
}

function placesOf(contract: Contract, operation: Operation): Record<'query' | 'request' | 'response', string[]> {
  const query = (operation.parameters ?? []).map((node) => resolve<Parameter>(contract, node)).filter((parameter) => parameter.in === 'query' && isPersonal(contract, parameter.schema));
  const request = operation.requestBody === undefined ? [] : schemasIn(resolve<RequestBody>(contract, operation.requestBody).content);
  const response = Object.values(operation.responses).flatMap((node) => schemasIn(resolve<Response>(contract, node).content));
  const pointers = (schemas: readonly Schema[]): string[] => [...new Set(schemas.flatMap((schema) => pointersIn(contract, schema, '', [])))].sort();
  return { query: query.map(({ name }) => name), request: pointers(request), response: pointers(response) };
}

function schemasIn(content: RequestBody['content'] | undefined): Schema[] {
  return Object.values(content ?? {}).flatMap(({ schema }) => schema ?? []);
}

function isPersonal(contract: Contract, node: Schema): boolean {
  return node['x-pii'] === true || dereference(contract, node)['x-pii'] === true;
}

/** `within` holds the schemas above, so that one that contains itself ends. */
function pointersIn(contract: Contract, node: Schema, at: string, within: readonly Schema[]): string[] {
  const schema = dereference(contract, node);
  if (isPersonal(contract, node)) return [at];
  if (within.includes(schema)) return [];
  const below = (child: Schema, place: string): string[] => pointersIn(contract, child, place, [...within, schema]);
  return [
    ...[...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].flatMap((part) => below(part, at)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, member]) => below(member, `${at}/${name}`)),
    ...(schema.items === undefined ? [] : below(schema.items, `${at}/*`)),
    ...(typeof schema.additionalProperties === 'object' ? below(schema.additionalProperties, `${at}/*`) : []),
  ];
}
