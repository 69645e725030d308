/**
 * Rules of the API key record, without input or output: its wire form, what the audit log records of it, expiry and
 * rotation. Used by all files of the module. The secret is not part of the record and must never be. Rejects changes of
 * ended keys (`key_revoked`), a second rotation, and an expiry in the past.
 */
import { type Uuid, uuidIn } from '../../base/uuid.ts';
import { HOUR_MILLISECONDS, readInstant, type RealTime } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Scope } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import { isUsable, type KeyValidity, statusAt } from '../../identity/api-key.ts';
import { type Grant, hasGrantor, personalDataOfGrant } from '../../identity/grantor.ts';
import { apiKey } from '../../identity/tables.ts';

export type WireApiKey = components['schemas']['ApiKey'];
type Actor = components['schemas']['Actor'];

/** API key without its secret. */
export interface ApiKeyRecord extends KeyValidity, Grant {
  readonly id: Uuid;
  readonly prefix: string;
  /** Client of the key; `quotaClientId` is the client whose quota the key uses. */
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

export function apiKeyToWire(key: ApiKeyRecord, now: RealTime): WireApiKey {
  return {
    id: key.id,
    prefix: key.prefix,
    clientId: key.clientId,
    name: key.name,
    environment: key.environment,
    scopes: [...key.scopes],
    pinEnvironment: key.pinEnvironment,
    personalData: personalDataOfGrant(key),
    grantor:
      key.grantedBy === null || key.grantedRole === null
        ? null
        : { userId: uuidIn(key.grantedBy), role: key.grantedRole, active: hasGrantor(key) },
    ipAllowlist: [...key.ipAllowlist],
    expiresAt: key.expiresAt?.toISOString() ?? null,
    status: statusAt(key, now),
    rotation:
      key.successorPrefix === null || key.graceUntil === null
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

export function pathOfApiKey(prefix: string): string {
  return `/v1/settings/api-keys/${prefix}`;
}

type Facts = Record<string, unknown>;

/** Returns the members of a key that the audit log records. */
export function auditFactsOf(key: ApiKeyRecord): Facts {
  return Object.fromEntries(apiKey.audited.map((member) => [member, plain(key[member])]));
}

/** Returns the old and new values of the members that differ. */
export function apiKeyDifference(before: ApiKeyRecord, after: ApiKeyRecord): { old: Facts; new: Facts } {
  const [was, is] = [auditFactsOf(before), auditFactsOf(after)];
  const changed = apiKey.audited.filter((member) => JSON.stringify(was[member]) !== JSON.stringify(is[member]));
  const only = (facts: Facts): Facts => Object.fromEntries(changed.map((member) => [member, facts[member]]));
  return { old: only(was), new: only(is) };
}

function plain(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value;
}

export function assertAlive(key: KeyValidity, now: RealTime): void {
  if (!isUsable(key, now)) throw new Problem('key_revoked', { currentStatus: statusAt(key, now) });
}

export function assertNotRotating(key: KeyValidity, now: RealTime): void {
  if (statusAt(key, now) === 'rotating') throw new Problem('rotation_in_progress');
}

/** Returns the instant until which the old key of a rotation keeps working. */
export function graceEnd(now: RealTime, hours: number): Date {
  return new Date(now.getTime() + hours * HOUR_MILLISECONDS);
}

const LONGEST_YEARS = 2;

/** Reads the expiry of a request, which must be in the future and at most two years ahead. Null means no expiry. */
export function readExpiry(text: string | null, now: RealTime): Date | null {
  if (text === null) return null;
  const expiry = readInstant(text);
  const latest = new Date(now);
  latest.setUTCFullYear(latest.getUTCFullYear() + LONGEST_YEARS);
  if (expiry === null || expiry <= now || expiry > latest) {
    throw new Problem('expiry_in_past', {
      errors: [
        {
          pointer: '/expiresAt',
          code: 'expiry_in_past',
          message: `must be in the future and at most ${LONGEST_YEARS} years ahead`,
        },
      ],
    });
  }
  return expiry;
}
