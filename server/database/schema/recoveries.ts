/**
 * Part of the first migration: records of recoveries. Called by index.ts of this folder when a new database is created.
 * Triggers derive amounts and references from the stored documents, so no statement may write them.
 */
import type { Knex } from 'knex';
import { allowPlatform, anyChanges, isolateTenant, refuseUpdate } from '../row-level-security.ts';
import { HAS_NO_EVENTS, allowOnlyLatePurge } from './retention.ts';

/**
 * What the service has learned of recoveries from the directory. The feed follows from it. Triggers keep the amounts
 * and the references of a recovery: whatever writes its snapshot, ingestion, a simulation or an erasure, what is
 * derived from it is always that of the snapshot.
 */
export async function recoveries(knex: Knex): Promise<void> {
  await createRecords(knex);
  await keepAmounts(knex);
  await createReferences(knex);
}

async function createRecords(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Beside fr_recovery, which a publisher writes while it holds the head of the feed: whoever derives events locks
    -- these rows long before it.
    CREATE TABLE fr_record (
      tenant_id uuid NOT NULL REFERENCES tenant,
      env text NOT NULL CHECK (env IN ('live', 'sandbox')),
      funds_recovery_id uuid NOT NULL,
      ispb text NOT NULL,
      role text NOT NULL CHECK (role IN ('SENT', 'RECEIVED', 'BOTH')),
      root_transaction_id text NOT NULL,
      status text NOT NULL,
      revision integer NOT NULL,
      created_at timestamptz(3) NOT NULL,
      last_modified timestamptz(3) NOT NULL,
      analysed_at timestamptz(3),
      next_deadline_at timestamptz(3),
      next_deadline_stage text,
      -- When the next deadline is to be announced, by the times that the tenant has set.
      next_notice_at timestamptz(3),
      -- When to look at it although the directory announces nothing: a deadline, or the end of a wait.
      wake_at timestamptz(3),
      -- Null: no directory was ever asked for it, nor is to be. A simulation made it up.
      last_read_at timestamptz(3),
      published_keys jsonb NOT NULL,
      held jsonb NOT NULL,
      -- The newest documents of the directory, under its names, every leaf as it was received.
      snapshot jsonb NOT NULL,
      -- Derived from the snapshot, in centavos.
      root_amount bigint,
      requested_amount bigint NOT NULL DEFAULT 0,
      refunded_amount bigint NOT NULL DEFAULT 0,
      erased_at timestamptz(3),
      PRIMARY KEY (tenant_id, env, funds_recovery_id)
    );
    CREATE INDEX fr_record_wake ON fr_record (tenant_id, env, ispb, wake_at) WHERE wake_at IS NOT NULL;
    CREATE INDEX fr_record_notice ON fr_record (tenant_id, env, ispb, next_notice_at)
      WHERE next_notice_at IS NOT NULL;
    CREATE INDEX fr_record_open ON fr_record (tenant_id, env, ispb, last_read_at)
      WHERE status NOT IN ('COMPLETED', 'CANCELLED');
    CREATE INDEX fr_record_erased ON fr_record (tenant_id, env, funds_recovery_id) WHERE erased_at IS NOT NULL;
    CREATE INDEX fr_record_by_change ON fr_record (tenant_id, env, last_modified, funds_recovery_id);
    CREATE INDEX fr_record_by_deadline ON fr_record (tenant_id, env, next_deadline_at)
      WHERE next_deadline_at IS NOT NULL;
    CREATE INDEX fr_record_by_notice ON fr_record (tenant_id, env, next_notice_at) WHERE next_notice_at IS NOT NULL;
    CREATE INDEX fr_record_by_creation ON fr_record (tenant_id, env, created_at)
      INCLUDE (role, status, root_amount, requested_amount, refunded_amount);
    -- Finds out at the cost of one entry whether a tenant receives infraction reports, which decides how often it reads
    -- the feed.
    CREATE INDEX fr_record_received ON fr_record (tenant_id, env) WHERE role <> 'SENT'`);
  await isolateTenant(knex, 'fr_record', {
    app: 'SELECT, DELETE',
    platform: 'SELECT (tenant_id, env, status, wake_at)',
  });
  // Sandboxes with open recoveries are polled more often.
  await allowPlatform(knex, 'fr_record', 'polling', {
    command: 'SELECT',
    where: "env = 'sandbox' AND last_read_at IS NOT NULL",
  });
  await refuseUpdate(knex, 'fr_record', 'erased_stays', `OLD.erased_at IS NOT NULL AND ${anyChanges(['erased_at'])}`);
  await allowOnlyLatePurge(knex, 'fr_record', HAS_NO_EVENTS);
}

/** An amount of the directory that has another form is none, as in answers (`minorUnits`). */
const minorUnits = (text: string): string =>
  String.raw`CASE WHEN ${text} ~ '^\d{1,12}(\.\d{1,2}|)$' THEN (${text})::numeric * 100 END`;

async function keepAmounts(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE FUNCTION amounts_of_recovery() RETURNS trigger LANGUAGE plpgsql
      SET search_path = pg_catalog, public, pg_temp AS $$
    BEGIN
      NEW.root_amount := (
        SELECT ${minorUnits(`payment ->> 'Amount'`)}
          FROM jsonb_path_query(NEW.snapshot, '$.TrackingGraph.Transactions[*]') AS payment
        WHERE payment ->> 'Id' = NEW.root_transaction_id LIMIT 1);
      SELECT coalesce(sum(${minorUnits(`refund ->> 'RefundAmount'`)}) FILTER (WHERE refund ->> 'Status' <> 'CANCELLED'),
        0),
          coalesce(sum(${minorUnits(`refund ->> 'EffectiveRefundedAmount'`)}) FILTER
            (WHERE refund ->> 'Status' = 'CLOSED'), 0)
        INTO NEW.requested_amount, NEW.refunded_amount FROM jsonb_path_query(NEW.snapshot, '$.Refunds[*]') AS refund;
      RETURN NEW;
    END $$;
    CREATE TRIGGER amounts BEFORE INSERT OR UPDATE OF snapshot ON fr_record FOR EACH ROW
      EXECUTE FUNCTION amounts_of_recovery()`);
}

