import type { Knex } from 'knex';

/** When the next deadline of a recovery is to be announced, by the times that the tenant has set. */
export async function deadlineNotices(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE fr_record ADD COLUMN next_notice_at timestamptz(3)');
  await knex.raw(
    `CREATE INDEX fr_record_notice ON fr_record (tenant_id, env, ispb, next_notice_at)
      WHERE next_notice_at IS NOT NULL`,
  );
  await knex.raw(
    'CREATE INDEX fr_record_by_notice ON fr_record (tenant_id, env, next_notice_at) WHERE next_notice_at IS NOT NULL',
  );
}
