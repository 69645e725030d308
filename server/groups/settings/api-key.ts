import type { components } from '../../contract/generated/types.ts';
import type { Scope } from '../../contract/principal.ts';
import { hasGrantor, shownBy, type Grant } from '../../http/grantor.ts';
import { statusAt, type KeyLife } from '../../http/key-life.ts';

export type WireApiKey = components['schemas']['ApiKey'];
export type Actor = components['schemas']['Actor'];

/** A key as the tenant knows it; the secret is not a part of it. */
export interface ApiKeyRecord extends KeyLife, Grant {
  readonly id: string;
  readonly prefix: string;
  /** The client that it belongs to, and the one whose quota it uses. */
  readonly clientId: string;
  readonly quotaClientId: string;
  readonly name: string;
  readonly environment: 'live' | 'test';
  readonly scopes: readonly Scope[];
  readonly pinEnvironment: boolean;
  readonly ipAllowlist: readonly string[];
  readonly expiresAt: Date | null;
  readonly successorPrefix: string | null;
  readonly graceUntil: Date | null;
  readonly createdBy: Actor;
  readonly lastUsedAt: string | null;
  readonly lastUsedIp: string | null;
  readonly usage: WireApiKey['usage'];
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly version: number;
}

export function toWire(key: ApiKeyRecord, now: Date): WireApiKey {
  return {
    id: key.id,
    prefix: key.prefix,
    clientId: key.clientId,
    name: key.name,
    environment: key.environment,
    scopes: [...key.scopes],
    pinEnvironment: key.pinEnvironment,
    personalData: shownBy(key),
    grantor: key.grantedBy === null || key.grantedRole === null ? null : { userId: key.grantedBy, role: key.grantedRole, active: hasGrantor(key) },
    ipAllowlist: [...key.ipAllowlist],
    expiresAt: key.expiresAt?.toISOString() ?? null,
    status: statusAt(key, now),
    rotation: key.successorPrefix === null || key.graceUntil === null
      ? null
      : { successorPrefix: key.successorPrefix, graceUntil: key.graceUntil.toISOString() },
    lastUsedAt: key.lastUsedAt,
    lastUsedIp: key.lastUsedIp,
    usage: key.usage,
    createdBy: key.createdBy,
    createdAt: key.createdAt,
    updatedAt: key.updatedAt,
    version: key.version,
  };
}

export function pathOf(prefix: string): string {
  return `/v1/settings/api-keys/${prefix}`;
}
