import type { Knex } from 'knex';
import { forceRowSecurity } from './row-level-security.ts';

/**
 * Who answers for a key, how much of persons it shows, and as which client it counts. A rotation makes a new key of the
 * same client; a key that a key has made uses the quota of its maker.
 */
export async function keyGrantors(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE api_key
      ADD COLUMN client_id text,
      ADD COLUMN quota_client_id text,
      ADD COLUMN personal_data text NOT NULL DEFAULT 'masked' CHECK (personal_data IN ('masked', 'full')),
      ADD COLUMN granted_by uuid,
      ADD COLUMN granted_role text,
      ADD FOREIGN KEY (tenant_id, granted_by) REFERENCES membership (tenant_id, user_id),
      ADD CHECK (granted_by IS NULL OR granted_role IS NOT NULL)`);
  // The owner of the tables is held to row-level security too, and sees no tenant here.
  for (const table of ['api_key', 'membership']) await knex.raw(`ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY`);
  await knex.raw(nameClients);
  await knex.raw(findGrantors);
  await knex.raw(
    `UPDATE api_key SET granted_role = 'owner', personal_data = 'full' WHERE created_by ->> 'type' = 'system'`,
  );
  for (const table of ['api_key', 'membership']) await forceRowSecurity(knex, table);
  await knex.raw('ALTER TABLE api_key ALTER COLUMN client_id SET NOT NULL, ALTER COLUMN quota_client_id SET NOT NULL');

  // Whether the answer of a call showed persons in full: who may not see that is not shown it by a repetition either.
  await knex.raw('ALTER TABLE idempotency_record ADD COLUMN personal_data boolean NOT NULL DEFAULT true');
}

/** A client is called by the prefix of its first key, so that positions in the feed stay where they are. */
const nameClients = `
  WITH RECURSIVE line AS (
    SELECT tenant_id, prefix, successor_prefix, prefix AS client_id FROM api_key k
    WHERE NOT EXISTS (SELECT FROM api_key older
      WHERE older.tenant_id = k.tenant_id AND older.successor_prefix = k.prefix)
    UNION
    SELECT k.tenant_id, k.prefix, k.successor_prefix, line.client_id FROM line
      JOIN api_key k ON k.tenant_id = line.tenant_id AND k.prefix = line.successor_prefix
  )
  UPDATE api_key k SET client_id = line.client_id, quota_client_id = line.client_id FROM line
    WHERE line.tenant_id = k.tenant_id AND line.prefix = k.prefix`;

/**
 * The person at the end of the line of makers, with the role of today: that of the time is not known. A key whose maker
 * is not known any more has nobody, and waits for somebody to take it over.
 */
const findGrantors = `
  WITH RECURSIVE made AS (
    SELECT tenant_id, id, created_by AS maker FROM api_key
    UNION
    SELECT made.tenant_id, made.id, k.created_by FROM made
      JOIN api_key k ON k.tenant_id = made.tenant_id AND k.prefix = made.maker ->> 'id'
    WHERE made.maker ->> 'type' IN ('api_key', 'oauth_client')
  )
  UPDATE api_key k SET granted_by = m.user_id, granted_role = m.role,
    personal_data = CASE WHEN m.role IN ('owner', 'compliance_officer', 'analyst', 'auditor') THEN 'full'
      ELSE 'masked' END
  FROM made JOIN membership m ON m.tenant_id = made.tenant_id AND m.user_id::text = made.maker ->> 'id'
  WHERE made.maker ->> 'type' = 'user' AND k.tenant_id = made.tenant_id AND k.id = made.id`;
