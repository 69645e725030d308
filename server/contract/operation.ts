import type { Declared, operations as table } from './generated/operations.ts';
import type { components, operations as Wire } from './generated/types.ts';

/** The generated table with literal types, from which the types of handlers are computed. */
export type Table = typeof table;
export type OperationId = keyof Table & keyof Wire;
export type Tag = Table[OperationId]['tag'];
export type OperationsOf<T extends Tag> = { [K in OperationId]: Table[K]['tag'] extends T ? K : never }[OperationId];

export type SchemeName = 'bearerAuth' | 'apiKey' | 'oauth2';

/** One row of the table at run time, for code that serves every operation. */
export interface Operation extends Declared {
  readonly operationId: OperationId;
  readonly method: 'get' | 'put' | 'post' | 'delete' | 'patch';
  readonly path: string;
  readonly tag: Tag;
  readonly security: readonly { readonly [S in SchemeName]?: readonly Scope[] }[];
  readonly roles: readonly Role[];
  /** What a caller may not use who is shown personal data masked only: the whole operation, or some of its parameters. */
  readonly needsFullData: { readonly operation: boolean; readonly parameters: readonly string[] };
  /** Whether its responses can contain personal data. */
  readonly showsPersons: boolean;
  readonly requestTypes: readonly string[];
  readonly responses: { readonly [status: string]: readonly string[] };
  readonly pagination: { readonly items: string } | null;
  /** The dates of deprecation and removal; null while the operation is not deprecated. */
  readonly deprecation: { readonly since: string; readonly sunset: string } | null;
  /** What its id was before: clients may still know it by them. */
  readonly formerIds: readonly string[];
}

/** In the order in which scopes are stored and shown. */
export const SCOPES = ['admin', 'kyb', 'read', 'screening', 'write'] as const;
export type Scope = (typeof SCOPES)[number];

/** What follows from the tag of an operation: the scope of its own that includes reading, and whether it is about the sandbox itself. */
interface Area {
  readonly scope?: Scope;
  readonly isSandbox?: true;
}

const AREAS: Readonly<Record<string, Area>> = {
  screenings: { scope: 'screening' }, monitoring: { scope: 'screening' }, businesses: { scope: 'kyb' }, sandbox: { isSandbox: true },
};

export function areaOf({ tag }: { readonly tag: string }): Area {
  return AREAS[tag] ?? {};
}
export type Role = 'owner' | 'admin' | 'compliance_officer' | 'analyst' | 'developer' | 'auditor' | 'viewer' | 'platform_admin';
/** The environment that a request touches; API keys call the same two `live` and `test`. */
export type Environment = 'live' | 'sandbox';

export type PersonalData = 'full' | 'masked';

interface Caller {
  readonly tenantId: string;
  /** Identifier of the actor in audit events. */
  readonly id: string;
  /** The name by which people see the actor, for example in `createdBy`. */
  readonly display: string;
  /**
   * Identifies the caller across rotations of keys: the id of a person, or the prefix of the first key in a line of rotations. It is the
   * same for a key and for the tokens that were issued for it.
   */
  readonly client: string;
  /** The client whose quota its requests use: its own, or that of the key that created its key. */
  readonly quotaOf: string;
  /** Whether personal data is shown to it in full or masked. */
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

/** The person who is accountable for a key. */
interface Grantor {
  /** Null for keys that were created on the host itself, such as those of the demo. */
  readonly userId: string | null;
  /** The role of the grantor when the key was granted, and the role now: the key can do no more than either of them. */
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

/** A server that presents a token which was issued for an API key; `scopes` are those that token and key have in common. */
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

/** The kinds of principal that can call the operation, by its `security`; null for a public operation. */
export type Principal<K extends OperationId> =
  Table[K]['security'] extends readonly [] ? null : PrincipalOfScheme[SchemesOf<Table[K]['security']>];

/** The actor as resources and audit events show it: a person by id, a machine by the prefix of its key. */
export function actorOf(principal: AnyPrincipal): components['schemas']['Actor'] {
  const { display } = principal;
  if (principal.kind !== 'user') return { type: principal.kind, id: principal.prefix, display };
  return { type: principal.role === 'platform_admin' ? 'platform_user' : 'user', id: principal.userId, display };
}

/** The actor in an audit event, where a machine also has the client id that stays the same through rotations. */
export function auditActorOf(principal: AnyPrincipal): components['schemas']['AuditActor'] {
  return { ...actorOf(principal), impersonatorId: null, ...(principal.kind !== 'user' && { clientId: principal.client }) };
}
