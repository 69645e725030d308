import type { OperationId, SchemeName, Table } from './operation.ts';

export type Scope = 'read' | 'write' | 'screening' | 'kyb' | 'admin';
export type Role = 'owner' | 'admin' | 'compliance_officer' | 'analyst' | 'developer' | 'auditor' | 'viewer' | 'platform_admin';
/** The environment that a request touches; API keys call the same two `live` and `test`. */
export type Environment = 'live' | 'sandbox';

interface Caller {
  readonly tenantId: string;
  /** Identifier of the actor in audit events. */
  readonly id: string;
  /** How the actor is shown to people, e.g. in `createdBy`. */
  readonly display: string;
}

/** A person signed in at the dashboard. */
export interface UserPrincipal extends Caller {
  readonly kind: 'user';
  readonly userId: string;
  readonly role: Role;
  readonly sessionId: string;
  readonly mfa: boolean;
}

/** A server that presents an API key. */
export interface KeyPrincipal extends Caller {
  readonly kind: 'api_key';
  readonly prefix: string;
  readonly keyEnvironment: 'live' | 'test';
  readonly pinEnvironment: boolean;
  readonly scopes: readonly Scope[];
}

/** A server that presents a token which it got for an API key; `scopes` is token ∩ key. */
export interface ClientPrincipal extends Caller {
  readonly kind: 'oauth_client';
  readonly prefix: string;
  readonly keyEnvironment: 'live' | 'test';
  readonly pinEnvironment: boolean;
  readonly scopes: readonly Scope[];
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
