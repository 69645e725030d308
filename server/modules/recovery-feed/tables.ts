/**
 * The tables of this module with their duties: feed heads, events, consumers, and the phase of each recovery. Used by
 * its stores and, through the index, by other modules that delete or count these rows.
 */
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import { bigint, businessTimestamp, code, integer, json, table, text, timestamp, uuid } from '../../database/index.ts';

type Event = components['schemas']['FundsRecoveryEvent'];

/** The head of each feed. */
export const feed = table(
  'fr_feed',
  {
    tenantId: uuid(),
    environment: code<Environment>().named('env'),
    generation: integer().defaulted().changes('a sandbox feed is restarted, or the database was restored'),
    lastSeq: bigint().defaulted().changes('the service publishes events'),
    floorSeq: bigint().defaulted().changes('the retention job deletes old events'),
  },
  {
    owner: 'tenant',
    sandboxReset: { kept: 'the reset starts the next generation of the feed' },
    insertedBy: 'platform',
    updatedBy: 'app',
  },
);

export const event = table(
  'fr_event',
  {
    seq: bigint(),
    eventId: text(),
    fundsRecoveryId: uuid(),
    eventType: text(),
    status: code<Event['status']>(),
    occurredAt: timestamp(),
    rawPayload: json<Record<string, unknown>>().nullable().changes('the retention job erases the payload'),
    tenantId: uuid(),
    environment: code<Environment>().named('env'),
    dedupeKey: text(),
    receivedAt: timestamp().defaulted(),
  },
  {
    owner: 'recovery',
    sandboxReset: 'emptied',
    insertedBy: 'app',
    example: {
      eventId: 'e',
      eventType: 't',
      status: 'TRACKED',
      dedupeKey: 'd',
      rawPayload: {},
    },
  },
);

export const consumer = table(
  'fr_consumer',
  {
    tenantId: uuid(),
    environment: code<Environment>().named('env'),
    consumerId: text(),
    generation: integer().changes('a consumer polls the feed or acknowledges events'),
    ackedSeq: bigint().changes('a consumer polls the feed or acknowledges events'),
    ackedAt: timestamp().nullable().changes('a consumer polls the feed or acknowledges events'),
    lastPolledAt: timestamp().nullable().changes('a consumer polls the feed or acknowledges events'),
  },
  {
    owner: 'tenant',
    sandboxReset: 'emptied',
    insertedBy: 'app',
    example: { consumerId: 'c', ackedSeq: 5 },
  },
);

/** Phase that each recovery has reached. */
export const recovery = table(
  'fr_recovery',
  {
    tenantId: uuid(),
    environment: code<Environment>().named('env'),
    fundsRecoveryId: uuid(),
    status: text().changes('the recovery enters its next phase'),
    // Start of the phase. CREATED, TRACKED and AWAITING_ANALYSIS count from the creation.
    phaseBeganAt: businessTimestamp().changes('the recovery enters its next phase'),
  },
  {
    owner: 'recovery',
    sandboxReset: 'emptied',
    insertedBy: 'app',
    example: { status: 'TRACKED' },
  },
);
