import type { Knex } from 'knex';
import { grantWritable } from './row-level-security.ts';

/** When those who answer for compliance were told of an alert by mail. Whatever was raised before there was such a mail counts as told. */
export async function toldAlerts(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE monitoring_alert ADD COLUMN told_at timestamptz(3)');
  await knex.raw('UPDATE monitoring_alert SET told_at = last_seen_at');
  await knex.raw(`CREATE INDEX monitoring_alert_untold ON monitoring_alert (tenant_id) WHERE told_at IS NULL AND environment = 'live' AND status = 'open' AND severity IN ('high', 'critical')`);
  await grantWritable(knex, 'monitoring_alert');
}
