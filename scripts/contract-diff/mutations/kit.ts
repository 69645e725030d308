/** Types of mutations, and functions with which their edits are written. Used by all files of mutations. */
import type { Verdict } from '../../contract/member.ts';
import { schemaName, schemaTypes } from '../../contract/contract.ts';
import type { Contract, Operation, Schema } from '../../contract/contract.ts';
import { operationSites, schemaSites, schemasReached } from '../../contract/walk.ts';
import type { OperationSite, SchemaSite } from '../../contract/walk.ts';

/** A change at one place of a draft of the contract, made by altering the draft. */
export interface Edit {
  readonly where: string;
  readonly apply: () => void;
}

/** A kind of change, its right verdict, and every place where it can be made. */
export interface Mutation {
  readonly name: string;
  readonly expected: Verdict;
  readonly edits: (draft: Contract) => Edit[];
}

export function set(node: object, members: object): void {
  Object.assign(node, members);
}

export function drop(node: object, ...names: string[]): void {
  for (const name of names) Reflect.deleteProperty(node, name);
}

export type Direction = 'request' | 'response';

/** Returns the schemas that only requests, or only responses, reach. */
export function schemasOf(draft: Contract, direction: Direction): SchemaSite[] {
  const other = new Set(
    [...schemasReached(draft, direction === 'request' ? 'response' : 'request'), ...ofParameters(draft)].map(
      ({ schema }) => schema,
    ),
  );
  return schemasReached(draft, direction).filter(({ schema }) => !other.has(schema));
}

/** Returns the schemas of parameters and response headers, because what they refer to is used in both directions. */
function ofParameters(draft: Contract): SchemaSite[] {
  const sites = schemaSites(draft);
  const outside = sites.filter(({ pointer }) => pointer.includes('parameters') || pointer.includes('headers'));
  const names = new Set(outside.map(({ schema }) => schemaName(schema)).filter((name) => name !== null));
  return sites.filter(({ pointer }) => pointer[1] === 'schemas' && names.has(String(pointer[2])));
}

export interface Member {
  readonly owner: Schema;
  readonly name: string;
  readonly member: Schema;
  readonly where: string;
  readonly required: boolean;
}

/** Returns the members of objects that are sent in one direction only. */
export function membersOf(draft: Contract, direction: Direction): Member[] {
  return schemasOf(draft, direction).flatMap(({ schema, pointer }) =>
    Object.entries(schema.properties ?? {}).map(([name, member]) => ({
      owner: schema,
      name,
      member,
      where: [...pointer, name].join('/'),
      required: schema.required?.includes(name) ?? false,
    })),
  );
}

/** Returns edits of every matching schema of a direction. */
export function onSchemas(
  direction: Direction,
  fits: (schema: Schema) => boolean,
  apply: (schema: Schema) => void,
): Mutation['edits'] {
  return (draft) =>
    schemasOf(draft, direction)
      .filter(({ schema }) => fits(schema))
      .map(({ schema, pointer }) => ({
        where: pointer.join('/'),
        apply: () => {
          apply(schema);
        },
      }));
}

/** Returns edits of every matching member of a direction. */
export function onMembers(
  direction: Direction,
  fits: (member: Member) => boolean,
  apply: (member: Member) => void,
): Mutation['edits'] {
  return (draft) =>
    membersOf(draft, direction)
      .filter(fits)
      .map((member) => ({
        where: member.where,
        apply: () => {
          apply(member);
        },
      }));
}

export function is(schema: Schema, type: string): boolean {
  return schemaTypes(schema).includes(type);
}

export function isPlain(schema: Schema): boolean {
  return typeof schema.type === 'string';
}

/** Returns edits of every operation that matches. */
export function onOperations(
  fits: (operation: Partial<Operation>, site: OperationSite) => boolean,
  apply: (operation: Partial<Operation>, site: OperationSite, draft: Contract) => void,
): Mutation['edits'] {
  return (draft) =>
    operationSites(draft)
      .filter((site) => fits(site.operation, site))
      .map((site) => ({
        where: `${site.method} ${site.path}`,
        apply: () => {
          apply(site.operation, site, draft);
        },
      }));
}
