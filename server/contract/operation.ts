import type { Declared, operations as table } from './generated/operations.ts';
import type { components, operations as Wire } from './generated/types.ts';

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

export type Scope = 'read' | 'write' | 'screening' | 'kyb' | 'admin';
export type Role = 'owner' | 'admin' | 'compliance_officer' | 'analyst' | 'developer' | 'auditor' | 'viewer' | 'platform_admin';
/** The environment that a request touches; API keys call the same two `live` and `test`. */
export type Environment = 'live' | 'sandbox';

export type PersonalData = 'full' | 'masked';

interface Caller {
  readonly tenantId: string;
  /** Identifier of the actor in audit events. */
  readonly id: string;
  /** How the actor is shown to people, e.g. in `createdBy`. */
  readonly display: string;
  /**
   * As whom it counts over time: the id of a person; or of a client, which is the prefix of the first key of a line of
   * rotations, and the same by key and by token.
   */
  readonly client: string;
  /** The client whose quota its requests use: itself, or that of the key that made its key. */
  readonly quotaOf: string;
  /** How much of persons it is shown. */
  readonly personalData: PersonalData;
}

/** A person signed in at the dashboard. */
export interface UserPrincipal extends Caller {
  readonly kind: 'user';
  readonly userId: string;
  readonly role: Role;
  readonly sessionId: string;
  readonly mfa: boolean;
}

/** Who answers for a key. */
export interface Grantor {
  /** Null for keys that were made at the machine, as those of the demo. */
  readonly userId: string | null;
  /** The role that they had when they granted it, and the one that they have: a key is worth no more than either. */
  readonly roles: readonly Role[];
}

interface Machine extends Caller {
  readonly prefix: string;
  readonly keyEnvironment: 'live' | 'test';
  readonly pinEnvironment: boolean;
  readonly scopes: readonly Scope[];
  readonly grantor: Grantor;
}

/** A server that presents an API key. */
export interface KeyPrincipal extends Machine {
  readonly kind: 'api_key';
}

/** A server that presents a token which it got for an API key; `scopes` is token ∩ key. */
export interface ClientPrincipal extends Machine {
  readonly kind: 'oauth_client';
}

export type AnyPrincipal = UserPrincipal | KeyPrincipal | ClientPrincipal;

interface PrincipalOfScheme {
  bearerAuth: UserPrincipal;
  apiKey: KeyPrincipal;
  oauth2: ClientPrincipal;
}

type SchemesOf<S> = S extends readonly (infer R)[] ? (R extends unknown ? Extract<keyof R, SchemeName> : never) : never;

/** Who can have called the operation, from its `security`; a public operation has nobody. */
export type Principal<K extends OperationId> =
  Table[K]['security'] extends readonly [] ? null : PrincipalOfScheme[SchemesOf<Table[K]['security']>];

/** Who did it, as resources and audit events show it: a person by id, a machine by the prefix of its key. Staff of the platform belong to no customer. */
export function actorOf(principal: AnyPrincipal): components['schemas']['Actor'] {
  const { display } = principal;
  if (principal.kind !== 'user') return { type: principal.kind, id: principal.prefix, display };
  return { type: principal.role === 'platform_admin' ? 'platform_user' : 'user', id: principal.userId, display };
}

/** The same in an audit event, where a machine is also named by the client that it stays through rotations. */
export function auditActorOf(principal: AnyPrincipal): components['schemas']['AuditActor'] {
  return { ...actorOf(principal), impersonatorId: null, ...(principal.kind !== 'user' && { clientId: principal.client }) };
}
