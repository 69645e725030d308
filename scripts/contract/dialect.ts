/**
 * Dialect of the contract: defines every member `x-…` of openapi.yaml once. From this table follow the TypeScript types
 * of the contract, the columns of the server's operation table, the lint rules about unknown members and values of a
 * wrong form, the rules of `make diff` about these members, and the page docs/guides/contract-dialect.md.
 */
import { operationMembers } from './dialect-operations.ts';
import { schemaMembers } from './dialect-schemas.ts';
import type { Member, MemberOwner } from './member.ts';

/** Members of operations in the order in which they are written, then those of schemas. */
export const dialect = { ...operationMembers, ...schemaMembers };

export type Dialect = typeof dialect;
export type MemberName = keyof Dialect;

/** All members, typed without their individual names. */
export const members = Object.entries(dialect) as readonly (readonly [MemberName, Member])[];

/** Returns the names of the members that may occur at a place. */
export function namesOn(place: MemberOwner): ReadonlySet<string> {
  return new Set(members.filter(([, { on }]) => on.includes(place)).map(([name]) => name));
}
