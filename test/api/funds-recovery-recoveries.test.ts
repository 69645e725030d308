/** Tests of reading one recovery. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { components } from '../../server/contract/generated/client-types.ts';
import { refusal, success } from '../support/api.ts';
import { ISPB, takeInRecovery, type RecoveryOptions } from '../support/recoveries.ts';
import { useService, type Answer, type Credential, type Tenant } from '../support/service.ts';

type Schemas = components['schemas'];
type List = Schemas['FundsRecoveryRecordList'];
const PATH = '/api/v1/funds-recovery';
const day = 24 * 60 * 60_000;
let tenant: Tenant;
let client: Credential;
const service = await useService();

beforeEach(async () => {
  tenant = await service.tenant();
  client = await tenant.client(['read']);
});

const takeIn = (options: RecoveryOptions = {}) => takeInRecovery(service.database.database, tenant.id, options);

const enableSandbox = async () =>
  success(service.api.POST('/v1/sandbox/enable', { headers: await tenant.key(['admin']) }));

const list = (query = '', as = client) => service.request<List>('GET', PATH + query, { as });

const find = (id: string, as = client) =>
  service.api.GET('/api/v1/funds-recovery/{fundsRecoveryId}', {
    params: { path: { fundsRecoveryId: id } },
    headers: as,
  });

const get = (id: string) => success(find(id));
const ids = ({ body }: Answer<List>): string[] => body.items.map(({ id }) => id);

describe('a recovery', () => {
  it('is shown as the directory last described it, with its amounts in minor units', async () => {
    const id = await takeIn();
    const { status, body, headers } = await get(id);
    expect([status, headers.get('x-environment')]).toEqual([200, 'live']);
    expect(body).toEqual({
      id,
      environment: 'live',
      participant: ISPB,
      role: 'SENT',
      status: 'COMPLETED',
      situationType: 'SCAM',
      rootTransactionId: expect.stringMatching(/^E\w{31}$/),
      // Both refunds are closed, and 312.35 was returned.
      money: {
        currency: 'BRL',
        rootAmount: 81_240,
        refundableAmount: 31_235,
        refundedAmount: 31_235,
      },
      revision: 16,
      nextDeadline: null,
      createdAt: '2026-11-02T21:04:11.482Z',
      analysedAt: '2026-11-03T21:04:11.482Z',
      updatedAt: '2026-11-04T00:04:11.482Z',
    });
  });

  it('omits what the directory has not reported yet', async () => {
    const { body } = await get(await takeIn({ status: 'CREATED' }));
    expect(body).toMatchObject({
      status: 'CREATED',
      analysedAt: null,
      money: {
        currency: 'BRL',
        rootAmount: null,
        refundableAmount: null,
        refundedAmount: 0,
      },
    });
  });

  it('shows what is due next', async () => {
    const analysedAt = new Date(Date.now() - day);
    const id = await takeIn({ status: 'ANALYSED', createdAt: new Date(Date.now() - 2 * day), analysedAt });
    const { body } = await get(id);
    expect(body.nextDeadline).toEqual({
      fundsRecoveryId: id,
      stage: 'REFUND_START',
      setBy: 'DIRECTORY',
      dueAt: new Date(analysedAt.getTime() + 3 * day).toISOString(),
    });
    // The two reports are about the same money.
    expect(body.money.refundableAmount).toBe(81_240);
  });

  it('stores only what a response can contain, whatever the directory sends', async () => {
    const id = await takeIn({ recovery: { SituationType: 'X'.repeat(500), RootTransactionId: 'E'.repeat(40) } });
    const { status, body } = await get(id);
    expect([status, body.situationType, body.rootTransactionId]).toEqual([200, 'X'.repeat(40), 'E'.repeat(32)]);
  });

  it('is found by its id in upper case, too', async () => {
    const id = await takeIn();
    expect((await get(id.toUpperCase())).body.id).toBe(id);
  });

  it.each([
    ['an unknown one', '5f0c6a1e-3c2b-4d1a-9e8f-7a6b5c4d3e2f', 404, 'not_found'],
    ['what is no id', 'all', 400, 'invalid_parameter'],
  ])('is not %s', async (_what, id, status, code) => {
    const answer = await service.request('GET', `${PATH}/${id}`, { as: client });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it('of a sandbox is read there, and not by a client that is pinned to live', async () => {
    const id = await takeIn({ environment: 'sandbox' });
    const answer = await get(id);
    expect([answer.status, answer.body.environment, answer.headers.get('x-environment')]).toEqual([
      200,
      'sandbox',
      'sandbox',
    ]);
    expect((await refusal(find(id, await tenant.client(['read'], { pinEnvironment: true })))).status).toBe(404);
    await enableSandbox();
    expect((await refusal(find(await takeIn(), await tenant.client(['read'], { environment: 'test' })))).status).toBe(
      404,
    );
  });

  it('that both directories know is the one of the environment in effect', async () => {
    const id = await takeIn({ status: 'CREATED' });
    await takeIn({ environment: 'sandbox', recovery: { Id: id } });
    expect((await get(id)).body).toMatchObject({ environment: 'live', status: 'CREATED' });
    await enableSandbox();
    expect((await get(id)).body).toMatchObject({ environment: 'sandbox', status: 'COMPLETED' });
  });
});

describe('a recovery that was simulated', () => {
  it('is read like any other, from its first event to its last', async () => {
    const as = await tenant.key(['admin']);
    await enableSandbox();
    const simulate = (body: object) =>
      success(
        service.api.POST('/v1/sandbox/simulations', { headers: as, body: { type: 'funds_recovery_event', ...body } }),
      );
    const id = (await simulate({})).body.effects[0]?.resource.id ?? '';
    const first = (await get(id)).body;
    expect(first).toMatchObject({
      environment: 'sandbox',
      role: 'SENT',
      status: 'CREATED',
      revision: 1,
      analysedAt: null,
      nextDeadline: null,
      rootTransactionId: expect.stringMatching(/^E\w{31}$/),
    });
    for (let step = 0; step < 5; step++) await simulate({ target: { type: 'funds_recovery', id } });
    const last = (await get(id)).body;
    expect(last).toMatchObject({
      status: 'COMPLETED',
      revision: 6,
      createdAt: first.createdAt,
      rootTransactionId: first.rootTransactionId,
      analysedAt: expect.any(String),
    });
    expect(ids(await list())).toEqual([id]);
    expect(
      (
        await success(
          service.api.GET('/api/v1/funds-recovery/{fundsRecoveryId}/events', {
            params: { path: { fundsRecoveryId: id } },
            headers: client,
          }),
        )
      ).body.events,
    ).toHaveLength(6);
    expect(
      (
        await success(
          service.api.GET('/api/v1/funds-recovery/{fundsRecoveryId}/refunds', {
            params: { path: { fundsRecoveryId: id } },
            headers: client,
          }),
        )
      ).body,
    ).toEqual({ items: [], cursor: null, hasMore: false });
    expect(
      (
        await refusal(
          service.api.GET('/api/v1/funds-recovery/{fundsRecoveryId}/tracking-graph', {
            params: { path: { fundsRecoveryId: id } },
            headers: client,
          }),
        )
      ).status,
    ).toBe(404);
    await success(service.api.DELETE('/v1/sandbox/data', { headers: as }));
    expect((await refusal(find(id))).status).toBe(404);
  });

  it('does not replace one that the directory of the sandbox describes', async () => {
    const as = await tenant.key(['admin']);
    await enableSandbox();
    const id = await takeIn({ environment: 'sandbox', status: 'AWAITING_ANALYSIS' });
    const before = (await get(id)).body;
    await success(
      service.api.POST('/v1/sandbox/simulations', {
        headers: as,
        body: {
          type: 'funds_recovery_event',
          target: { type: 'funds_recovery', id },
          parameters: { eventType: 'SOMETHING_NEW' },
        },
      }),
    );
    expect((await get(id)).body).toEqual(before);
  });
});
