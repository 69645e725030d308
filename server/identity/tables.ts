/** Tables that the stores of several modules share: tenants, people, memberships, sessions, keys. Others are theirs. */
import type { components } from '../contract/generated/types.ts';
import type { PersonalData, Role, Scope } from '../contract/operation.ts';
import {
  actor,
  bigint,
  boolean,
  bytes,
  code,
  codes,
  instant,
  integer,
  json,
  table,
  text,
  texts,
  timestamp,
  uuid,
} from '../database/table.ts';
import type { Quotas, TenantStatus } from './tenant.ts';

/** Tables that several modules read and write. A table of one module is defined in its store. */

type Actor = components['schemas']['Actor'];

export const tenant = table(
  'tenant',
  {
    id: uuid(),
    slug: text(),
    name: text().changes('an operator changes the terms of the tenant'),
    status: code<TenantStatus>().changes({
      app: 'the tenant goes live',
      platform: 'an operator changes the tenant status',
    }),
    statusReason: text().nullable().defaulted().changes('an operator changes the tenant status'),
    statusNote: text().nullable().defaulted().changes('an operator changes the tenant status'),
    statusChangedAt: timestamp()
      .nullable()
      .defaulted()
      .changes({ app: 'the tenant goes live', platform: 'an operator changes the tenant status' }),
    statusChangedBy: actor().nullable().defaulted().changes('an operator changes the tenant status'),
    suspendedFrom: code<'onboarding' | 'active'>()
      .nullable()
      .defaulted()
      .changes('an operator changes the tenant status'),
    closureRequestedAt: timestamp().nullable().defaulted().changes('the closure waits for a second administrator'),
    closureRequestedBy: uuid().nullable().defaulted().changes('the closure waits for a second administrator'),
    closureReason: text().nullable().defaulted().changes('the closure waits for a second administrator'),
    closureNote: text().nullable().defaulted().changes('the closure waits for a second administrator'),
    sandboxEnabled: boolean().changes({ app: 'the sandbox is enabled or disabled' }),
    sandboxEnabledAt: timestamp().nullable().changes({ app: 'the sandbox is enabled or disabled' }),
    sandboxEnabledBy: actor().nullable().defaulted().changes({ app: 'the sandbox is enabled or disabled' }),
    sandboxChangedAt: timestamp().nullable().defaulted().changes({ app: 'the sandbox is enabled or disabled' }),
    sandboxClockOffsetSeconds: bigint().defaulted().changes({ app: 'a simulation advances the clock of the sandbox' }),
    quotas: json<Partial<Quotas>>().changes('an operator changes the terms of the tenant'),
    region: text(),
    plan: text().changes('an operator changes the terms of the tenant'),
    createdAt: timestamp().defaulted('unless an insert sets the value'),
    updatedAt: timestamp()
      .defaulted('unless an insert sets the value')
      .changes({ app: 'each change sets the time', platform: 'each change sets the time' }),
    goLiveAt: timestamp().nullable().defaulted().changes({ app: 'the tenant goes live' }),
    version: integer().defaulted(),
  },
  {
    owner: 'tenant',
    insertedBy: 'platform',
  },
);

/** Settings that a tenant has changed; all others have their defaults. */
export const tenantSettings = table(
  'tenant_settings',
  {
    tenantId: uuid(),
    document: json<unknown>().defaulted('unless an insert sets the value').changes('the settings are changed'),
    version: integer().defaulted().changes('the settings are changed'),
    policyVersion: integer().defaulted().changes('the settings are changed'),
    profileVersion: integer().defaulted().changes('the settings are changed'),
    updatedBy: actor().nullable().defaulted().changes('the settings are changed'),
    updatedAt: timestamp().defaulted('unless an insert sets the value').changes('the settings are changed'),
  },
  {
    owner: 'tenant',
    sandboxReset: { kept: 'both environments share one set of settings' },
    insertedBy: 'both',
    updatedBy: 'app',
  },
);

