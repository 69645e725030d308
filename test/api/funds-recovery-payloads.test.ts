/** Tests of masking and erasing the payloads of events. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { components } from '../../server/contract/generated/client-types.ts';
import { refusal, success } from '../support/api.ts';
import { takeInRecovery } from '../support/recoveries.ts';
import { useService, type Credential, type Tenant } from '../support/service.ts';

type List = components['schemas']['FundsRecoveryEventList'];
type Event = List['events'][number];

const PERSONAL = ['The customer did not recognise the payment.', 'recovery@example.com', '+5561900000000', 'Analysed.'];

let tenant: Tenant;
let id: string;
const service = await useService();
beforeEach(async () => {
  tenant = await service.tenant();
  id = await takeIn();
});

const takeIn = (options = {}) =>
  takeInRecovery(service.database.database, tenant.id, { status: 'ANALYSED', ...options });
const feed = async (): Promise<readonly Event[]> =>
  (
    await success(
      service.api.GET('/api/v1/funds-recovery/events', {
        params: { query: { limit: 100 } },
        headers: await tenant.user('owner'),
      }),
    )
  ).body.events;
const timeline = async (): Promise<readonly Event[]> =>
  (
    await success(
      service.api.GET('/api/v1/funds-recovery/{fundsRecoveryId}/events', {
        params: { path: { fundsRecoveryId: id }, query: { limit: 100 } },
        headers: await tenant.user('owner'),
      }),
    )
  ).body.events;
const erase = (as: Credential, of = id) =>
  service.api.DELETE('/api/v1/funds-recovery/{fundsRecoveryId}/payloads', {
    params: { path: { fundsRecoveryId: of } },
    headers: as,
  });
const withoutPayload = (events: readonly Event[]) => events.map((event) => ({ ...event, rawPayload: null }));

async function show(rawPayload: 'full' | 'masked', as?: Credential): Promise<number> {
  const admin = as ?? (await tenant.key(['admin']));
  const { headers } = await service.request('GET', '/v1/settings', { as: admin });
  const { status } = await service.request('PATCH', '/v1/settings', {
    as: admin,
    headers: { 'If-Match': headers.get('etag') ?? '' },
    body: { fundsRecovery: { rawPayload } },
  });
  return status;
}

describe('payloads that are masked', () => {
  it('are complete unless the tenant decides otherwise', async () => {
    const text = JSON.stringify(await feed());
    for (const personal of PERSONAL) expect(text).toContain(personal);
  });

  it('show nothing of persons, in the feed and in the timeline, and everything else as before', async () => {
    const before = await feed();
    expect(await show('masked')).toBe(200);
    for (const events of [await feed(), await timeline()]) {
      expect(withoutPayload(events)).toEqual(withoutPayload(before));
      for (const personal of PERSONAL) expect(JSON.stringify(events)).not.toContain(personal);
      expect(events[0]?.rawPayload).toMatchObject({
        FundsRecovery: {
          Id: id,
          SituationType: 'SCAM',
          ReportDetails: '***',
          ContactInformation: { Email: '***', Phone: '***' },
        },
        '@meta': { record: { role: 'SENT', revision: 1 } },
      });
    }
  });

  it('are shown complete again only by a person with a second factor', async () => {
    const before = await feed();
    await show('masked');
    expect(await show('full')).toBe(403);
    expect(await show('full', await tenant.user('owner'))).toBe(403);
    expect(await show('full', await tenant.user('owner', { secondFactor: true, purpose: 'payloads' }))).toBe(200);
    expect(await feed()).toEqual(before);
  });
});

describe('erasing payloads', () => {
  it('preserves the events with everything else, and is recorded in the audit log', async () => {
    const before = await feed();
    const { status, text } = await success(erase(await tenant.user('compliance_officer')));
    expect([status, text]).toEqual([204, '']);
    expect(await feed()).toEqual(withoutPayload(before));
    expect(await timeline()).toEqual(withoutPayload(before));
    const events = await service.database.sql(
      `SELECT changes, resource_id FROM audit_event WHERE tenant_id = $1 AND action = 'funds_recovery.payloads_erased'`,
      [tenant.id],
    );
    expect(events).toMatchObject([
      {
        resource_id: id,
        changes: [
          { path: '/events', value: before.length },
          { path: '/pages', value: 0 },
        ],
      },
    ]);
  });

  it('affects this recovery alone', async () => {
    const other = await takeIn();
    await success(erase(await tenant.key(['admin'])));
    expect(
      (await feed())
        .filter(({ rawPayload }) => rawPayload !== null)
        .every(({ fundsRecoveryId }) => fundsRecoveryId === other),
    ).toBe(true);
    expect((await feed()).some(({ rawPayload }) => rawPayload !== null)).toBe(true);
  });

  it('removes persons from the record, which is read as before', async () => {
    const get = async () =>
      (await service.request('GET', `/api/v1/funds-recovery/${id}`, { as: await tenant.user('owner') })).body;
    const before = await get();
    await success(erase(await tenant.key(['admin'])));
    expect(await get()).toEqual(before);
    const [row] = await service.database.sql<{ snapshot: string }>(
      'SELECT snapshot::text FROM fr_record WHERE tenant_id = $1 AND funds_recovery_id = $2',
      [tenant.id, id],
    );
    for (const personal of PERSONAL) expect(row?.snapshot).not.toContain(personal);
  });

  it('stays in effect when the directory is read again: later events have no payloads', async () => {
    const before = await feed();
    await success(erase(await tenant.key(['admin'])));
    await takeIn({ status: 'COMPLETED', recovery: { Id: id } });
    const after = await feed();
    expect(after.length).toBeGreaterThan(before.length);
    expect(after.at(-1)).toMatchObject({ fundsRecoveryId: id, status: 'COMPLETED', rawPayload: null });
    const stored = await service.database.sql<{ text: string }>(
      `
      SELECT snapshot::text AS text FROM fr_record WHERE tenant_id = $1
        UNION ALL SELECT coalesce(raw_payload::text, '') FROM fr_event WHERE tenant_id = $1`,
      [tenant.id],
    );
    for (const personal of PERSONAL) expect(stored.map(({ text }) => text).join('')).not.toContain(personal);
  });

  it('stays in effect for events that are simulated afterwards', async () => {
    await service.database.sql('UPDATE tenant SET sandbox_enabled = true WHERE id = $1', [tenant.id]);
    const as = await tenant.key(['admin'], { environment: 'test' });
    const simulate = async (target?: object) =>
      (
        await success(
          service.api.POST('/v1/sandbox/simulations', {
            headers: as,
            body: { type: 'funds_recovery_event', ...target },
          }),
        )
      ).body.effects[0]?.resource.id ?? '';
    const simulated = await simulate();
    await success(erase(as, simulated));
    await simulate({ target: { type: 'funds_recovery', id: simulated } });
    const { body } = await success(
      service.api.GET('/api/v1/funds-recovery/{fundsRecoveryId}/events', {
        params: { path: { fundsRecoveryId: simulated } },
        headers: await tenant.user('owner'),
      }),
    );
    expect(body.events.map(({ rawPayload }) => rawPayload)).toEqual([null, null]);
  });

  it('removes the bytes of pages that name it, and preserves the record of their arrival', async () => {
    const page = (xml: string) =>
      service.database.sql(
        `
      INSERT INTO dict_inbox (tenant_id, env, ispb, received_at, sha256, xml, verdict)
        VALUES ($1, 'live', '12345678', '2026-11-03', $2, $3, 'processed')`,
        [tenant.id, randomUUID(), Buffer.from(xml)],
      );
    await page(`<EntityId>${id.toUpperCase()}</EntityId>Olá`);
    await page(`<EntityId>${randomUUID()}</EntityId>`);
    await success(erase(await tenant.key(['admin'])));
    const rows = await service.database.sql(
      `SELECT xml IS NULL AS gone, verdict, sha256 IS NOT NULL AS hashed FROM dict_inbox WHERE tenant_id = $1
        ORDER BY xml NULLS FIRST`,
      [tenant.id],
    );
    expect(rows).toEqual([
      { gone: true, verdict: 'processed', hashed: true },
      { gone: false, verdict: 'processed', hashed: true },
    ]);
  });

  it('may be repeated, and is recorded once', async () => {
    const as = await tenant.key(['admin']);
    expect([(await success(erase(as))).status, (await success(erase(as))).status]).toEqual([204, 204]);
    expect(
      await service.database.sql(
        `SELECT 1 FROM audit_event WHERE tenant_id = $1 AND action = 'funds_recovery.payloads_erased'`,
        [tenant.id],
      ),
    ).toHaveLength(1);
  });

  it('is refused for recoveries that are missing, not the caller’s, or of a sandbox that is off', async () => {
    const as = await tenant.key(['admin']);
    expect((await refusal(erase(as, randomUUID()))).body.code).toBe('not_found');
    expect((await refusal(erase(await service.other.key(['admin'])))).body.code).toBe('not_found');
    expect((await refusal(erase(as, 'not-an-id'))).status).toBe(400);
    const simulated = await takeIn({ environment: 'sandbox' });
    expect((await refusal(erase(as, simulated))).body.code).toBe('sandbox_disabled');
    await service.database.sql('UPDATE tenant SET sandbox_enabled = true WHERE id = $1', [tenant.id]);
    const { status, headers } = await success(erase(await tenant.user('admin'), simulated));
    expect([status, headers.get('x-environment')]).toEqual([204, 'sandbox']);
  });
});
