/** API tests of emptying a sandbox while others write to it. */
import { describe, expect, it } from 'vitest';
import type { Transaction } from '../../server/database/index.ts';
import { FeedCursors } from '../../server/modules/recovery-feed/cursor.ts';
import { readFeed } from '../../server/modules/recovery-feed/read-feed.ts';
import { newApplication, newDocument } from '../operations/application-records.ts';
import { startSandboxResetWorld } from './sandbox-reset-world.ts';
import { businessTimeAt } from '../support/business-time.ts';

const { service, reset, switchSandbox, publish } = await startSandboxResetWorld();
describe('a reset that races', () => {
  it('with publishers leaves a feed that starts again, without holes', async () => {
    const tenant = service.other;
    await switchSandbox(tenant, 'enable');
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all([publish(tenant, 'sandbox', 2), reset(tenant), publish(tenant, 'sandbox', 2)]);
      expect(answers[1].status).toBe(200);
      const rows = await service.database.sql(
        `SELECT ARRAY(SELECT seq FROM fr_event e WHERE e.tenant_id = f.tenant_id AND e.env = f.env
          ORDER BY seq) = ARRAY(SELECT generate_series(1, last_seq)) AS whole
         FROM fr_feed f WHERE tenant_id = $1 AND env = 'sandbox'`,
        [tenant.id],
      );
      expect(rows).toEqual([{ whole: true }]);
    }
  });

  it('with uploads and changes never fails, and leaves no document without its application', async () => {
    const tenant = service.other;
    const as = await tenant.key(['write']);
    for (let round = 0; round < 5; round++) {
      const id = await newApplication(service, tenant, as);
      const [upload, removed, patch] = await Promise.all([
        newDocument(service, tenant, id, as).then(
          () => 201,
          () => 404,
        ),
        reset(tenant),
        service.request('PATCH', `/v1/applications/${id}`, { as, body: { level: 'enhanced' } }),
      ]);
      expect([201, 404]).toContain(upload);
      expect(removed.status).toBe(200);
      expect([200, 404]).toContain(patch.status);
    }
  });

  it('with a reader does not let what was acknowledged before hide what is published after', async () => {
    const tenant = service.other;
    const { database } = service.database;
    const cursors = new FeedCursors(Buffer.alloc(32, 1));
    const consumer = { tenantId: tenant.id, environment: 'sandbox', id: 'client:late' } as const;
    const read = (tx: Transaction, cursor?: string) =>
      readFeed(tx, cursors, {
        consumer,
        cursor,
        limit: 2,
        now: new Date(),
        businessTime: businessTimeAt(Date.now()),
      });
    const inTenant = <T>(work: (tx: Transaction) => Promise<T>) => database.transaction({ tenantId: tenant.id }, work);
    await reset(tenant);
    await publish(tenant, 'sandbox', 4);
    const { cursor } = await inTenant((tx) => read(tx));
    await inTenant(async (tx) => {
      await read(tx, cursor ?? '');
      // The reader has acknowledged but has not yet committed.
      expect((await reset(tenant)).status).toBe(200);
    });
    await publish(tenant, 'sandbox', 4);
    expect((await inTenant((tx) => read(tx))).events.map(({ seq }) => seq)).toEqual([1, 2]);
  });
});
