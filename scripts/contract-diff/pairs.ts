/**
 * Matches operations, parameters and schemas of two contracts. Used by the rules. What is not matched is not compared.
 */
import { dereference, resolve, schemaName } from '../contract/contract.ts';
import type {
  Contract,
  Header,
  MediaType,
  Operation,
  Parameter,
  RequestBody,
  Response,
  Schema,
} from '../contract/contract.ts';
import { operationSites, parametersOf, schemaSites } from '../contract/walk.ts';
import type { OperationSite } from '../contract/walk.ts';

export interface Pair<T> {
  readonly place: string;
  readonly base: T;
  readonly revision: T;
}

/** The same operation in both contracts, with its path item. */
interface OperationPair extends Pair<OperationSite> {}

/**
 * Returns the operations that both contracts have, matched by method and path; the names of path parameters do not
 * count.
 */
export function operationSitePairs(base: Contract, revision: Contract): OperationPair[] {
  const key = ({ method, path }: OperationSite) => `${method} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`;
  const known = new Map(operationSites(base).map((site) => [key(site), site]));
  return operationSites(revision).flatMap((site) => {
    const before = known.get(key(site));
    return before === undefined
      ? []
      : [{ place: `${site.method.toUpperCase()} ${site.path}`, base: before, revision: site }];
  });
}

export function operationPairs(base: Contract, revision: Contract): Pair<Partial<Operation>>[] {
  return operationSitePairs(base, revision).map(({ place, ...pair }) => ({
    place,
    base: pair.base.operation,
    revision: pair.revision.operation,
  }));
}

/** Returns the parameters that the matched operations have in both contracts, wherever they are written. */
export function parameterPairs(base: Contract, revision: Contract): Pair<Parameter>[] {
  return operationSitePairs(base, revision).flatMap(({ place, ...pair }) => {
    const known = new Map(parametersOf(base, pair.base).map((parameter) => [keyOf(parameter), parameter]));
    return parametersOf(revision, pair.revision).flatMap((parameter) => {
      const before = known.get(keyOf(parameter));
      return before === undefined ? [] : [{ place: `${place}, ${parameter.name}`, base: before, revision: parameter }];
    });
  });
}

interface WithWebhooks {
  readonly webhooks?: Contract['paths'];
}

/** Returns pairs of webhooks. They are operations in the opposite direction: the service calls, its users respond. */
function webhookPairs(base: Contract & WithWebhooks, revision: Contract & WithWebhooks): OperationPair[] {
  return operationSitePairs(
    { ...base, paths: base.webhooks ?? {} },
    { ...revision, paths: revision.webhooks ?? {} },
  ).map((pair) => ({ ...pair, place: `webhook ${pair.place}` }));
}

/** Schemas at the same place in both contracts. */
export const schemaPairs = remembered((base, revision): readonly Pair<Schema>[] => {
  const known = new Map(schemaSites(base).map(({ schema, pointer }) => [pointer.join('/'), schema]));
  return schemaSites(revision).flatMap(({ schema, pointer }) => {
    const at = pointer.join('/');
    const before = known.get(at);
    return before === undefined
      ? []
      : [{ place: at.replace('components/schemas/', ''), base: before, revision: schema }];
  });
});

export function without<T>(from: readonly T[], these: readonly T[]): T[] {
  return from.filter((item) => !these.includes(item));
}

type Direction = 'request' | 'response';

/** Place in a message where both contracts use a schema. */
interface Spot {
  readonly place: string;
  readonly direction: Direction;
  /** Whether only one side is behind a reference. */
  readonly rewritten: boolean;
}

export interface DirectedPair extends Pair<Schema>, Spot {}

/**
 * Every schema that both contracts use at the same place of the same message, with its direction. References are
 * followed on both sides, so a schema may be named, renamed or written inline.
 */
export const directedPairs = remembered((base, revision): readonly DirectedPair[] => {
  const walk = new Walk(base, revision);
  for (const pair of operationSitePairs(base, revision)) walk.operation(pair, 'request', 'response');
  // The service sends the request of a webhook.
  for (const pair of webhookPairs(base, revision)) walk.operation(pair, 'response', 'request');
  return walk.found;
});

/** Caches the last result, because several rules ask for the same pairs one after the other. */
function remembered<T>(find: (base: Contract, revision: Contract) => T): (base: Contract, revision: Contract) => T {
  let last: { readonly base: Contract; readonly revision: Contract; readonly found: T } | null = null;
  return (base, revision) => {
    if (last?.base !== base || last.revision !== revision) last = { base, revision, found: find(base, revision) };
    return last.found;
  };
}

class Walk {
  readonly found: DirectedPair[] = [];
  readonly #base: Contract;
  readonly #revision: Contract;
  readonly #seen = new Map<Schema, Map<Schema, Set<string>>>();

