/**
 * Closes enumerations in requests of the TypeScript SDK. Used by index.ts. Responses stay open for values of later
 * versions.
 */
import { METHODS, resolve } from '../../contract/contract.ts';
import type { Contract, Operation, RequestBody, Response, Schema } from '../../contract/contract.ts';

const SCHEMAS = '#/components/schemas/';

/**
 * Returns the contract with closed enumerations in requests: there, a value that this version does not know is an
 * error, while in a response it may come from a later version. A schema that responses use as well gets a second schema
 * for requests, such as `ApplicationPurposeInput`.
 */
export function withClosedRequests(contract: Contract): Contract {
  const { schemas = {}, parameters = {} } = contract.components;
  const operations = Object.values(contract.paths).flatMap((item) => METHODS.flatMap((method) => item[method] ?? []));
  const sent = namesIn(
    [
      operations.map((operation) => [operation.parameters, bodyOf(contract, operation)]),
      Object.values(contract.paths).map((item) => item.parameters),
      parameters,
    ],
    schemas,
  );
  const received = namesIn(
    operations.map(({ responses }) =>
      Object.values(responses).map((node) => resolve<Response>(contract, node).content),
    ),
    schemas,
  );
  const isOpen = (name: string): boolean =>
    [...namesIn({ $ref: SCHEMAS + name }, schemas)].some((below) =>
      JSON.stringify(schemas[below]).includes('"x-enum-open":true'),
    );
  const closed = new Map([...sent].filter(isOpen).map((name) => [name, received.has(name) ? `${name}Input` : name]));
  const taken = [...closed.values()].find((name) => name.endsWith('Input') && !closed.has(name) && name in schemas);
  if (taken !== undefined) throw new Error(`${taken} is already a schema, and would be that of requests`);
  const close = <T>(node: T): T => mapped(node, closed) as T;
  const paths = Object.fromEntries(
    Object.entries(contract.paths).map(([path, item]) => [
      path,
      {
        ...item,
        ...(item.parameters && { parameters: close(item.parameters) }),
        ...Object.fromEntries(
          METHODS.flatMap((method) => {
            const operation = item[method];
            return operation === undefined
              ? []
              : [
                  [
                    method,
                    {
                      ...operation,
                      parameters: close(operation.parameters ?? []),
                      ...(operation.requestBody && { requestBody: close(operation.requestBody) }),
                    },
                  ],
                ];
          }),
        ),
      },
    ]),
  );
  const added = Object.fromEntries([...closed].map(([name, own]) => [own, close(schemas[name])]));
  return {
    ...contract,
    paths,
    components: { ...contract.components, parameters: close(parameters), schemas: { ...schemas, ...added } },
  } as Contract;
}

function bodyOf(contract: Contract, { requestBody }: Operation): RequestBody['content'] | undefined {
  return requestBody && resolve<RequestBody>(contract, requestBody).content;
}

/** Returns the schemas that a part of the contract refers to, directly or indirectly. */
function namesIn(
  part: unknown,
  schemas: Readonly<Record<string, Schema>>,
  found: Set<string> = new Set(),
): Set<string> {
  if (typeof part !== 'object' || part === null) return found;
  for (const [key, value] of Object.entries(part)) {
    const name =
      key === '$ref' && typeof value === 'string' && value.startsWith(SCHEMAS) ? value.slice(SCHEMAS.length) : null;
    if (name === null) namesIn(value, schemas, found);
    else if (!found.has(name)) namesIn(schemas[name], schemas, found.add(name));
  }
  return found;
}

/** Returns a node with references to the schemas of requests, and with closed enumerations. */
function mapped(node: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(node)) return node.map((item) => mapped(item, names));
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key]) => key !== 'x-enum-open')
      .map(([key, value]) => {
        const name = key === '$ref' && typeof value === 'string' ? names.get(value.slice(SCHEMAS.length)) : undefined;
        return [key, name === undefined ? mapped(value, names) : SCHEMAS + name];
      }),
  );
}
