import { describe, expect, it, vi } from 'vitest';
import type { Environment } from '../../server/contract/operation.ts';
import type { Transaction } from '../../server/database/index.ts';
import { FeedCursors } from '../../server/modules/recovery-feed/cursor.ts';
import { publishEvents } from '../../server/modules/recovery-feed/publish.ts';
import { readFeed } from '../../server/modules/recovery-feed/read-feed.ts';
import { appendCommand, armFault } from '../../server/simulators/directory/index.ts';
import {
  newAlert,
  newAllowlistEntry,
  newApplication,
  newAttestation,
  newConsent,
  newDecision,
  newDocument,
  newHitDecision,
  newInformationRequest,
  newOwnList,
  newWaiver,
} from '../operations/records.ts';
import { refusal, refused, success } from '../support/api.ts';
import { leaveTraces } from '../support/directory-traces.ts';
import { recoveryEvents } from '../support/recovery-events.ts';
import { whileChangesOfTenantWait } from '../support/locks.ts';
import { fileDigests, productionDigests, sandboxRecords } from '../support/production.ts';
import { useService, type Credential, type Tenant } from '../support/service.ts';

const service = await useService();

async function reset(tenant: Tenant) {
  return success(service.api.DELETE('/v1/sandbox/data', { headers: await tenant.key(['admin']) }));
}
const switchSandbox = async (tenant: Tenant, to: 'enable' | 'disable') =>
  success(service.api.POST(`/v1/sandbox/${to}`, { headers: await tenant.key(['admin']) }));
const feed = (as: Credential, query: { cursor?: string; limit?: number } = {}) =>
  service.api.GET('/api/v1/funds-recovery/events', { params: { query }, headers: as });
const cursorOf = async (as: Credential, limit?: number): Promise<string> =>
  (await success(feed(as, limit === undefined ? {} : { limit }))).body.cursor ?? '';
const publish = (tenant: Tenant, environment: Environment, count: number) =>
  service.database.database.transaction({ tenantId: tenant.id }, (tx) =>
    publishEvents(tx, environment, recoveryEvents(count)),
  );
const files = () => fileDigests(service.running.services.config.dataDir);
const auditEvents = () =>
  service.database.sql(
    'SELECT to_jsonb(e)::text AS event FROM audit_event e ORDER BY tenant_id = $1, tenant_id, sequence',
    [service.acme.id],
  );

/** Writes to the directory of a tenant's sandbox, independent of the switch. */
const command = (tenant: Tenant) =>
  service.database.database.transaction({ tenantId: tenant.id }, async (tx) => {
    await appendCommand(tx, new Date(), { type: 'DROP_NOTIFICATIONS', count: 1 });
    await armFault(tx, new Date(), 'slow', 1);
  });

/** Adds an entry to a list that matches the applicant of an alert. */
async function simulateEntry(tenant: Tenant, alertId: string): Promise<void> {
  const [alert] = await service.database.sql<{ application_id: string }>(
    'SELECT application_id FROM monitoring_alert WHERE id = $1',
    [alertId],
  );
  await success(
    service.api.POST('/v1/sandbox/simulations', {
      headers: await tenant.key(['admin']),
      body: { type: 'list_update_hit', target: { type: 'application', id: alert!.application_id } },
    }),
    202,
  );
}

/**
 * Creates, in the environment of the switch, two applications with a document, a consent, an attestation and a waiver
 * each, and a deleted document, one with a waiting decision and one with a request for information, a person on a list
 * (in the sandbox also on another one by a simulation), an own list, three events and a stored answer.
 */
async function fill(tenant: Tenant, environment: Environment): Promise<void> {
  if (environment === 'sandbox') await command(tenant);
  await leaveTraces(service.database.database, tenant.id, environment);
  const as = await tenant.key(['write']);
  for (let i = 0; i < 2; i++) {
    const id = await newApplication(service, tenant, as);
    const documentId = await newDocument(service, tenant, id, as);
    await success(
      service.api.DELETE('/v1/applications/{applicationId}/documents/{documentId}', {
        params: { path: { applicationId: id, documentId } },
        headers: as,
      }),
      204,
    );
    await newAttestation(service, tenant, id, await newDocument(service, tenant, id, as));
    await newConsent(service, tenant, id, as);
    await newWaiver(service, tenant, id);
  }
  await newDecision(service, tenant);
  await newInformationRequest(service, tenant);
  const alertId = await newAlert(service, tenant);
  if (environment === 'sandbox') await simulateEntry(tenant, alertId);
  await newAllowlistEntry(
    service,
    tenant,
    await tenant.key(['screening'], { environment: environment === 'live' ? 'live' : 'test' }),
  );
  await newHitDecision(
    service,
    tenant,
    await tenant.key(['screening'], { environment: environment === 'live' ? 'live' : 'test' }),
  );
  await newOwnList(service, tenant);
  await publish(tenant, environment, 3);
  await success(
    service.api.POST('/v1/applications', {
      headers: { ...as, 'Idempotency-Key': `once-${environment}` },
      body: { purpose: 'other', applicant: { fullName: 'Maria da Silva' } },
    }),
  );
  const client = await tenant.client(['read']);
  await success(feed(client, { cursor: await cursorOf(client) }));
}

