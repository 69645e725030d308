import type { operations as Wire } from './generated/types.ts';
import type { Declared, operations as table } from './generated/operations.ts';
import type { Role, Scope } from './principal.ts';

/** The generated table as literal types: what the type layer computes from. */
export type Table = typeof table;
export type OperationId = keyof Table & keyof Wire;
export type Tag = Table[OperationId]['tag'];
export type OperationsOf<T extends Tag> = { [K in OperationId]: Table[K]['tag'] extends T ? K : never }[OperationId];

export type SchemeName = 'bearerAuth' | 'apiKey' | 'oauth2';

/** One row of the table at run time, read without knowing which operation it is. */
export interface Operation extends Declared {
  readonly operationId: OperationId;
  readonly method: 'get' | 'put' | 'post' | 'delete' | 'patch';
  readonly path: string;
  readonly tag: Tag;
  readonly security: readonly { readonly [S in SchemeName]?: readonly Scope[] }[];
  readonly roles: readonly Role[];
  /** Refused to who is shown personal data masked: the operation, or a call with one of these parameters. */
  readonly needsFullData: { readonly operation: boolean; readonly parameters: readonly string[] };
  /** Its answers can hold personal data. */
  readonly showsPersons: boolean;
  readonly requestTypes: readonly string[];
  readonly responses: { readonly [status: string]: readonly string[] };
  readonly pagination: { readonly items: string } | null;
  /** Dates: since when it is deprecated and when it ends; null while it stays. */
  readonly deprecation: { readonly since: string; readonly sunset: string } | null;
}
