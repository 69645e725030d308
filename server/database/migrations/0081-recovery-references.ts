import type { Knex } from 'knex';
import { isolateTenant, keepIdentity } from './row-level-security.ts';

/**
 * Lets recoveries be found by what their documents name, and counted with their amounts, without reading the documents.
 * Triggers keep both: whatever writes a snapshot, ingestion, a simulation or an erasure, what is derived from it is
 * always that of the snapshot.
 */
export async function recoveryReferences(knex: Knex): Promise<void> {
  await addAmounts(knex);
  await addReferences(knex);
  // Row-level security hides the rows of all tenants from the owner of the table, too. The update runs the triggers
  // for what was read before.
  await knex.raw('ALTER TABLE fr_record NO FORCE ROW LEVEL SECURITY');
  await knex.raw('UPDATE fr_record SET snapshot = snapshot');
  await knex.raw('ALTER TABLE fr_record FORCE ROW LEVEL SECURITY');
  await isolateTenant(knex, 'fr_reference', { app: 'SELECT, DELETE' });
  await keepIdentity(knex, 'fr_reference');
  await knex.raw(
    `CREATE INDEX fr_record_by_creation ON fr_record (tenant_id, env, created_at)
      INCLUDE (role, status, root_amount, requested_amount, refunded_amount)`,
  );
}

/** An amount of the directory that has another form is none, as in answers (`minorUnits`). */
const minorUnits = (text: string): string =>
  String.raw`CASE WHEN ${text} ~ '^\d{1,12}(\.\d{1,2}|)$' THEN (${text})::numeric * 100 END`;

async function addAmounts(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE fr_record
      ADD COLUMN root_amount bigint,
      ADD COLUMN requested_amount bigint NOT NULL DEFAULT 0,
      ADD COLUMN refunded_amount bigint NOT NULL DEFAULT 0`);
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
    END $$`);
  await knex.raw(
    `CREATE TRIGGER amounts BEFORE INSERT OR UPDATE OF snapshot ON fr_record FOR EACH ROW
      EXECUTE FUNCTION amounts_of_recovery()`,
  );
}

/** Where documents name payments, other participants, and the person whose account is refunded. */
const sources = [
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

async function addReferences(knex: Knex): Promise<void> {
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
    )`);
  await knex.raw('CREATE INDEX fr_reference_by_value ON fr_reference (tenant_id, env, kind, value, funds_recovery_id)');
  // The directory guarantees no length, and an index takes no long values.
  await knex.raw(`
    CREATE FUNCTION references_of_recovery() RETURNS trigger LANGUAGE plpgsql
      SET search_path = pg_catalog, public, pg_temp AS $$
    BEGIN
      WITH named AS (
        SELECT DISTINCT source.kind, leaf #>> '{}' AS value
        FROM (VALUES ${sources.map(([kind, path]) => `('${kind}', '${path}'::jsonpath)`).join(', ')})
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
    END $$`);
  await knex.raw(
    `CREATE TRIGGER named AFTER INSERT OR UPDATE OF snapshot ON fr_record FOR EACH ROW
      EXECUTE FUNCTION references_of_recovery()`,
  );
}