/** Where documents name payments, other participants, and the person whose account is refunded. */
const SOURCES = [
  ['transaction', '$.FundsRecovery.RootTransactionId'],
  ['transaction', '$.InfractionReports[*].TransactionId'],
  ['transaction', '$.Refunds[*].TransactionId'],
  ['transaction', '$.Refunds[*].RefundTransactionId'],
  ['transaction', '$.TrackingGraph.Transactions[*].Id'],
  ['participant', '$.FundsRecovery.ReporterParticipant'],
  ['participant', '$.InfractionReports[*].ReporterParticipant'],
  ['participant', '$.InfractionReports[*].CounterpartyParticipant'],
  ['participant', '$.Refunds[*].RequestingParticipant'],
  ['participant', '$.Refunds[*].ContestedParticipant'],
  ['tax_number', '$.Refunds[*].RefundAccount.TaxIdNumber'],
] as const;

/** Creates the references, by which recoveries are found without reading their documents. */
async function createReferences(knex: Knex): Promise<void> {
  const sources = SOURCES.map(([kind, path]) => `('${kind}', '${path}'::jsonpath)`).join(', ');
  await knex.raw(`
    CREATE TABLE fr_reference (
      tenant_id uuid NOT NULL,
      env text NOT NULL,
      funds_recovery_id uuid NOT NULL,
      kind text NOT NULL CHECK (kind IN ('transaction', 'participant', 'tax_number')),
      value text NOT NULL,
      PRIMARY KEY (tenant_id, env, funds_recovery_id, kind, value),
      FOREIGN KEY (tenant_id, env, funds_recovery_id)
        REFERENCES fr_record (tenant_id, env, funds_recovery_id) ON DELETE CASCADE
    );
    CREATE INDEX fr_reference_by_value ON fr_reference (tenant_id, env, kind, value, funds_recovery_id);

    -- The directory guarantees no length, and an index takes no long values.
    CREATE FUNCTION references_of_recovery() RETURNS trigger LANGUAGE plpgsql
      SET search_path = pg_catalog, public, pg_temp AS $$
    BEGIN
      WITH named AS (
        SELECT DISTINCT source.kind, leaf #>> '{}' AS value
        FROM (VALUES ${sources})
          AS source (kind, path),
          jsonb_path_query(NEW.snapshot, source.path) AS leaf
        WHERE jsonb_typeof(leaf) = 'string' AND length(leaf #>> '{}') BETWEEN 1 AND 64
          AND NOT (source.kind = 'participant' AND leaf #>> '{}' = NEW.ispb)
      ), gone AS (
        DELETE FROM fr_reference r
          WHERE (r.tenant_id, r.env, r.funds_recovery_id) = (NEW.tenant_id, NEW.env, NEW.funds_recovery_id)
          AND NOT EXISTS (SELECT FROM named n WHERE (n.kind, n.value) = (r.kind, r.value))
      )
      INSERT INTO fr_reference (tenant_id, env, funds_recovery_id, kind, value)
      SELECT NEW.tenant_id, NEW.env, NEW.funds_recovery_id, kind, value FROM named ON CONFLICT DO NOTHING;
      RETURN NULL;
    END $$;
    CREATE TRIGGER named AFTER INSERT OR UPDATE OF snapshot ON fr_record FOR EACH ROW
      EXECUTE FUNCTION references_of_recovery()`);
  await isolateTenant(knex, 'fr_reference', { app: 'SELECT, DELETE' });
}
