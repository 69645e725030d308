/**
 * This file converts the ids of a request to lower case. RFC 9562 §4 lets clients write a UUID in either case; the
 * service stores, compares and logs only one form, so every `format: uuid` of a path, query, header or body is
 * converted when the request is received. Used by validate.ts.
 */
import { lowerCaseUuid } from '../base/uuid.ts';
import {
  type ContractNode,
  inlined,
  type RuntimeContract,
  type RuntimeOperation,
} from '../contract/pruned-contract.ts';

/** Parts of a request that can contain ids. */
interface Received {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  headers: Record<string, unknown>;
  body: unknown;
}

/** Returns a value with its ids in lower case. */
type Rewrite = (value: unknown) => unknown;

/**
 * Returns a function that rewrites the ids of the parameters and the body in place, after they have been checked
 * against the contract.
 */
export function idRewriter(
  { parameters = [], requestBody }: RuntimeOperation,
  contract: RuntimeContract,
): (input: Received, mediaType: string | null) => void {
  const parts = { path: 'params', query: 'query', header: 'headers' } as const;
  const ofParameters = parameters.flatMap(({ name, in: where, schema }) => {
    const rewrite = where === 'cookie' ? null : rewriteOf(schema, contract);
    return rewrite === null || where === 'cookie'
      ? []
      : [{ part: parts[where], name: where === 'header' ? name.toLowerCase() : name, rewrite }];
  });
  const ofBodies = new Map(
    Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => [
      type,
      schema === undefined ? null : rewriteOf(schema, contract),
    ]),
  );
  return (input, mediaType) => {
    for (const { part, name, rewrite } of ofParameters)
      if (input[part][name] !== undefined) input[part][name] = rewrite(input[part][name]);
    const ofBody = mediaType === null ? null : (ofBodies.get(mediaType) ?? null);
    if (ofBody !== null) input.body = ofBody(input.body);
  };
}

/**
 * Returns the rewriter of a schema, or null if the schema contains no id. A schema within itself (`above`) needs no
 * rewriter, because the dialect has no recursive bodies.
 */
function rewriteOf(
  schema: ContractNode,
  contract: RuntimeContract,
  above: readonly ContractNode[] = [],
): Rewrite | null {
  const own = inlined(schema, contract) as Parts;
  if (above.includes(own)) return null;
  const of = (child: ContractNode | boolean | undefined): Rewrite | null =>
    typeof child === 'object' ? rewriteOf(child, contract, [...above, own]) : null;
  const rewrites: Rewrite[] = [...(own.allOf ?? []), ...(own.oneOf ?? []), ...(own.anyOf ?? [])].flatMap(
    (part) => of(part) ?? [],
  );
  if (own.format === 'uuid') rewrites.push((value) => (typeof value === 'string' ? lowerCaseUuid(value) : value));
  const ofItems = of(own.items);
  if (ofItems !== null) rewrites.push((value) => (Array.isArray(value) ? value.map(ofItems) : value));
  const members = new Map(
    Object.entries(own.properties ?? {}).flatMap(([name, member]) => {
      const rewrite = of(member);
      return rewrite === null ? [] : [[name, rewrite] as const];
    }),
  );
  const ofOthers = of(own.additionalProperties);
  if (members.size > 0 || ofOthers !== null)
    rewrites.push((value) => (isObject(value) ? rewritten(value, (name) => members.get(name) ?? ofOthers) : value));
  return rewrites.length === 0 ? null : (value) => rewrites.reduce((current, rewrite) => rewrite(current), value);
}

interface Parts extends ContractNode {
  readonly format?: string;
  readonly properties?: Readonly<Record<string, ContractNode>>;
  readonly items?: ContractNode;
  readonly additionalProperties?: ContractNode | boolean;
  readonly allOf?: readonly ContractNode[];
  readonly oneOf?: readonly ContractNode[];
  readonly anyOf?: readonly ContractNode[];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Rewrites own properties in place, so that a member named `__proto__` stays data. */
function rewritten(value: Record<string, unknown>, of: (name: string) => Rewrite | null): Record<string, unknown> {
  for (const name of Object.keys(value)) {
    const rewrite = of(name);
    if (rewrite !== null)
      Object.defineProperty(value, name, {
        value: rewrite(value[name]),
        writable: true,
        enumerable: true,
        configurable: true,
      });
  }
  return value;
}
