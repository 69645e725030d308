/** Tests that no role of the database can change or remove audit events. */
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { success } from '../support/api.ts';
import { shared } from '../support/service.ts';
import { startAuditedService } from './audit-log.ts';

const audited = await shared(startAuditedService());

describe('the roles of the database', () => {
  it.each(['app', 'platform', 'owner', 'superuser'] as const)(
    'refuse the %s role to change or remove what was written',
    async (role) => {
      const log = await audited.writeLog();
      const count = (): Promise<object[]> =>
        audited.service.database.sql(`
      SELECT (SELECT count(*) FROM audit_event) AS events, (SELECT count(*) FROM audit_node) AS nodes, (SELECT count(*)
        FROM audit_checkpoint) AS checkpoints,
        (SELECT count(*) FROM audit_head) AS heads`);
      const before = await count();
      const client = new pg.Client(audited.service.database[role]);
      await client.connect();
      try {
        await client.query(`SELECT set_config('app.tenant_id', $1, false)`, [log.tenantId]);
        for (const statement of [
          `UPDATE audit_event SET outcome = 'denied'`,
          'UPDATE audit_event SET sequence = sequence + 1',
          'DELETE FROM audit_event',
          'TRUNCATE audit_event',
          `UPDATE audit_node SET hash = sha256('x')`,
          'DELETE FROM audit_node',
          'TRUNCATE audit_node',
          'UPDATE audit_checkpoint SET tree_size = 1',
          'DELETE FROM audit_checkpoint',
          'TRUNCATE audit_checkpoint',
          'DELETE FROM audit_head',
          'TRUNCATE audit_head',
        ])
          await expect(client.query(statement), statement).rejects.toMatchObject({ code: '42501' });
        // Only a row trigger can distinguish a step forward from one back; row-level security hides the
        // owner's own rows from it.
        if (role !== 'owner')
          await expect(client.query('UPDATE audit_head SET sequence = sequence - 1')).rejects.toMatchObject({
            code: '42501',
          });
      } finally {
        await client.end();
      }
      expect(await count()).toEqual(before);
      expect((await success(log.api.verify())).body).toMatchObject({ valid: true });
    },
  );
});
