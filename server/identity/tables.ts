import type { components } from '../contract/generated/types.ts';
import type { PersonalData, Role, Scope } from '../contract/operation.ts';
import { bigint, boolean, bytes, instant, integer, json, table, text, texts, timestamp, uuid } from '../database/table.ts';
import type { Quotas, TenantStatus } from './tenant.ts';

/** Tables that several modules read and write. A table of one module is defined in its store. */

type Actor = components['schemas']['Actor'];

export const tenant = table('tenant', {
  id: uuid().fixed(),
  slug: text().fixed(),
  name: text(),
  status: text<TenantStatus>(),
  statusReason: text().nullable().defaulted(),
  statusNote: text().nullable().defaulted(),
  statusChangedAt: timestamp().nullable().defaulted(),
  statusChangedBy: json<Actor>().nullable().defaulted(),
  suspendedFrom: text<'onboarding' | 'active'>().nullable().defaulted(),
  closureRequestedAt: timestamp().nullable().defaulted(),
  closureRequestedBy: uuid().nullable().defaulted(),
  closureReason: text().nullable().defaulted(),
  closureNote: text().nullable().defaulted(),
  sandboxEnabled: boolean(),
  sandboxEnabledAt: timestamp().nullable(),
  sandboxEnabledBy: json<Actor>().nullable().defaulted(),
  sandboxChangedAt: timestamp().nullable().defaulted(),
  sandboxClockOffsetSeconds: bigint().defaulted(),
  quotas: json<Partial<Quotas>>(),
  region: text().fixed(),
  plan: text(),
  createdAt: timestamp().defaulted().fixed(),
  updatedAt: timestamp().defaulted(),
  goLiveAt: timestamp().nullable().defaulted(),
  version: integer().defaulted(),
});

/** What a tenant has set; where it has set nothing, defaults hold. */
export const tenantSettings = table('tenant_settings', {
  tenantId: uuid().fixed(),
  document: json<unknown>().defaulted(),
  version: integer().defaulted(),
  policyVersion: integer().defaulted(),
  profileVersion: integer().defaulted(),
  updatedBy: json<Actor>().nullable().defaulted(),
  updatedAt: timestamp().defaulted(),
});

/** A person, who may be a member of several tenants. */
export const userAccount = table('user_account', {
  id: uuid().fixed(),
  emailNormalised: text().fixed(),
  email: text().fixed(),
  name: text(),
  passwordHash: text().nullable(),
  passwordChangedAt: timestamp().defaulted(),
  status: text<'invited' | 'active' | 'locked' | 'deactivated'>(),
  lastLoginAt: timestamp().nullable().defaulted(),
  lockedUntil: timestamp().nullable().defaulted(),
  createdAt: timestamp().fixed(),
  updatedAt: timestamp(),
});

export const membership = table('membership', {
  tenantId: uuid().fixed(),
  userId: uuid().fixed(),
  role: text<Role>(),
  status: text<'invited' | 'active' | 'locked' | 'deactivated'>(),
  name: text().nullable().defaulted(),
  lastLoginAt: timestamp().nullable().defaulted(),
  createdAt: timestamp().fixed(),
  updatedAt: timestamp(),
  version: integer().defaulted(),
});

/** The second factor of a person, or an enrolment that waits for its first code. */
export const userTotp = table('user_totp', {
  userId: uuid().fixed(),
  secret: bytes(),
  createdAt: timestamp(),
  expiresAt: instant().nullable(),
  confirmedAt: timestamp().nullable().defaulted(),
  lastStep: bigint().nullable().defaulted(),
});

export const invitation = table('invitation', {
  tenantId: uuid().fixed(),
  id: uuid().fixed(),
  userId: uuid().fixed(),
  invitedBy: json<Pick<Actor, 'type' | 'id' | 'display'>>(),
  sentAt: instant(),
  expiresAt: instant(),
  acceptedAt: instant().nullable().defaulted(),
  revokedAt: instant().nullable().defaulted(),
  tokenHash: bytes(),
  createdAt: timestamp().fixed(),
});

export const session = table('session', {
  tenantId: uuid().fixed(),
  id: uuid().fixed(),
  userId: uuid().fixed(),
  createdAt: instant().fixed(),
  lastSeenAt: instant(),
  idleSeconds: integer(),
  absoluteExpiresAt: instant().fixed(),
  userAgent: text().nullable().fixed(),
  userAgentHash: bytes().nullable().fixed(),
  ip: text().nullable().fixed(),
  mfa: boolean(),
  stepUpAt: instant().nullable(),
  passwordOutdated: boolean(),
  endedAt: instant().nullable().defaulted(),
  endedReason: text().nullable().defaulted(),
});

export const apiKey = table('api_key', {
  tenantId: uuid().fixed().unaudited(),
  id: uuid().fixed().unaudited(),
  prefix: text().fixed().unaudited(),
  clientId: text().fixed().unaudited(),
  quotaClientId: text().fixed().unaudited(),
  name: text(),
  environment: text<'live' | 'test'>().fixed(),
  scopes: texts<Scope>(),
  pinEnvironment: boolean(),
  personalData: text<PersonalData>(),
  grantedBy: uuid().nullable(),
  grantedRole: text<Role>().nullable(),
  ipAllowlist: texts(),
  expiresAt: instant().nullable(),
  secretMac: bytes().fixed().unaudited(),
  status: text<'active' | 'rotating' | 'revoked'>().defaulted().unaudited(),
  successorPrefix: text().nullable().defaulted().unaudited(),
  graceUntil: instant().nullable().defaulted().unaudited(),
  revokedAt: timestamp().nullable().defaulted().unaudited(),
  // Computed by the database from the expiry and the grace.
  endsAt: timestamp().nullable().defaulted().fixed().unaudited(),
  endRecordedAt: timestamp().nullable().defaulted().unaudited(),
  createdBy: json<Actor>().fixed().unaudited(),
  lastUsedAt: timestamp().nullable().defaulted().unaudited(),
  lastUsedIp: text().nullable().defaulted().unaudited(),
  createdAt: timestamp().fixed().unaudited(),
  updatedAt: timestamp().unaudited(),
  version: integer().defaulted().unaudited(),
});

/** What a key did in an hour. */
export const apiKeyUsage = table('api_key_usage', {
  tenantId: uuid().fixed(),
  keyId: uuid().fixed(),
  hour: timestamp().fixed(),
  requests: bigint(),
  errors: bigint(),
});

/** A network from which a key was used: an IPv4 address, or the first 64 bits of an IPv6 address. */
export const apiKeySite = table('api_key_site', {
  tenantId: uuid().fixed(),
  keyId: uuid().fixed(),
  site: text().fixed(),
  firstSeenAt: timestamp().fixed(),
  lastSeenAt: timestamp(),
});
