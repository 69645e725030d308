import type { OperationId, SchemeName, Table } from './operation.ts';

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
