/**
 * API tests of following changes by polling the list. A change that a caller would miss fails here, also with two
 * replicas.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidv7 } from '../../server/base/uuid.ts';
import { knex } from '../../server/database/index.ts';
import { recordApplicant } from '../../server/modules/applications/record/applicant.ts';
import { writingDelay } from '../../server/modules/applications/record/list-store.ts';
import type { operations } from '../../server/contract/generated/client-types.ts';
import { newApplication } from '../operations/application-records.ts';
import { success } from '../support/api.ts';
import {
  startTestService,
  type Answer,
  type Credential,
  type Replica,
  type Tenant,
  type TestService,
} from '../support/service.ts';
import type { List } from './applications-world.ts';

type Filters = NonNullable<operations['listApplications']['parameters']['query']>;

let service: TestService;
let replica: Replica;
let tenant: Tenant;
let as: Credential;
beforeAll(async () => {
  service = await startTestService();
  replica = await service.replica();
  tenant = service.acme;
  as = await tenant.key(['read', 'write']);
});
afterAll(async () => {
  await replica.stop();
  await service.stop();
});

/** Returns a function that polls: each call returns what is new since the last item seen. */
function follower() {
  let updatedAfter = '2000-01-01T00:00:00.000Z';
  const seen = new Set<string>();
  return async (): Promise<string[]> => {
    const fresh: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const query: Filters = {
        sort: 'updatedAt',
        limit: 2,
        updatedAfter,
        ...(cursor !== undefined && { cursor }),
      };
      const { body }: Answer<List> = await success(
        service.api.GET('/v1/applications', { params: { query }, headers: as }),
      );
      for (const { id, updatedAt } of body.items) {
        if (!seen.has(`${id} ${updatedAt}`)) fresh.push(id);
        seen.add(`${id} ${updatedAt}`);
      }
      if (body.cursor === null || !body.hasMore) {
        updatedAfter =
          [...seen]
            .map((one) => one.split(' ')[1] ?? '')
            .sort()
            .at(-1) ?? updatedAfter;
        return fresh;
      }
      cursor = body.cursor;
    }
  };
}

const APPLICANT = JSON.stringify(
  recordApplicant({ fullName: 'Maria da Silva' }, { environment: 'live', today: '2026-11-21' }),
);

/** Starts a transaction that has written an application and commits only on request. */
async function writing(): Promise<{ id: string; commit: () => Promise<void> }> {
  const [started, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const id = uuidv7();
  const done = service.database.database.transaction({ tenantId: tenant.id }, async (tx) => {
    const now = new Date();
    const at = new Date(now.getTime() + (await writingDelay(tx, now)));
    await tx.query(
      knex.raw(
        `
      INSERT INTO application (tenant_id, id, environment, status, level, purpose, channel, full_name, applicant,
        product_codes, metadata, expires_at, created_by, created_at, updated_at)
      SELECT tenant_id, ?, environment, 'draft', level, purpose, channel, full_name, ?::jsonb, product_codes, metadata,
        now(), created_by, ?::timestamptz, ?::timestamptz
      FROM application ORDER BY created_at LIMIT 1`,
        [id, APPLICANT, at, at],
      ),
    );
    started.resolve();
    await gate.promise;
  });
  await started.promise;
  return {
    id,
    commit: () => {
      gate.resolve();
      return done;
    },
  };
}

describe('polling for changes by sort=updatedAt and updatedAfter', () => {
  it('shows what was created and changed, at once', async () => {
    const poll = follower();
    await poll();
    const id = await newApplication(service, tenant, as);
    expect(await poll()).toEqual([id]);
    await success(
      service.api.POST('/v1/applications/{applicationId}/withdraw', {
        params: { path: { applicationId: id } },
        headers: as,
        body: { reasonCode: 'other' },
      }),
    );
    expect(await poll()).toEqual([id]);
    expect(await poll()).toEqual([]);
  });

  it('misses nothing that was written first and committed last', async () => {
    const poll = follower();
    await poll();
    const slow = await writing();
    const fast = await newApplication(service, tenant, as);
    const meanwhile = await poll();
    await slow.commit();
    expect([...meanwhile, ...(await poll())].sort()).toEqual([slow.id, fast].sort());
  });

  it('is not delayed by transactions that read, write elsewhere or were rolled back', async () => {
    const poll = follower();
    await poll();
    const gate = Promise.withResolvers<void>();
    const others = Promise.all([
      service.database.database.transaction({ tenantId: tenant.id }, async (tx) => {
        await tx.query(knex('application').select('id'));
        await gate.promise;
      }),
      service.database.database.transaction({ tenantId: service.other.id }, async (tx) => {
        await writingDelay(tx, new Date());
        await gate.promise;
      }),
    ]);
    const failed = service.database.database.transaction({ tenantId: tenant.id }, async (tx) => {
      await writingDelay(tx, new Date());
      throw new Error('given up');
    });
    await expect(failed).rejects.toThrow('given up');
    const id = await newApplication(service, tenant, as);
    expect(await poll()).toEqual([id]);
    gate.resolve();
    await others;
  });

  it('misses nothing while two replicas write all the time', async () => {
    const poll = follower();
    await poll();
    const made: string[] = [];
    const seen: string[] = [];
    let isWriting = true;
    const polling = (async () => {
      while (isWriting) seen.push(...(await poll()));
      seen.push(...(await poll()));
    })();
    await Promise.all(
      Array.from({ length: 8 }, async (_, writer) => {
        for (let count = 0; count < 5; count++) {
          const { body } = await success(
            (writer % 2 === 0 ? service : replica).api.POST('/v1/applications', {
              headers: as,
              body: { purpose: 'other', applicant: { fullName: 'Ana Souza' } },
            }),
          );
          made.push(body.id);
        }
      }),
    );
    isWriting = false;
    await polling;
    expect(seen.sort()).toEqual(made.sort());
  });
});
