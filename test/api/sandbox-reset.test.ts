/** API tests of emptying a sandbox: everything of it goes, and nothing else. */
import { describe, expect, it, vi } from 'vitest';
import { newApplication, newDocument } from '../operations/application-records.ts';
import { refusal, refused, success } from '../support/api.ts';
import { whileChangesOfTenantWait } from '../support/locks.ts';
import { productionDigests, sandboxRecords } from '../support/production.ts';
import { startSandboxResetWorld } from './sandbox-reset-world.ts';

const { service, reset, switchSandbox, feed, cursorOf, publish, files, auditEvents, fill } =
  await startSandboxResetWorld();
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
    expect(Object.keys(await files())).toHaveLength(Object.keys(filesBefore).length + 3);
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
      { applications: 12, documents: 3, fundsRecoveryEvents: 3 },
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
