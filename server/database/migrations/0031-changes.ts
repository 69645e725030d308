import type { Knex } from 'knex';
import { roles } from '../roles.ts';

/**
 * What a process remembers of tenants, people and credentials is told to all processes when it changes, and
 * checked where it decides.
 */
export async function changes(knex: Knex): Promise<void> {
  await announceChanges(knex);
  await requireTenantState(knex);
}

/**
 * A row that changes is announced with the commit, by the table itself, so that no statement can forget it. The
 * message holds a kind and ids. Only changes that somebody remembers are announced: committing a message is
 * done one after the other.
 */
async function announceChanges(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE FUNCTION announce_change() RETURNS trigger LANGUAGE plpgsql
      SET search_path = pg_catalog, public, pg_temp AS $$
    DECLARE
      changed jsonb;
    BEGIN
      IF TG_OP = 'INSERT' THEN changed := to_jsonb(NEW); ELSE changed := to_jsonb(OLD); END IF;
      PERFORM pg_notify('compliance_changes',
        concat_ws(' ', TG_ARGV[0], changed ->> TG_ARGV[1], changed ->> TG_ARGV[2]));
      RETURN NULL;
    END $$`);
  await knex.raw('REVOKE EXECUTE ON FUNCTION announce_change() FROM PUBLIC');
  // Table, the message, and the columns that nobody remembers and that change all the time.
  const announced = [
    ['tenant', `'tenant', 'id'`, ''],
    ['tenant_settings', `'tenant', 'tenant_id'`, ''],
    // Also of the keys that they have made.
    ['membership', `'tenant', 'tenant_id'`, 'last_login_at'],
    ['user_account', `'user', 'id'`, 'last_login_at locked_until'],
    ['user_totp', `'user', 'user_id'`, 'last_step'],
    ['session', `'session', 'tenant_id', 'id'`, 'last_seen_at idle_seconds step_up_at password_outdated'],
    ['api_key', `'key', 'prefix'`, 'last_used_at last_used_ip end_recorded_at'],
  ] as const;
  for (const [table, message, besides] of announced) {
    const row = (name: string): string => `to_jsonb(${name}) - '{${besides.replaceAll(' ', ',')}}'::text[]`;
    await knex.raw(`
      CREATE TRIGGER announces_change AFTER UPDATE ON ${table}
        FOR EACH ROW WHEN (${row('OLD')} IS DISTINCT FROM ${row('NEW')})
        EXECUTE FUNCTION announce_change(${message})`);
  }
  // Settings are first written when they are first changed, and a second factor ends by its row.
  await knex.raw(
    `CREATE TRIGGER announces_start AFTER INSERT ON tenant_settings FOR EACH ROW
      EXECUTE FUNCTION announce_change('tenant', 'tenant_id')`,
  );
  await knex.raw(
    `CREATE TRIGGER announces_end AFTER DELETE ON user_totp FOR EACH ROW
      EXECUTE FUNCTION announce_change('user', 'user_id')`,
  );
}

/**
 * Fails the transaction of a call that was let in by what is not so any more. It needs no answer: what is
 * sent after it fails too.
 */
async function requireTenantState(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE FUNCTION require_tenant_state(tenant_id uuid, tenant_status text, sandbox boolean,
      clock_offset bigint) RETURNS void
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    BEGIN
      PERFORM FROM tenant WHERE id = tenant_id AND status = tenant_status AND sandbox_enabled = sandbox
        AND sandbox_clock_offset_seconds = clock_offset;
      IF NOT FOUND THEN
        RAISE EXCEPTION 'the tenant is not as the call was let in by' USING ERRCODE = 'CO001';
      END IF;
    END $$`);
  const signature = 'require_tenant_state(uuid, text, boolean, bigint)';
  await knex.raw(`REVOKE EXECUTE ON FUNCTION ${signature} FROM PUBLIC`);
  await knex.raw(`GRANT EXECUTE ON FUNCTION ${signature} TO ${roles.app}, ${roles.platform}`);
}
