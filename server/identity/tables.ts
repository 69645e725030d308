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
    name: text().changes('the terms of a tenant are changed'),
    status: code<TenantStatus>().changes({
      app: 'a tenant goes live',
      platform: 'a tenant is suspended, taken back and closed',
    }),
    statusReason: text().nullable().defaulted().changes('a tenant is suspended, taken back and closed'),
    statusNote: text().nullable().defaulted().changes('a tenant is suspended, taken back and closed'),
    statusChangedAt: timestamp()
      .nullable()
      .defaulted()
      .changes({ app: 'a tenant goes live', platform: 'a tenant is suspended, taken back and closed' }),
    statusChangedBy: actor().nullable().defaulted().changes('a tenant is suspended, taken back and closed'),
    suspendedFrom: code<'onboarding' | 'active'>()
      .nullable()
      .defaulted()
      .changes('a tenant is suspended, taken back and closed'),
    closureRequestedAt: timestamp().nullable().defaulted().changes('its closure waits for a second administrator'),
    closureRequestedBy: uuid().nullable().defaulted().changes('its closure waits for a second administrator'),
    closureReason: text().nullable().defaulted().changes('its closure waits for a second administrator'),
    closureNote: text().nullable().defaulted().changes('its closure waits for a second administrator'),
    sandboxEnabled: boolean().changes({ app: 'the switch is turned' }),
    sandboxEnabledAt: timestamp().nullable().changes({ app: 'the switch is turned' }),
    sandboxEnabledBy: actor().nullable().defaulted().changes({ app: 'the switch is turned' }),
    sandboxChangedAt: timestamp().nullable().defaulted().changes({ app: 'the switch is turned' }),
    sandboxClockOffsetSeconds: bigint().defaulted().changes({ app: 'the clock of the sandbox is advanced' }),
    quotas: json<Partial<Quotas>>().changes('the terms of a tenant are changed'),
    region: text(),
    plan: text().changes('the terms of a tenant are changed'),
    createdAt: timestamp().defaulted('unless an insert names it'),
    updatedAt: timestamp()
      .defaulted('unless an insert names it')
      .changes({ app: 'each change has a time', platform: 'each change has a time' }),
    goLiveAt: timestamp().nullable().defaulted().changes({ app: 'a tenant goes live' }),
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
    document: json<unknown>().defaulted('unless an insert names it').changes('settings are changed'),
    version: integer().defaulted().changes('settings are changed'),
    policyVersion: integer().defaulted().changes('settings are changed'),
    profileVersion: integer().defaulted().changes('settings are changed'),
    updatedBy: actor().nullable().defaulted().changes('settings are changed'),
    updatedAt: timestamp().defaulted('unless an insert names it').changes('settings are changed'),
  },
  {
    owner: 'tenant',
    sandboxReset: { kept: 'one set of settings holds for both environments' },
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
    name: text().changes('an invitation is accepted, a password changed'),
    passwordHash: text().nullable().changes('an invitation is accepted, a password changed'),
    passwordChangedAt: timestamp()
      .defaulted('unless an insert names it')
      .changes('an invitation is accepted, a password changed'),
    status: code<'invited' | 'active' | 'locked' | 'deactivated'>().changes(
      'an invitation is accepted, a password changed',
    ),
    lastLoginAt: timestamp().nullable().defaulted().changes('somebody signs in, or fails to'),
    lockedUntil: timestamp().nullable().defaulted().changes('somebody signs in, or fails to'),
    createdAt: timestamp(),
    updatedAt: timestamp().changes('each change has a time'),
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
    role: code<Role>().changes('administrators change a member, who joins, is locked and leaves'),
    status: code<'invited' | 'active' | 'locked' | 'deactivated'>().changes(
      'administrators change a member, who joins, is locked and leaves',
    ),
    name: text().nullable().defaulted().changes('administrators change a member, who joins, is locked and leaves'),
    lastLoginAt: timestamp().nullable().defaulted().changes('somebody signs in'),
    createdAt: timestamp(),
    updatedAt: timestamp().changes('each change has a time and a number'),
    version: integer().defaulted().changes('each change has a time and a number'),
  },
  {
    owner: 'tenant',
    sandboxReset: { kept: 'people belong to the tenant, not to an environment' },
    insertedBy: 'platform',
    example: { role: 'owner' },
  },
);