  constructor(base: Contract, revision: Contract) {
    this.#base = base;
    this.#revision = revision;
  }

  operation({ place, base, revision }: OperationPair, sent: Direction, answered: Direction): void {
    const before = new Map(parametersOf(this.#base, base).map((parameter) => [keyOf(parameter), parameter]));
    for (const parameter of parametersOf(this.#revision, revision)) {
      const spot = { place: `${place}, ${parameter.name}`, direction: sent, rewritten: false };
      this.#schemas(spot, before.get(keyOf(parameter))?.schema, parameter.schema);
    }
    const [was, is] = [base.operation.requestBody, revision.operation.requestBody];
    if (was !== undefined && is !== undefined)
      this.#content(
        `${place}, body`,
        resolve<RequestBody>(this.#base, was).content,
        resolve<RequestBody>(this.#revision, is).content,
        sent,
      );
    for (const [status, node] of Object.entries(revision.operation.responses ?? {})) {
      const known = base.operation.responses?.[status];
      if (known !== undefined)
        this.#response(
          `${place}, ${status}`,
          resolve<Response>(this.#base, known),
          resolve<Response>(this.#revision, node),
          answered,
        );
    }
  }

  #response(place: string, before: Response, after: Response, direction: Direction): void {
    this.#content(place, before.content ?? {}, after.content ?? {}, direction);
    for (const [name, node] of Object.entries(after.headers ?? {})) {
      const known = before.headers?.[name];
      if (known !== undefined)
        this.#schemas(
          { place: `${place}, ${name}`, direction, rewritten: false },
          resolve<Header>(this.#base, known).schema,
          resolve<Header>(this.#revision, node).schema,
        );
    }
  }

  #content(
    place: string,
    before: Readonly<Record<string, MediaType>>,
    after: Readonly<Record<string, MediaType>>,
    direction: Direction,
  ): void {
    for (const [type, media] of Object.entries(after))
      this.#schemas({ place, direction, rewritten: false }, before[type]?.schema, media.schema);
  }

  #schemas(spot: Spot, before: Schema | undefined, after: Schema | undefined): void {
    const { place, direction, rewritten } = spot;
    if (before === undefined || after === undefined || !this.#isNew(before, after, `${direction} ${rewritten}`)) return;
    this.found.push({ ...spot, base: before, revision: after });
    // If null is written around a reference, its target is still at the same place.
    const [inBefore, inAfter] = [referred(before), referred(after)];
    if ((inBefore === undefined) !== (inAfter === undefined)) {
      this.#schemas({ ...spot, rewritten: true }, inBefore ?? before, inAfter ?? after);
      return;
    }
    const [was, is] = [dereference(this.#base, before), dereference(this.#revision, after)];
    if (was !== before || is !== after) {
      const isRewritten = rewritten || (was === before) !== (is === after);
      this.#schemas({ place: schemaName(after) ?? place, direction, rewritten: isRewritten }, was, is);
      return;
    }
    const child = (step: string, a: Schema | undefined, b: Schema | undefined) => {
      this.#schemas({ ...spot, place: `${place}.${step}` }, a, b);
    };
    for (const [name, member] of Object.entries(is.properties ?? {})) child(name, was.properties?.[name], member);
    child('items', was.items, is.items);
    child('names', was.propertyNames, is.propertyNames);
    if (typeof was.additionalProperties === 'object' && typeof is.additionalProperties === 'object')
      child('*', was.additionalProperties, is.additionalProperties);
    for (const keyword of ['allOf', 'oneOf', 'anyOf'] as const) {
      for (const [index, member] of (is[keyword] ?? []).entries())
        child(String(index), counterpart(was[keyword] ?? [], member, index), member);
    }
  }

  #isNew(before: Schema, after: Schema, way: string): boolean {
    const partners = this.#seen.get(before) ?? new Map<Schema, Set<string>>();
    const ways = partners.get(after) ?? new Set();
    if (ways.has(way)) return false;
    this.#seen.set(before, partners.set(after, ways.add(way)));
    return true;
  }
}

function keyOf({ in: place, name }: Parameter): string {
  return `${place} ${name}`;
}

/** Returns the variant of the same name, else of the same type, else at the same position. */
function counterpart(variants: readonly Schema[], { $ref, type }: Schema, index: number): Schema | undefined {
  if ($ref !== undefined)
    return (
      variants.find((variant) => variant.$ref === $ref) ??
      variants.find((variant, at) => at === index && variant.type !== 'null')
    );
  return variants.find((variant) => variant.$ref === undefined && variant.type === type) ?? variants[index];
}

function referred({ oneOf }: Schema): Schema | undefined {
  return oneOf?.length === 2 && oneOf.some(({ type }) => type === 'null')
    ? oneOf.find(({ type }) => type !== 'null')
    : undefined;
}
