import type { Knex } from 'knex';
import { keepIdentity, refuseDeletion, refuseUpdate } from './row-level-security.ts';

/**
 * The roles of the service write the columns that its statements write, and no others; and what has ended stays ended.
 * The grants are the first lock and the triggers the second: a later grant that is too wide does not open both.
 */
export async function rights(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION '% of % is refused: %', TG_OP, TG_TABLE_NAME, TG_NAME USING ERRCODE = 'insufficient_privilege';
    END $$`);
  const { rows } = await knex.raw<{ rows: { name: string }[] }>(`
    SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
      AND relname NOT LIKE 'schema_migration%' ORDER BY relname`);
  for (const { name } of rows) {
    // An enrolment that nobody confirmed is begun anew in its row.
    await keepIdentity(knex, name, { except: name === 'user_totp' ? ['created_at'] : [] });
  }
  await endCredentialsForGood(knex);
  await endRecordsForGood(knex);
  await moveForwardsOnly(knex);
  await narrowFunctions(knex);
}

const changes = (columns: string): string => {
  const of = (row: string): string =>
    columns
      .split(' ')
      .map((column) => `${row}.${column}`)
      .join(', ');
  return `ROW (${of('OLD')}) IS DISTINCT FROM ROW (${of('NEW')})`;
};

async function endCredentialsForGood(knex: Knex): Promise<void> {
  await refuseUpdate(
    knex,
    'session',
    'ended_stays',
    `OLD.ended_at IS NOT NULL AND ${changes('ended_at ended_reason')}`,
  );
  await refuseUpdate(
    knex,
    'refresh_token',
    'superseded_stays',
    `OLD.superseded_at IS NOT NULL AND ${changes('superseded_at successor')}`,
  );
  await refuseUpdate(knex, 'refresh_token', 'expiry_stays', changes('expires_at'));
  await refuseUpdate(
    knex,
    'api_key',
    'revoked_stays',
    `OLD.status = 'revoked'
    AND ${changes('status revoked_at name scopes pin_environment ip_allowlist expires_at ' + 'successor_prefix grace_until')}`,
  );
  await refuseUpdate(
    knex,
    'api_key',
    'rotation_stays',
    `OLD.status = 'rotating' AND (NEW.status = 'active' OR ${changes('successor_prefix grace_until')})`,
  );
  await refuseUpdate(
    knex,
    'api_key',
    'end_stays',
    `(OLD.end_recorded_at IS NOT NULL AND ${changes('end_recorded_at')})
    OR (OLD.ends_at <= now() AND ${changes('expires_at')})`,
  );
  await refuseUpdate(
    knex,
    'invitation',
    'ended_stays',
    `(OLD.accepted_at IS NOT NULL OR OLD.revoked_at IS NOT NULL) AND OLD IS DISTINCT FROM NEW`,
  );
  await refuseUpdate(knex, 'recovery_code', 'used_stays', `OLD.used_at IS NOT NULL AND ${changes('used_at')}`);
  await refuseUpdate(
    knex,
    'user_totp',
    'confirmed_stays',
    `OLD.confirmed_at IS NOT NULL AND ${changes('secret created_at confirmed_at expires_at')}`,
  );
  await refuseUpdate(knex, 'user_totp', 'step_stays', 'coalesce(NEW.last_step, -1) < coalesce(OLD.last_step, -1)');
  await refuseUpdate(knex, 'password_reset', 'expiry_stays', changes('expires_at'));
  await refuseUpdate(
    knex,
    'user_account',
    'deactivated_stays',
    `OLD.status = 'deactivated' AND NEW.status <> OLD.status`,
  );
  await refuseUpdate(knex, 'tenant', 'closed_stays', `OLD.status = 'closed' AND NEW.status <> OLD.status`);
  await refuseUpdate(
    knex,
    'tenant',
    'live_stays',
    `OLD.go_live_at IS NOT NULL AND (${changes('go_live_at')} OR NEW.status = 'onboarding')`,
  );
}

async function endRecordsForGood(knex: Knex): Promise<void> {
  await refuseUpdate(
    knex,
    'application',
    'ended_stays',
    `OLD.status IN ('approved', 'rejected', 'withdrawn', 'expired') AND OLD IS DISTINCT FROM NEW`,
  );
  // What was submitted is what is decided.
  await refuseUpdate(
    knex,
    'application',
    'submitted_stays',
    `OLD.status <> 'draft' AND (NEW.status IN ('draft', 'expired')
      OR (OLD.submitted_at IS NOT NULL AND NEW.submitted_at IS NULL)
    OR
      ${changes('applicant full_name tax_id_mac email_mac level purpose channel product_codes external_id metadata')})`,
  );
  await refuseUpdate(knex, 'document', 'live_stays', `OLD.environment = 'live' AND OLD IS DISTINCT FROM NEW`);
  await refuseUpdate(knex, 'fr_record', 'erased_stays', `OLD.erased_at IS NOT NULL AND ${changes('erased_at')}`);
  await refuseUpdate(knex, 'mail_message', 'ended_stays', 'OLD.sealed IS NULL AND OLD IS DISTINCT FROM NEW');
  await refuseUpdate(
    knex,
    'onboarding_step',
    'completed_stays',
    `OLD.completed_at IS NOT NULL AND ${changes('completed_at')}`,
  );
  await refuseDeletion(knex, 'fr_consumer', 'sandbox_only', `OLD.env = 'live'`);
  await refuseDeletion(
    knex,
    'idempotency_record',
    'sandbox_or_over',
    `OLD.environment = 'live' AND OLD.expires_at > now()`,
  );
}

async function moveForwardsOnly(knex: Knex): Promise<void> {
  await refuseUpdate(
    knex,
    'tenant',
    'clock_goes_forward',
    'NEW.sandbox_clock_offset_seconds < OLD.sandbox_clock_offset_seconds AND NEW.sandbox_clock_offset_seconds <> 0',
  );
  await refuseUpdate(
    knex,
    'fr_feed',
    'goes_forward',
    'NEW.generation < OLD.generation OR (NEW.generation = OLD.generation AND (NEW.last_seq < OLD.last_seq OR ' +
      'NEW.floor_seq < OLD.floor_seq))',
  );
  await refuseUpdate(knex, 'fr_feed', 'live_goes_on', `OLD.env = 'live' AND NEW.generation <> OLD.generation`);
  await refuseUpdate(
    knex,
    'fr_consumer',
    'goes_forward',
    '(NEW.generation, NEW.acked_seq) < (OLD.generation, OLD.acked_seq)',
  );
}

/**
 * A function runs with the search path of whoever caused it: with a table of the same name in front of ours it would
 * read that one. And only triggers call them.
 */
async function narrowFunctions(knex: Knex): Promise<void> {
  const { rows } = await knex.raw<{ rows: { name: string }[] }>(
    `SELECT oid::regprocedure::text AS name FROM pg_proc WHERE pronamespace = 'public'::regnamespace`,
  );
  for (const { name } of rows) await knex.raw(`ALTER FUNCTION ${name} SET search_path = pg_catalog, public, pg_temp`);
  await knex.raw('REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA public FROM PUBLIC');
  await knex.raw('ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC');
}
