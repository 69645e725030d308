import type { Knex } from 'knex';

/** An application may renew an earlier one of the same person; which one never changes. */
export async function renewal(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE application ADD COLUMN renews_application_id uuid,
      ADD CONSTRAINT application_renews_fkey FOREIGN KEY (tenant_id, renews_application_id)
        REFERENCES application (tenant_id, id)`);
  await knex.raw(
    `CREATE INDEX application_by_renewed ON application (tenant_id, renews_application_id)
      WHERE renews_application_id IS NOT NULL`,
  );
}