/** A person, who may be a member of several tenants. */
export const userAccount = table(
  'user_account',
  {
    id: uuid(),
    emailNormalised: text(),
    email: text(),
    name: text().changes('the user accepts an invitation or changes the password'),
    passwordHash: text().nullable().changes('the user accepts an invitation or changes the password'),
    passwordChangedAt: timestamp()
      .defaulted('unless an insert sets the value')
      .changes('the user accepts an invitation or changes the password'),
    status: code<'invited' | 'active' | 'locked' | 'deactivated'>().changes(
      'the user accepts an invitation or changes the password',
    ),
    lastLoginAt: timestamp().nullable().defaulted().changes('the user signs in or fails to sign in'),
    lockedUntil: timestamp().nullable().defaulted().changes('the user signs in or fails to sign in'),
    createdAt: timestamp(),
    updatedAt: timestamp().changes('each change sets the time'),
  },
  {
    owner: 'person',
    insertedBy: 'platform',
    example: {
      emailNormalised: 'a@example.com',
      email: 'a@example.com',
      name: 'A',
      passwordHash: 'h',
    },
  },
);

export const membership = table(
  'membership',
  {
    tenantId: uuid(),
    userId: uuid(),
    role: code<Role>().changes('the member joins, changes or leaves'),
    status: code<'invited' | 'active' | 'locked' | 'deactivated'>().changes('the member joins, changes or leaves'),
    name: text().nullable().defaulted().changes('the member joins, changes or leaves'),
    lastLoginAt: timestamp().nullable().defaulted().changes('the member signs in'),
    absentUntil: timestamp().nullable().defaulted().changes({ app: 'the member says until when they are absent' }),
    createdAt: timestamp(),
    updatedAt: timestamp().changes('each change sets the time and the version'),
    version: integer().defaulted().changes('each change sets the time and the version'),
  },
  {
    owner: 'tenant',
    sandboxReset: { kept: 'users belong to the tenant, not to an environment' },
    insertedBy: 'platform',
    example: { role: 'owner' },
  },
);

/** The second factor of a person, or an enrolment that waits for its first code. */
export const userTotp = table(
  'user_totp',
  {
    userId: uuid(),
    secret: bytes().changes('the user restarts an enrolment that is not confirmed'),
    createdAt: timestamp().changes('the user restarts an enrolment that is not confirmed'),
    expiresAt: instant().nullable().changes('the user restarts an enrolment that is not confirmed'),
    confirmedAt: timestamp().nullable().defaulted().changes('the user restarts an enrolment that is not confirmed'),
    lastStep: bigint().nullable().defaulted().changes('the user uses a code'),
  },
  {
    owner: 'person',
    insertedBy: 'platform',
    example: { confirmedAt: '2026-01-01T00:00:00.000Z', lastStep: 7 },
  },
);

export const invitation = table(
  'invitation',
  {
    tenantId: uuid(),
    id: uuid(),
    userId: uuid(),
    invitedBy: json<Pick<Actor, 'type' | 'id' | 'display'>>().changes('an administrator resends the open invitation'),
    sentAt: instant().changes('an administrator resends the open invitation'),
    expiresAt: instant().changes('an administrator resends the open invitation'),
    acceptedAt: instant().nullable().defaulted().changes('the invitation is accepted or withdrawn'),
    revokedAt: instant().nullable().defaulted().changes('the invitation is accepted or withdrawn'),
    tokenHash: bytes().changes('an administrator resends the open invitation'),
    createdAt: timestamp(),
  },
  {
    owner: 'tenant',
    sandboxReset: { kept: 'users belong to the tenant, not to an environment' },
    insertedBy: 'platform',
  },
);

