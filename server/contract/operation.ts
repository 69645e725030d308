/**
 * The table of operations at run time, and the types of callers. Used by the request layer, modules and tools. The
 * generated table beside it is the source; nothing here may repeat it by hand.
 */
import type { Declared, operations as table } from './generated/operations.ts';
import type { components, operations as Wire } from './generated/types.ts';

/** Generated table with literal types, from which the types of handlers are computed. */
export type Table = typeof table;
export type OperationId = keyof Table & keyof Wire;
export type Tag = Table[OperationId]['tag'];
export type OperationsOf<T extends Tag> = { [K in OperationId]: Table[K]['tag'] extends T ? K : never }[OperationId];
/** Operations with `x-sealed`, which exist for people with one of their roles alone. */
export type SealedOperationId = { [K in OperationId]: Table[K]['sealed'] extends readonly [] ? never : K }[OperationId];

export type SchemeName = 'bearerAuth' | 'apiKey' | 'oauth2';

/** One row of the table at run time, for code that serves every operation. */
export interface Operation extends Declared {
  readonly operationId: OperationId;
  readonly method: 'get' | 'put' | 'post' | 'delete' | 'patch';
  readonly path: string;
  readonly tag: Tag;
  readonly security: readonly { readonly [S in SchemeName]?: readonly Scope[] }[];
  readonly roles: readonly Role[];
  /** Parts that a caller with masked personal data may not use: the whole operation, or some of its parameters. */
  readonly needsFullData: { readonly operation: boolean; readonly parameters: readonly string[] };
  /** Whether the responses can contain personal data. */
  readonly showsPersons: boolean;
  readonly requestTypes: readonly string[];
  readonly responses: { readonly [status: string]: readonly string[] };
  readonly pagination: { readonly items: string } | null;
  /** Dates of deprecation and removal; null while the operation is not deprecated. */
  readonly deprecation: { readonly since: string; readonly sunset: string } | null;
  /** Former operation ids that clients may still use. */
  readonly formerIds: readonly string[];
}

/** Scopes in the order in which they are stored and shown. */
export const SCOPES = ['admin', 'kyb', 'read', 'screening', 'write'] as const;
export type Scope = (typeof SCOPES)[number];

/**
 * Properties of a tag: the scope of its own that includes reading, and whether its operations concern the sandbox
 * itself.
 */
interface Area {
  readonly scope?: Scope;
  readonly isSandbox?: true;
}

const AREAS: Readonly<Record<string, Area>> = {
  screenings: { scope: 'screening' },
  monitoring: { scope: 'screening' },
  businesses: { scope: 'kyb' },
  sandbox: { isSandbox: true },
};

export function areaOf({ tag }: { readonly tag: string }): Area {
  return AREAS[tag] ?? {};
}
export type Role =
  | 'owner'
  | 'admin'
  | 'compliance_officer'
  | 'analyst'
  | 'developer'
  | 'auditor'
  | 'viewer'
  | 'platform_admin';
/** Environment of a request; API keys call the same two `live` and `test`. */
export type Environment = 'live' | 'sandbox';

export type PersonalData = 'full' | 'masked';

interface Caller {
  readonly tenantId: string;
  /** Identifier of the actor in audit events. */
  readonly id: string;
  /** Name of the actor for people, for example in `createdBy`. */
  readonly display: string;
  /**
   * Identifier of the caller across rotations of keys: the id of a person, or the prefix of the first key in a line of
   * rotations. A key and the tokens that were issued for it have the same identifier.
   */
  readonly client: string;
  /** Client whose quota the requests use: the caller's own, or that of the key that created its key. */
  readonly quotaOf: string;
  /** Whether the caller sees personal data in full or masked. */
  readonly personalData: PersonalData;
}

/** A person who is signed in at the dashboard. */
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
  /** Role of the grantor when the key was granted, and the current role: the key is limited by both. */
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

/** A server that presents a token which was issued for an API key; `scopes` are those common to token and key. */
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

/** Kinds of principal that can call the operation, by its `security`; null for a public operation. */
export type Principal<K extends OperationId> = Table[K]['security'] extends readonly []
  ? null
  : PrincipalOfScheme[SchemesOf<Table[K]['security']>];

/** Whoever acts: a caller, or what acts by itself, such as a process. */
export type Acting = AnyPrincipal | components['schemas']['Actor'];

/** Returns the actor as resources and audit events show it: a person by id, a machine by the prefix of its key. */
export function actorOf(principal: Acting): components['schemas']['Actor'] {
  const { display } = principal;
  if (!('kind' in principal)) return { type: principal.type, id: principal.id, display };
  if (principal.kind !== 'user') return { type: principal.kind, id: principal.prefix, display };
  return { type: principal.role === 'platform_admin' ? 'platform_user' : 'user', id: principal.userId, display };
}

/**
 * Returns the actor for an audit event, where a machine also has the client id, which stays the same through rotations.
 */
export function auditActorOf(principal: AnyPrincipal): components['schemas']['AuditActor'] {
  return {
    ...actorOf(principal),
    impersonatorId: null,
    ...(principal.kind !== 'user' && { clientId: principal.client }),
  };
}
