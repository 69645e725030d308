import type pg from 'pg';
import { withClient } from '../../../server/database/pool.ts';
import type { Laboratory } from './laboratory.ts';

export interface Row {
  readonly tenantId: string;
  readonly id: string;
}

/**
 * Gives every tenant `count` applications, each with a document: copies of an application that the service wrote, so
 * that they are as it would write them. Answers with 2,000 of them at most, in no order.
 */
export async function multiply({ administrator }: Laboratory, applicationId: string, count: number): Promise<Row[]> {
  return withClient(administrator, async (client) => {
    await client.query(await copying(client), [applicationId, count]);
    await client.query(`
      INSERT INTO document (tenant_id, id, application_id, environment, type, side, country, file_name, mime_type, size_bytes, sha256, storage_key, created_by)
      SELECT tenant_id, uuidv7(), id, environment, 'passport', 'single', 'BR', 'passport.jpg', 'image/jpeg', 482113, encode(sha256(id::text::bytea), 'hex'), id::text, created_by
      FROM application`);
    await client.query('VACUUM ANALYZE application, document');
    const { rows } = await client.query<{ tenant_id: string; id: string }>('SELECT tenant_id, id FROM application ORDER BY sha256(id::text::bytea) LIMIT 2000');
    return rows.map(({ tenant_id, id }) => ({ tenantId: tenant_id, id }));
  });
}

async function copying(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>(`
    SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'application' AND column_name NOT IN ('tenant_id', 'id')`);
  const names = rows.map(({ name }) => name).join(', ');
  return `
    INSERT INTO application (tenant_id, id, ${names})
    SELECT t.id, uuidv7(), ${rows.map(({ name }) => `a.${name}`).join(', ')}
    FROM application a CROSS JOIN tenant t CROSS JOIN generate_series(1, $2::int) WHERE a.id = $1`;
}
