/** Tests of the calls of the directory client. */
import { describe, expect, it } from 'vitest';
import { DirectoryClient } from './client.ts';
import { clientSite, first, ispb } from './testing/client-site.ts';
import { notification, recovery, recoveryId, refund, report, time } from './testing/test-directory.ts';

const site = clientSite();
const { answer } = site;

const target = (): URL => new URL(site.server.requests.at(-1)?.target ?? '', 'https://directory/');

describe('the directory client', () => {
  it('lists notifications and sends who calls, for which participant and with which query', async () => {
    answer('ListEventNotificationsResponse', {
      HasMoreElements: 'true',
      NextCursor: 'c2',
      EventNotifications: [notification, { ...notification, Id: '48212', Participant: '40511220' }],
    });
    const page = await site.client.listEventNotifications(ispb, { cursor: 'a/b+c=&d', includeIndirect: true });
    expect(page).toMatchObject({
      hasMore: true,
      nextCursor: 'c2',
      responseTime: time,
      correlationId: 'a9f13566e19f5ca51329479a5bae60c5',
    });
    expect(page.notifications).toEqual([notification, { ...notification, Id: '48212', Participant: '40511220' }]);
    expect(page.sha256).toMatch(/^[\da-f]{64}$/);
    expect(page.xml.toString()).toContain('<ds:Signature');
    expect(target().pathname).toBe('/api/v2/event-notifications');
    expect(Object.fromEntries(target().searchParams)).toEqual({
      Participant: ispb,
      IncludeIndirectParticipants: 'true',
      Cursor: 'a/b+c=&d',
    });
    expect(site.server.requests[0]).toMatchObject({
      commonName: ispb,
      headers: { 'accept': 'application/xml', 'accept-encoding': 'gzip', 'pi-requestingparticipant': ispb },
    });
  });

  it('reads a page without optional elements as an empty last page', async () => {
    answer('ListEventNotificationsResponse', {});
    expect(await site.client.listEventNotifications(ispb, first)).toMatchObject({
      notifications: [],
      hasMore: false,
      nextCursor: null,
    });
    answer('ListEventNotificationsResponse', { EventNotifications: [], NextCursor: 'c' });
    expect(await site.client.listEventNotifications(ispb, first)).toMatchObject({
      notifications: [],
      hasMore: true,
      nextCursor: 'c',
    });
  });

  it('reads compressed answers and returns the decompressed bytes', async () => {
    answer('ListEventNotificationsResponse', { EventNotifications: [notification] }, true);
    const page = await site.client.listEventNotifications(ispb, first);
    expect(page.notifications).toEqual([notification]);
    expect(page.xml.subarray(0, 5).toString()).toBe('<?xml');
  });

  it('reads a recovery, its graph, its reports and its refunds', async () => {
    answer('GetFundsRecoveryResponse', { FundsRecovery: recovery });
    expect((await site.client.getFundsRecovery(ispb, recoveryId)).document).toEqual(recovery);
    expect(target().pathname).toBe(`/api/v2/funds-recoveries/${recoveryId}`);
    const graph = {
      FundsRecoveryId: recoveryId,
      RootTransactionId: 'E',
      CreationTime: time,
      Parameters: { MaxHops: '2' },
      Persons: [{ Id: '1', Type: 'NATURAL_PERSON' }],
      Accounts: [],
      Transactions: [{ Id: 'E', Amount: '1000.20' }],
    };
    answer('GetTrackingGraphResponse', { TrackingGraph: graph });
    expect((await site.client.getTrackingGraph(ispb, recoveryId)).document).toEqual(graph);
    answer('ListFundsRecoveryInfractionReportsResponse', { InfractionReports: [report] });
    expect((await site.client.listRecoveryInfractionReports(ispb, recoveryId)).document).toEqual([report]);
    expect(target().pathname).toBe(`/api/v2/funds-recoveries/${recoveryId}/infraction-reports`);
    answer('ListFundsRecoveryRefundsResponse', {});
    expect((await site.client.listRecoveryRefunds(ispb, recoveryId)).document).toEqual([]);
  });

  it('lists reports and refunds by role and time', async () => {
    answer('ListInfractionReportsResponse', { HasMoreElements: 'false', InfractionReports: [report] });
    expect(await site.client.listInfractionReports(ispb, { role: 'counterparty', modifiedAfter: time })).toMatchObject({
      items: [report],
      hasMore: false,
      nextCursor: null,
    });
    expect(Object.fromEntries(target().searchParams)).toEqual({
      Participant: ispb,
      IsCounterparty: 'true',
      ModifiedAfter: time,
      IncludeIndirectParticipants: 'false',
      IncludeDetails: 'true',
      Limit: '200',
    });
    answer('ListRefundsResponse', { HasMoreElements: 'true', NextCursor: 'n', Refunds: [refund] });
    expect(
      await site.client.listRefunds(ispb, {
        role: 'CONTESTED',
        modifiedAfter: time,
        modifiedBefore: time,
        cursor: 'm',
      }),
    ).toMatchObject({ items: [refund], hasMore: true, nextCursor: 'n' });
    expect(Object.fromEntries(target().searchParams)).toMatchObject({
      ParticipantRole: 'CONTESTED',
      ModifiedAfter: time,
      ModifiedBefore: time,
      Cursor: 'm',
    });
  });

  it('reads a policy', async () => {
    answer('GetPolicyResponse', {
      Category: 'A',
      Policy: {
        AvailableTokens: '0',
        Capacity: '200',
        RefillTokens: '40',
        RefillPeriodSec: '60',
        Name: 'EVENT_LIST',
      },
    });
    expect(await site.client.getPolicy(ispb, 'EVENT_LIST')).toEqual({
      availableTokens: 0,
      capacity: 200,
      refillTokens: 40,
      refillPeriodSeconds: 60,
    });
  });

  it('accepts unknown values and elements', async () => {
    const later = {
      ...recovery,
      Status: 'PARTLY_FROZEN',
      TransactionDepth: '2',
      Layers: [{ No: '1' }],
      Audit: { By: 'x' },
    };
    answer('GetFundsRecoveryResponse', { FundsRecovery: later, Later: 'y' });
    expect((await site.client.getFundsRecovery(ispb, recoveryId)).document).toEqual(later);
  });

  it('keeps at most four connections open', async () => {
    answer('ListEventNotificationsResponse', {});
    for (let call = 0; call < 8; call++) await site.client.listEventNotifications(ispb, first);
    expect(site.server.connections()).toBe(1);
    await Promise.all(Array.from({ length: 24 }, () => site.client.listEventNotifications(ispb, first)));
    expect(site.server.connections()).toBe(4);
    expect(site.server.requests).toHaveLength(32);
  });

  it('retries an identity that could not be loaded', async () => {
    answer('ListEventNotificationsResponse', {});
    let calls = 0;
    const failing = new DirectoryClient({
      url: site.server.url,
      authorities: site.trusted.authority.certificate,
      signers: [site.trusted.authority.signer.certificate],
      identify: async (name) => {
        if (++calls === 1) throw new Error('disk');
        return site.trusted.authority.client(name);
      },
    });
    await expect(failing.listEventNotifications(ispb, first)).rejects.toThrow('disk');
    await failing.listEventNotifications(ispb, first);
    await failing.listEventNotifications(ispb, first);
    expect(calls).toBe(2);
    await failing.close();
  });

  it('uses separate connections for two participants', async () => {
    answer('ListEventNotificationsResponse', {});
    await site.client.listEventNotifications(ispb, first);
    await site.client.listEventNotifications('90000002', first);
    expect(site.server.requests.map(({ commonName }) => commonName)).toEqual([ispb, '90000002']);
  });
});

it('reports the calls left for each rate that was used', async () => {
  answer('ListEventNotificationsResponse', {});
  expect(await site.client.tokens()).toEqual([]);
  await site.client.listEventNotifications(ispb, { cursor: null, includeIndirect: false });
  expect(await site.client.tokens()).toEqual([{ ispb, policy: 'EVENT_LIST', tokens: expect.closeTo(199, 0) }]);
});
