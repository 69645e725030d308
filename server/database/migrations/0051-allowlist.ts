import type { Knex } from 'knex';
import {
  anyChanges,
  columnsExcept,
  isolateTenant,
  keepIdentity,
  refuseDeletion,
  refuseUpdate,
} from './row-level-security.ts';

/**
 * The allow-list: subjects who are not an entity of a list, for every application of the same tax number. Which entity
 * it is, is sealed like the hit from which it came.
 */
export async function allowlist(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE allowlist_entry (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      subject_mac bytea NOT NULL,
      list_id text NOT NULL,
      entity_mac bytea NOT NULL,
      entity_hash bytea NOT NULL,
      application_id uuid,
      subject_id uuid NOT NULL,
      screening_id uuid NOT NULL,
      hit_id uuid NOT NULL,
      entity_key jsonb NOT NULL,
      reason_code text NOT NULL,
      status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended', 'revoked', 'expired')),
      revoke_reason text,
      expires_at timestamptz(3) NOT NULL,
      created_at timestamptz(3) NOT NULL,
      created_by jsonb NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, screening_id) REFERENCES screening (tenant_id, id) ON DELETE CASCADE
    )`);
  await knex.raw('CREATE INDEX allowlist_entry_by_screening ON allowlist_entry (tenant_id, screening_id)');
  await knex.raw('CREATE INDEX allowlist_entry_by_created ON allowlist_entry (tenant_id, environment, created_at, id)');
  await knex.raw(
    `CREATE INDEX allowlist_entry_standing ON allowlist_entry (tenant_id, subject_mac) WHERE status = 'active'`,
  );
  await knex.raw(
    `CREATE INDEX allowlist_entry_due ON allowlist_entry (tenant_id, environment, expires_at) WHERE status = 'active'`,
  );
  await isolateTenant(knex, 'allowlist_entry', { app: 'SELECT' });
  await keepIdentity(knex, 'allowlist_entry');
  await refuseDeletion(knex, 'allowlist_entry', 'sandbox_only', `OLD.environment = 'live'`);
  await refuseUpdate(
    knex,
    'allowlist_entry',
    'recorded_stays',
    anyChanges(await columnsExcept(knex, 'allowlist_entry', ['status', 'revoke_reason'])),
  );
  await refuseUpdate(knex, 'allowlist_entry', 'end_stays', `OLD.status <> 'active' AND NEW.status = 'active'`);

  await knex.raw('ALTER TABLE screening_hit ADD COLUMN allowlist_entry_id uuid');
  await knex.raw(
    `ALTER TABLE screening_hit DROP CONSTRAINT screening_hit_status_check, ADD CONSTRAINT screening_hit_status_check
      CHECK (status IN ('open', 'true_positive', 'false_positive', 'inconclusive', 'auto_dismissed'))`,
  );
  await knex.raw(
    `CREATE INDEX screening_hit_by_allowlist ON screening_hit (tenant_id, allowlist_entry_id)
      WHERE allowlist_entry_id IS NOT NULL`,
  );
}