export const session = table(
  'session',
  {
    tenantId: uuid(),
    id: uuid(),
    userId: uuid(),
    createdAt: instant(),
    lastSeenAt: instant().changes('each use of the session renews its idle period'),
    idleSeconds: integer().changes('each use of the session renews its idle period'),
    absoluteExpiresAt: instant(),
    userAgent: text().nullable(),
    userAgentHash: bytes().nullable(),
    ip: text().nullable(),
    mfa: boolean().changes('the user presents a second factor, or the factor is removed'),
    stepUpAt: instant().nullable().changes('the user presents a second factor, or the factor is removed'),
    passwordOutdated: boolean().changes('the user sets a password that meets the current rules'),
    endedAt: instant()
      .nullable()
      .defaulted()
      .changes({ app: 'a user ends a session', platform: 'the service ends the session' }),
    endedReason: text()
      .nullable()
      .defaulted()
      .changes({ app: 'a user ends a session', platform: 'the service ends the session' }),
  },
  {
    owner: 'tenant',
    sandboxReset: { kept: 'users belong to the tenant, not to an environment' },
    insertedBy: 'platform',
    example: { absoluteExpiresAt: '2100-01-01T00:00:00.000Z' },
  },
);

export const apiKey = table(
  'api_key',
  {
    tenantId: uuid().unaudited(),
    id: uuid().unaudited(),
    prefix: text().unaudited(),
    clientId: text().unaudited(),
    quotaClientId: text().unaudited(),
    name: text().changes('an administrator changes the name or the rights of the key'),
    environment: code<'live' | 'test'>(),
    scopes: codes<Scope>().changes('an administrator changes the name or the rights of the key'),
    pinEnvironment: boolean().changes('an administrator changes the name or the rights of the key'),
    personalData: code<PersonalData>().changes('the grant of the key is renewed'),
    grantedBy: uuid().nullable().changes('the grant of the key is renewed'),
    grantedRole: code<Role>().nullable().changes('the grant of the key is renewed'),
    ipAllowlist: texts().changes('an administrator changes the name or the rights of the key'),
    expiresAt: instant().nullable().changes('an administrator changes the name or the rights of the key'),
    secretMac: bytes().unaudited(),
    status: code<'active' | 'rotating' | 'revoked'>().defaulted().unaudited().changes('the key is rotated or revoked'),
    successorPrefix: text().nullable().defaulted().unaudited().changes('the key is rotated or revoked'),
    graceUntil: instant().nullable().defaulted().unaudited().changes('the key is rotated or revoked'),
    revokedAt: timestamp().nullable().defaulted().unaudited().changes('the key is rotated or revoked'),
    // The database computes this column from the expiry and the grace period.
    endsAt: timestamp().nullable().defaulted().unaudited(),
    endRecordedAt: timestamp().nullable().defaulted().unaudited().changes('the key is used or ends'),
    createdBy: actor().unaudited(),
    lastUsedAt: timestamp().nullable().defaulted().unaudited().changes('the key is used or ends'),
    lastUsedIp: text().nullable().defaulted().unaudited().changes('the key is used or ends'),
    createdAt: timestamp().unaudited(),
    updatedAt: timestamp().unaudited().changes('each change sets the time and the version'),
    version: integer().defaulted().unaudited().changes('each change sets the time and the version'),
  },
  {
    owner: 'tenant',
    sandboxReset: { kept: 'keys are credentials of the tenant, for both environments' },
    insertedBy: 'app',
    example: {
      prefix: 'p',
      clientId: 'p',
      quotaClientId: 'p',
      name: 'Key',
      scopes: ['read'],
    },
  },
);

/** Requests of a key in an hour. */
export const apiKeyUsage = table(
  'api_key_usage',
  {
    tenantId: uuid(),
    keyId: uuid(),
    hour: timestamp(),
    requests: bigint().changes('the service adds the requests of the hour'),
    errors: bigint().changes('the service adds the requests of the hour'),
  },
  {
    owner: 'tenant',
    sandboxReset: { kept: 'the reset keeps the API keys, and so the records of their use' },
    insertedBy: 'app',
    example: { requests: 5, errors: 0 },
  },
);

/** A network from which a key was used: an IPv4 address, or the first 64 bits of an IPv6 address. */
export const apiKeySite = table(
  'api_key_site',
  {
    tenantId: uuid(),
    keyId: uuid(),
    site: text(),
    firstSeenAt: timestamp(),
    lastSeenAt: timestamp().changes('the key is used again from the same network'),
  },
  {
    owner: 'tenant',
    sandboxReset: { kept: 'the reset keeps the API keys, and so the records of their use' },
    insertedBy: 'app',
    example: { site: '192.0.2.1' },
  },
);
