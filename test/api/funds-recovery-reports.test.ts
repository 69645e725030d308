/** Tests of the infraction reports and refunds of a recovery. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { components } from '../../server/contract/generated/client-types.ts';
import { success } from '../support/api.ts';
import { ISPB, takeInRecovery, type RecoveryOptions } from '../support/recoveries.ts';
import type { Answer, Credential, Tenant } from '../support/service.ts';
import { useFeed } from './funds-recovery-world.ts';

type Schemas = components['schemas'];

type Pages = {
  readonly items?: readonly { readonly id: string }[];
  readonly events?: readonly { readonly eventId: string }[];
  readonly cursor: string | null;
  readonly hasMore: boolean;
};

const hour = 60 * 60_000;
let tenant: Tenant;
let client: Credential;
const world = await useFeed();

beforeEach(async () => {
  tenant = await world.service.tenant();
  client = await tenant.client(['read']);
});

const takeIn = (options: RecoveryOptions = {}) => takeInRecovery(world.service.database.database, tenant.id, options);

const read = <T>(id: string, what: string): Promise<Answer<T>> =>
  world.service.request<T>('GET', `/api/v1/funds-recovery/${id}/${what}`, { as: client });

const reports = async (id: string) =>
  (await read<Schemas['InfractionReportList']>(id, 'infraction-reports')).body.items;

const refunds = async (id: string) => (await read<Schemas['RefundList']>(id, 'refunds')).body.items;

async function maskPayloads(): Promise<void> {
  const as = await tenant.key(['admin']);
  const { headers } = await world.service.request('GET', '/v1/settings', { as });
  const { status } = await world.service.request('PATCH', '/v1/settings', {
    as,
    headers: { 'If-Match': headers.get('etag') ?? '' },
    body: { fundsRecovery: { rawPayload: 'masked' } },
  });
  expect(status).toBe(200);
}

describe('the reports and refunds of a recovery', () => {
  it('are shown with amounts in minor units, the oldest first', async () => {
    const id = await takeIn();
    const [first, second] = await reports(id);
    expect(first).toEqual({
      id: expect.any(String),
      transactionId: expect.stringMatching(/^E\w{31}$/),
      status: 'CLOSED',
      reason: 'REFUND_REQUEST',
      reportDetails: 'The customer did not recognise the payment.',
      reporterParticipant: ISPB,
      counterpartyParticipant: '90400888',
      analysisResult: 'AGREED',
      infractionAmount: { amount: 81_240, currency: 'BRL' },
      dueAt: null,
      createdAt: '2026-11-02T21:04:12.482Z',
      updatedAt: '2026-11-03T21:04:11.482Z',
    });
    expect(second?.infractionAmount).toEqual({ amount: 50_005, currency: 'BRL' });
    expect(await refunds(id)).toEqual([
      expect.objectContaining({
        infractionReportId: first?.id,
        transactionId: first?.transactionId,
        status: 'CLOSED',
        requestingParticipant: ISPB,
        contestedParticipant: '90400888',
        analysisResult: 'PARTIALLY_ACCEPTED',
        rejectionReason: null,
        refundAmount: { amount: 81_240, currency: 'BRL' },
        effectiveRefundedAmount: { amount: 31_235, currency: 'BRL' },
        refundTransactionId: expect.stringMatching(/^D\w{31}$/),
        dueAt: null,
        reason: 'FRAUD',
        refundDetails: 'Return of a disputed payment.',
        monitorAccount: false,
        refundAccount: {
          taxId: '52998224725',
          participant: ISPB,
          branch: '0001',
          accountNumber: '9876543210',
          accountType: 'CACC',
        },
      }),
      expect.objectContaining({
        infractionReportId: second?.id,
        analysisResult: 'REJECTED',
        rejectionReason: 'NO_BALANCE',
        effectiveRefundedAmount: { amount: 0, currency: 'BRL' },
        refundTransactionId: null,
      }),
    ]);
  });

  it('show personal members masked to readers who see persons masked, and to everybody if the tenant wants it', async () => {
    const id = await takeIn({ status: 'REFUNDING' });
    const shownTo = async (as: Credential): Promise<unknown> => {
      const [report, refund] = await Promise.all(
        ['infraction-reports', 'refunds'].map(
          async (what) =>
            (
              await world.service.request<{ items: Record<string, unknown>[] }>(
                'GET',
                `/api/v1/funds-recovery/${id}/${what}`,
                { as },
              )
            ).body.items[0]!,
        ),
      );
      return [
        report!['reportDetails'],
        report!['reason'],
        refund!['refundDetails'],
        refund!['monitorAccount'],
        refund!['refundAccount'],
      ];
    };
    const full = await shownTo(await tenant.user('owner'));
    expect(full).toEqual([
      'The customer did not recognise the payment.',
      'REFUND_REQUEST',
      'Return of a disputed payment.',
      true,
      {
        taxId: '52998224725',
        participant: ISPB,
        branch: '0001',
        accountNumber: '9876543210',
        accountType: 'CACC',
      },
    ]);
    const masked = [
      '***',
      'REFUND_REQUEST',
      '***',
      true,
      {
        taxId: '***',
        participant: ISPB,
        branch: '***',
        accountNumber: '***',
        accountType: 'CACC',
      },
    ];
    for (const role of ['admin', 'developer', 'viewer'] as const)
      expect(await shownTo(await tenant.user(role)), role).toEqual(masked);
    await maskPayloads();
    expect(await shownTo(await tenant.user('owner'))).toEqual(masked);
  });

  it('lose personal members when payloads are erased', async () => {
    const id = await takeIn({ status: 'REFUNDING' });
    await success(
      world.service.api.DELETE('/api/v1/funds-recovery/{fundsRecoveryId}/payloads', {
        params: { path: { fundsRecoveryId: id } },
        headers: await tenant.user('owner'),
      }),
    );
    expect((await reports(id))[0]).toMatchObject({ reason: 'REFUND_REQUEST', reportDetails: null });
    expect((await refunds(id))[0]).toMatchObject({
      reason: 'FRAUD',
      refundDetails: null,
      refundAccount: {
        taxId: null,
        participant: ISPB,
        branch: null,
        accountNumber: null,
        accountType: 'CACC',
      },
    });
  });

  it('omit what the directory omits', async () => {
    const id = await takeIn({ status: 'REFUNDING' });
    await world.service.database.sql(
      `UPDATE fr_record
        SET snapshot = snapshot #- '{Refunds,0,RefundAccount}' #- '{Refunds,0,MonitorAccount}' #-
        '{Refunds,0,RefundDetails}' WHERE tenant_id = $1`,
      [tenant.id],
    );
    expect((await refunds(id))[0]).toMatchObject({ refundDetails: null, refundAccount: null, monitorAccount: null });
  });

  it('show their due dates while they are open', async () => {
    const createdAt = new Date(Date.now() - 24 * hour);
    const [report] = await reports(await takeIn({ status: 'AWAITING_ANALYSIS', createdAt }));
    expect([report?.status, report?.analysisResult, report?.dueAt]).toEqual([
      'OPEN',
      null,
      new Date(createdAt.getTime() + 1000 + 7 * 24 * hour).toISOString(),
    ]);
    const analysedAt = new Date(Date.now() - 6 * hour);
    const [refund] = await refunds(await takeIn({ status: 'REFUNDING', createdAt, analysedAt }));
    expect([refund?.status, refund?.effectiveRefundedAmount, refund?.dueAt]).toEqual([
      'OPEN',
      null,
      new Date(analysedAt.getTime() + 25 * hour).toISOString(),
    ]);
  });

  it('are no longer due once the recovery has ended', async () => {
    const id = await takeIn({ status: 'AWAITING_ANALYSIS' });
    await world.service.database.sql(
      `UPDATE fr_record SET status = 'CANCELLED' WHERE tenant_id = $1 AND funds_recovery_id = $2`,
      [tenant.id, id],
    );
    expect((await reports(id)).map(({ status, dueAt }) => [status, dueAt])).toEqual([
      ['OPEN', null],
      ['OPEN', null],
    ]);
  });

  it('pass on an unknown status', async () => {
    const id = await takeIn();
    await world.service.database.sql(
      `UPDATE fr_record
        SET snapshot = jsonb_set(jsonb_set(snapshot, '{InfractionReports,0,Status}', '"WITHDRAWN"'),
        '{Refunds,0,Status}', '"PAUSED"') WHERE tenant_id = $1`,
      [tenant.id],
    );
    expect([(await reports(id))[0]?.status, (await refunds(id))[0]?.status]).toEqual(['WITHDRAWN', 'PAUSED']);
  });

  it('are empty before the directory has opened any', async () => {
    const id = await takeIn({ status: 'CREATED' });
    for (const what of ['infraction-reports', 'refunds'])
      expect((await read<Pages>(id, what)).body).toEqual({ items: [], cursor: null, hasMore: false });
  });
});
