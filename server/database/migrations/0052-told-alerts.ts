import type { Knex } from 'knex';

/**
 * When those who answer for compliance were told of an alert by mail. Whatever was raised before there was
 * such a mail counts as told.
 */
export async function toldAlerts(knex: Knex): Promise<void> {
  // A default fills the rows that there are; an UPDATE would see no tenant's rows here.
  await knex.raw('ALTER TABLE monitoring_alert ADD COLUMN told_at timestamptz(3) DEFAULT now()');
  await knex.raw('ALTER TABLE monitoring_alert ALTER COLUMN told_at DROP DEFAULT');
  await knex.raw(
    `CREATE INDEX monitoring_alert_untold ON monitoring_alert (tenant_id)
      WHERE told_at IS NULL AND environment = 'live' AND status = 'open' AND severity IN ('high', 'critical')`,
  );
}
