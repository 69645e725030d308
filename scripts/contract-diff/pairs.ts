import type { Contract, Operation } from '../generate/contract.ts';
import { operationSites } from '../lint/walk.ts';
import type { OperationSite } from '../lint/walk.ts';
import { schemaSites } from '../lint/walk-schemas.ts';
import type { Schema } from '../generate/schema.ts';

export interface Pair<T> { readonly place: string; readonly base: T; readonly revision: T }

/** The same operation in both contracts, with the path item around it. */
export interface OperationPair extends Pair<OperationSite> {}

/** Operations that both contracts have, matched by method and path; the names of path parameters do not count. */
export function operationSitePairs(base: Contract, revision: Contract): OperationPair[] {
  const key = ({ method, path }: OperationSite) => `${method} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`;
  const known = new Map(operationSites(base).map((site) => [key(site), site]));
  return operationSites(revision).flatMap((site) => {
    const before = known.get(key(site));
    return before === undefined ? [] : [{ place: `${site.method.toUpperCase()} ${site.path}`, base: before, revision: site }];
  });
}

export function operationPairs(base: Contract, revision: Contract): Pair<Partial<Operation>>[] {
  return operationSitePairs(base, revision).map(({ place, ...pair }) => ({ place, base: pair.base.operation, revision: pair.revision.operation }));
}

interface WithWebhooks { readonly webhooks?: Contract['paths'] }

/** Webhooks are operations of the other side: the service calls, its users answer. */
export function webhookPairs(base: Contract & WithWebhooks, revision: Contract & WithWebhooks): OperationPair[] {
  return operationSitePairs({ ...base, paths: base.webhooks ?? {} }, { ...revision, paths: revision.webhooks ?? {} })
    .map((pair) => ({ ...pair, place: `webhook ${pair.place}` }));
}

/** Schemas that stand at the same place in both contracts. */
export function schemaPairs(base: Contract, revision: Contract): Pair<Schema>[] {
  const known = new Map(schemaSites(base).map(({ schema, pointer }) => [pointer.join('/'), schema]));
  return schemaSites(revision).flatMap(({ schema, pointer }) => {
    const before = known.get(pointer.join('/'));
    return before === undefined ? [] : [{ place: pointer.join('/').replace('components/schemas/', ''), base: before, revision: schema }];
  });
}

export function without<T>(from: readonly T[], these: readonly T[]): T[] {
  return from.filter((item) => !these.includes(item));
}
