import type { ApiKeyRecord } from './api-key.ts';

const AUDITED = ['name', 'environment', 'scopes', 'pinEnvironment', 'personalData', 'grantedBy', 'grantedRole', 'ipAllowlist', 'expiresAt'] as const;

type Facts = Record<string, unknown>;

/** What the audit log keeps of a new key. */
export function factsOf(key: ApiKeyRecord): Facts {
  return Object.fromEntries(AUDITED.map((member) => [member, plain(key[member])]));
}

/** The members that differ, as they were and as they are. */
export function difference(before: ApiKeyRecord, after: ApiKeyRecord): { old: Facts; new: Facts } {
  const [was, is] = [factsOf(before), factsOf(after)];
  const changed = AUDITED.filter((member) => JSON.stringify(was[member]) !== JSON.stringify(is[member]));
  const only = (facts: Facts): Facts => Object.fromEntries(changed.map((member) => [member, facts[member]]));
  return { old: only(was), new: only(is) };
}

function plain(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value;
}
