import type { Contract, Operation } from '../generate/contract.ts';
import { operationSites } from '../lint/walk.ts';
import { schemaSites } from '../lint/walk-schemas.ts';
import type { Schema } from '../generate/schema.ts';

export interface Pair<T> { readonly place: string; readonly base: T; readonly revision: T }

/** Operations that both contracts have, matched by method and path; the names of path parameters do not count. */
export function operationPairs(base: Contract, revision: Contract): Pair<Partial<Operation>>[] {
  const key = (path: string) => path.replaceAll(/\{[^}]*\}/g, '{}');
  const known = new Map(operationSites(base).map(({ method, path, operation }) => [`${method} ${key(path)}`, operation]));
  return operationSites(revision).flatMap(({ method, path, operation }) => {
    const before = known.get(`${method} ${key(path)}`);
    return before === undefined ? [] : [{ place: `${method.toUpperCase()} ${path}`, base: before, revision: operation }];
  });
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