/** The second factor of a person, or an enrolment that waits for its first code. */
export const userTotp = table(
  'user_totp',
  {
    userId: uuid(),
    secret: bytes().changes('an enrolment begins anew until it is confirmed'),
    createdAt: timestamp().changes('an enrolment begins anew until it is confirmed'),
    expiresAt: instant().nullable().changes('an enrolment begins anew until it is confirmed'),
    confirmedAt: timestamp().nullable().defaulted().changes('an enrolment begins anew until it is confirmed'),
    lastStep: bigint().nullable().defaulted().changes('a code is used'),
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
    invitedBy: json<Pick<Actor, 'type' | 'id' | 'display'>>().changes('an open invitation is sent again'),
    sentAt: instant().changes('an open invitation is sent again'),
    expiresAt: instant().changes('an open invitation is sent again'),
    acceptedAt: instant().nullable().defaulted().changes('it is accepted or withdrawn'),
    revokedAt: instant().nullable().defaulted().changes('it is accepted or withdrawn'),
    tokenHash: bytes().changes('an open invitation is sent again'),
    createdAt: timestamp(),
  },
  {
    owner: 'tenant',
    sandboxReset: { kept: 'people belong to the tenant, not to an environment' },
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
    lastSeenAt: instant().changes('a session is used'),
    idleSeconds: integer().changes('a session is used'),
    absoluteExpiresAt: instant(),
    userAgent: text().nullable(),
    userAgentHash: bytes().nullable(),
    ip: text().nullable(),
    mfa: boolean().changes('a second factor is shown or withdrawn'),
    stepUpAt: instant().nullable().changes('a second factor is shown or withdrawn'),
    passwordOutdated: boolean().changes('a better password is set'),
    endedAt: instant()
      .nullable()
      .defaulted()
      .changes({ app: 'people end their sessions, administrators those of others', platform: 'a session ends' }),
    endedReason: text()
      .nullable()
      .defaulted()
      .changes({ app: 'people end their sessions, administrators those of others', platform: 'a session ends' }),
  },
  {
    owner: 'tenant',
    sandboxReset: { kept: 'people belong to the tenant, not to an environment' },
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
    name: text().changes('administrators change what a key is called and may do'),
    environment: code<'live' | 'test'>(),
    scopes: codes<Scope>().changes('administrators change what a key is called and may do'),
    pinEnvironment: boolean().changes('administrators change what a key is called and may do'),
    personalData: code<PersonalData>().changes('somebody else answers for a key, and shows it more or less of persons'),
    grantedBy: uuid().nullable().changes('somebody else answers for a key, and shows it more or less of persons'),
    grantedRole: code<Role>()
      .nullable()
      .changes('somebody else answers for a key, and shows it more or less of persons'),
    ipAllowlist: texts().changes('administrators change what a key is called and may do'),
    expiresAt: instant().nullable().changes('administrators change what a key is called and may do'),
    secretMac: bytes().unaudited(),
    status: code<'active' | 'rotating' | 'revoked'>().defaulted().unaudited().changes('a key is rotated and revoked'),
    successorPrefix: text().nullable().defaulted().unaudited().changes('a key is rotated and revoked'),
    graceUntil: instant().nullable().defaulted().unaudited().changes('a key is rotated and revoked'),
    revokedAt: timestamp().nullable().defaulted().unaudited().changes('a key is rotated and revoked'),
    // The database computes this column from the expiry and the grace period.
    endsAt: timestamp().nullable().defaulted().unaudited(),
    endRecordedAt: timestamp().nullable().defaulted().unaudited().changes('its last use and its end are written down'),
    createdBy: actor().unaudited(),
    lastUsedAt: timestamp().nullable().defaulted().unaudited().changes('its last use and its end are written down'),
    lastUsedIp: text().nullable().defaulted().unaudited().changes('its last use and its end are written down'),
    createdAt: timestamp().unaudited(),
    updatedAt: timestamp().unaudited().changes('each change has a time and a number'),
    version: integer().defaulted().unaudited().changes('each change has a time and a number'),
  },
  {
    owner: 'tenant',
    sandboxReset: { kept: 'credentials of the tenant, whichever environment they call' },
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
    requests: bigint().changes('the uses of an hour are added up'),
    errors: bigint().changes('the uses of an hour are added up'),
  },
  {
    owner: 'tenant',
    sandboxReset: { kept: 'keys stay, and so does what is known of their use' },
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
    lastSeenAt: timestamp().changes('a key is used again from the same place'),
  },
  {
    owner: 'tenant',
    sandboxReset: { kept: 'keys stay, and so does what is known of their use' },
    insertedBy: 'app',
    example: { site: '192.0.2.1' },
  },
);