describe('a reset', () => {
  it('removes every sandbox row and file of the tenant and leaves all others byte for byte', async () => {
    await fill(service.acme, 'live');
    await fill(service.other, 'live');
    await switchSandbox(service.other, 'enable');
    await fill(service.other, 'sandbox');
    await switchSandbox(service.acme, 'enable');
    const [theirs, filesBefore] = [await sandboxRecords(service.database, service.other.id), await files()];
    await fill(service.acme, 'sandbox');
    await switchSandbox(service.acme, 'disable');
    expect(Object.keys(await files())).toHaveLength(Object.keys(filesBefore).length + 2);
    // A table that joins the catalogue must be filled here, and then be emptied by the reset.
    const records = await sandboxRecords(service.database, service.acme.id);
    expect(Object.keys(records).length).toBeGreaterThanOrEqual(7);
    for (const counts of [records, theirs])
      expect(Object.entries(counts).filter(([, count]) => count === 0)).toEqual([]);
    const production = await productionDigests(service.database, service.acme.id);
    const events = await auditEvents();

    const answer = await reset(service.acme);

    expect([answer.status, answer.body.deleted]).toEqual([
      200,
      { applications: 6, documents: 2, fundsRecoveryEvents: 3 },
    ]);
    expect(await productionDigests(service.database, service.acme.id)).toEqual(production);
    expect((await auditEvents()).slice(0, events.length)).toEqual(events);
    expect(await auditEvents()).toHaveLength(events.length + 1);
    expect(await files()).toEqual(filesBefore);
    // The feed row itself stays, because the feed starts again.
    expect(
      Object.entries(await sandboxRecords(service.database, service.acme.id)).filter(([, count]) => count > 0),
    ).toEqual([['fr_feed', 1]]);
  });

  it('is recorded with what it removed, and leaves the audit log complete', async () => {
    const before = await service.acme.audit();
    await reset(service.acme);
    const after = await service.acme.audit();
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.slice(before.length).map(({ action, outcome }) => [action, outcome])).toEqual([
      ['sandbox.reset', 'success'],
    ]);
  });

  it('succeeds although a file cannot be removed, which the sweep will remove', async () => {
    await switchSandbox(service.acme, 'enable');
    await newDocument(
      service,
      service.acme,
      await newApplication(service, service.acme, await service.acme.key(['write'])),
      await service.acme.key(['write']),
    );
    const failing = vi
      .spyOn(service.running.services.files, 'delete')
      .mockRejectedValueOnce(new Error('the disk is gone'));
    const { status, body } = await reset(service.acme);
    failing.mockRestore();
    await switchSandbox(service.acme, 'disable');
    expect([status, body.deleted]).toEqual([200, { applications: 1, documents: 1, fundsRecoveryEvents: 0 }]);
  });

  it('finds nothing the second time', async () => {
    expect((await reset(service.acme)).body.deleted).toEqual({ applications: 0, documents: 0, fundsRecoveryEvents: 0 });
  });

  it('makes the cursors of the sandbox feed expire, not those of the live one', async () => {
    const client = await service.acme.client(['read']);
    const live = await cursorOf(client);
    await switchSandbox(service.acme, 'enable');
    await publish(service.acme, 'sandbox', 5);
    const cursor = await cursorOf(client, 2);
    await reset(service.acme);
    await publish(service.acme, 'sandbox', 5);
    expect(refused(await refusal(feed(client, { cursor })))).toEqual([400, 'cursor_expired']);
    expect((await success(feed(client))).body.events).toHaveLength(5);
    await switchSandbox(service.acme, 'disable');
    await success(feed(client, { cursor: live }));
  });

  it('lets a key be used again whose stored answer it has removed', async () => {
    await switchSandbox(service.acme, 'enable');
    const headers = { ...(await service.acme.key(['write'])), 'Idempotency-Key': 'twice' };
    const create = () =>
      success(
        service.api.POST('/v1/applications', {
          headers,
          body: { purpose: 'other', applicant: { fullName: 'Ana Lima' } },
        }),
      );
    const first = await create();
    await reset(service.acme);
    const second = await create();
    expect(second.headers.get('idempotent-replayed')).toBeNull();
    expect(second.body.id).not.toBe(first.body.id);
    await switchSandbox(service.acme, 'disable');
  });

  it('preserves the stored answer of a call whose effect still exists', async () => {
    await switchSandbox(service.acme, 'enable');
    const headers = { ...(await service.acme.key(['admin'])), 'Idempotency-Key': 'a-key' };
    const create = () =>
      success(
        service.api.POST('/v1/settings/api-keys', {
          headers,
          body: { name: 'Made meanwhile', environment: 'live', scopes: ['read'] },
        }),
      );
    const first = await create();
    await reset(service.acme);
    const second = await create();
    expect([second.headers.get('idempotent-replayed'), second.body]).toEqual(['true', first.body]);
    expect([first, second].map(({ headers }) => headers.get('x-environment'))).toEqual(['sandbox', 'sandbox']);
    await switchSandbox(service.acme, 'disable');
  });
});

describe('two resets at once', () => {
  it('do not overlap: the second one is asked to retry later', async () => {
    const first = await whileChangesOfTenantWait(service.database, service.other.id, async (isWaitedFor) => {
      const running = reset(service.other);
      await isWaitedFor();
      const second = await refusal(
        service.api.DELETE('/v1/sandbox/data', { headers: await service.other.key(['admin']) }),
      );
      expect([second.status, second.body.code, second.headers.get('retry-after')]).toEqual([
        409,
        'reset_in_progress',
        '1',
      ]);
      expect((await reset(service.acme)).status).toBe(200);
      return { running };
    });
    expect((await first.running).status).toBe(200);
    expect((await reset(service.other)).status).toBe(200);
  });
});

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
        businessTime: new Date(),
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
