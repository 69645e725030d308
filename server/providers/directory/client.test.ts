import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DirectoryClient } from './client.ts';
import type { Document } from './directory.ts';
import {
  makeTestAuthority,
  notification,
  recovery,
  recoveryId,
  refund,
  report,
  sendXml,
  signedAnswer,
  startTestDirectory,
  type TestAuthority,
  type TestDirectory,
  time,
} from './testing/test-directory.ts';
import { buildProblem } from './wire/answers.ts';
import { signXml } from './wire/signature.ts';

const ispb = '9ABCDEF0';
const first = { cursor: null, includeIndirect: false };

let trusted: TestAuthority;
let stranger: TestAuthority;
let server: TestDirectory;
let client: DirectoryClient;
beforeAll(async () => {
  [trusted, stranger] = await Promise.all([makeTestAuthority(), makeTestAuthority()]);
});
beforeEach(async () => {
  server = await startTestDirectory(trusted.authority);
  client = new DirectoryClient({
    url: server.url,
    authorities: trusted.authority.certificate,
    signers: [trusted.authority.signer.certificate],
    identify: trusted.authority.client,
  });
});
afterEach(async () => {
  await client.close();
  await server.close();
});
afterAll(() => Promise.all([trusted.remove(), stranger.remove()]));

const answer = (root: string, content: Document, gzip = false): void => {
  const xml = signedAnswer(trusted.authority.signer, root, content);
  server.answer((_, response) => sendXml(response, xml, { gzip }));
};
const target = (): URL => new URL(server.requests.at(-1)?.target ?? '', 'https://directory/');

describe('the directory client', () => {
  it('lists notifications and sends who calls, for which participant and with which query', async () => {
    answer('ListEventNotificationsResponse', {
      HasMoreElements: 'true',
      NextCursor: 'c2',
      EventNotifications: [notification, { ...notification, Id: '48212', Participant: '40511220' }],
    });
    const page = await client.listEventNotifications(ispb, { cursor: 'a/b+c=&d', includeIndirect: true });
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
    expect(server.requests[0]).toMatchObject({
      commonName: ispb,
      headers: { 'accept': 'application/xml', 'accept-encoding': 'gzip', 'pi-requestingparticipant': ispb },
    });
  });

  it('reads a page without optional elements as an empty last page', async () => {
    answer('ListEventNotificationsResponse', {});
    expect(await client.listEventNotifications(ispb, first)).toMatchObject({
      notifications: [],
      hasMore: false,
      nextCursor: null,
    });
    answer('ListEventNotificationsResponse', { EventNotifications: [], NextCursor: 'c' });
    expect(await client.listEventNotifications(ispb, first)).toMatchObject({
      notifications: [],
      hasMore: true,
      nextCursor: 'c',
    });
  });

  it('reads compressed answers and returns the decompressed bytes', async () => {
    answer('ListEventNotificationsResponse', { EventNotifications: [notification] }, true);
    const page = await client.listEventNotifications(ispb, first);
    expect(page.notifications).toEqual([notification]);
    expect(page.xml.subarray(0, 5).toString()).toBe('<?xml');
  });

  it('reads a recovery, its graph, its reports and its refunds', async () => {
    answer('GetFundsRecoveryResponse', { FundsRecovery: recovery });
    expect((await client.getFundsRecovery(ispb, recoveryId)).document).toEqual(recovery);
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
    expect((await client.getTrackingGraph(ispb, recoveryId)).document).toEqual(graph);
    answer('ListFundsRecoveryInfractionReportsResponse', { InfractionReports: [report] });
    expect((await client.listRecoveryInfractionReports(ispb, recoveryId)).document).toEqual([report]);
    expect(target().pathname).toBe(`/api/v2/funds-recoveries/${recoveryId}/infraction-reports`);
    answer('ListFundsRecoveryRefundsResponse', {});
    expect((await client.listRecoveryRefunds(ispb, recoveryId)).document).toEqual([]);
  });

  it('lists reports and refunds by role and time', async () => {
    answer('ListInfractionReportsResponse', { HasMoreElements: 'false', InfractionReports: [report] });
    expect(await client.listInfractionReports(ispb, { role: 'counterparty', modifiedAfter: time })).toMatchObject({
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
      await client.listRefunds(ispb, {
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
    expect(await client.getPolicy(ispb, 'EVENT_LIST')).toEqual({
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
    expect((await client.getFundsRecovery(ispb, recoveryId)).document).toEqual(later);
  });

  it('keeps at most four connections open', async () => {
    answer('ListEventNotificationsResponse', {});
    for (let call = 0; call < 8; call++) await client.listEventNotifications(ispb, first);
    expect(server.connections()).toBe(1);
    await Promise.all(Array.from({ length: 24 }, () => client.listEventNotifications(ispb, first)));
    expect(server.connections()).toBe(4);
    expect(server.requests).toHaveLength(32);
  });

  it('retries an identity that could not be loaded', async () => {
    answer('ListEventNotificationsResponse', {});
    let calls = 0;
    const failing = new DirectoryClient({
      url: server.url,
      authorities: trusted.authority.certificate,
      signers: [trusted.authority.signer.certificate],
      identify: async (name) => {
        if (++calls === 1) throw new Error('disk');
        return trusted.authority.client(name);
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
    await client.listEventNotifications(ispb, first);
    await client.listEventNotifications('90000002', first);
    expect(server.requests.map(({ commonName }) => commonName)).toEqual([ispb, '90000002']);
  });
});

describe('a refusal of the directory', () => {
  it.each([
    ['RateLimited', 429, 'RateLimited'],
    ['ServiceUnavailable', 503, 'ServiceUnavailable'],
    ['Forbidden', 403, 'Forbidden'],
    ['NotFound', 404, 'NotFound'],
    ['BadRequest', 400, 'BadRequest'],
    ['FundsRecoveryInvalid', 400, 'BadRequest'],
    ['SomethingNew', 409, 'BadRequest'],
    ['SomethingNew', 410, 'NotFound'],
    ['InternalServerError', 500, 'ServiceUnavailable'],
    ['SomethingNew', 504, 'ServiceUnavailable'],
  ])('is classified: %s with %i is %s', async (name, status, kind) => {
    for (const xml of [
      buildProblem({ name, title: 't', status }),
      signXml(buildProblem({ name, title: 't', status }), trusted.authority.signer),
    ]) {
      server.answer((_, response) => sendXml(response, xml, { status }));
      await expect(client.getFundsRecovery(ispb, recoveryId)).rejects.toMatchObject({ name: 'DirectoryError', kind });
    }
  });

  it('is classified by the status alone if a proxy answers', async () => {
    server.answer(
      (_, response) =>
        void response
          .writeHead(503, { 'Content-Type': 'text/html', 'Retry-After': '30' })
          .end('<!DOCTYPE html><p>Down'),
    );
    await expect(client.listEventNotifications(ispb, first)).rejects.toMatchObject({
      kind: 'ServiceUnavailable',
      retryAfterSeconds: 30,
    });
    server.answer(
      (_, response) => void response.writeHead(503, { 'Retry-After': 'Fri, 31 Dec 1999 23:59:59 GMT' }).end(),
    );
    await expect(client.listEventNotifications(ispb, first)).rejects.toMatchObject({
      kind: 'ServiceUnavailable',
      retryAfterSeconds: null,
    });
  });

  it('is rejected if the problem is signed by another signer', async () => {
    const xml = signXml(buildProblem({ name: 'NotFound', title: 't', status: 404 }), stranger.authority.signer);
    server.answer((_, response) => sendXml(response, xml, { status: 404 }));
    await expect(client.getFundsRecovery(ispb, recoveryId)).rejects.toMatchObject({ kind: 'SignatureInvalid' });
  });

  it('is reported without quoting the answer', async () => {
    const secret = 'Maria-Silva-12345678909';
    const answers: readonly [number, string][] = [
      [
        400,
        buildProblem({
          name: `BadRequest`,
          title: secret,
          status: 400,
          detail: secret,
        }),
      ],
      [200, `<GetFundsRecoveryResponse><A>${secret}</A></GetFundsRecoveryResponse>`],
      [200, `<${secret}`],
      [
        200,
        signedAnswer(stranger.authority.signer, 'GetFundsRecoveryResponse', {
          FundsRecovery: { ...recovery, ReportDetails: secret },
        }),
      ],
      [
        200,
        signedAnswer(trusted.authority.signer, 'GetFundsRecoveryResponse', {
          FundsRecovery: { ...recovery, Id: secret },
        }),
      ],
      [200, signedAnswer(trusted.authority.signer, secret.replaceAll('-', ''), {})],
    ];
    for (const [status, xml] of answers) {
      server.answer((_, response) => sendXml(response, xml, { status }));
      const error: unknown = await client.getFundsRecovery(ispb, recoveryId).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ name: 'DirectoryError' });
      for (let cause = error; cause instanceof Error; cause = cause.cause)
        expect(`${cause.message} ${cause.stack}`).not.toMatch(/Maria|Silva/);
    }
  });
});

describe('an invalid answer', () => {
  const notBelieved = async (xml: string, kind: string): Promise<void> => {
    server.answer((_, response) => sendXml(response, xml));
    await expect(client.getFundsRecovery(ispb, recoveryId)).rejects.toMatchObject({ name: 'DirectoryError', kind });
    expect(server.requests).toHaveLength(1);
  };

  it('is rejected if it is unsigned, without a retry', () =>
    notBelieved('<GetFundsRecoveryResponse/>', 'SignatureInvalid'));

  it('is rejected if it is signed by another signer', () =>
    notBelieved(
      signedAnswer(stranger.authority.signer, 'GetFundsRecoveryResponse', { FundsRecovery: recovery }),
      'SignatureInvalid',
    ));

  it('is rejected if it answers another request', () =>
    notBelieved(
      signedAnswer(trusted.authority.signer, 'GetTrackingGraphResponse', { FundsRecovery: recovery }),
      'Unreadable',
    ));

  it('is rejected if it is about another recovery', () =>
    notBelieved(
      signedAnswer(trusted.authority.signer, 'GetFundsRecoveryResponse', {
        FundsRecovery: { ...recovery, Id: 'ca1b9c01-ff9e-4a58-90ab-d31512e15ce0' },
      }),
      'Unreadable',
    ));

  it.each([
    [
      'graph',
      'GetTrackingGraphResponse',
      { TrackingGraph: { FundsRecoveryId: 'ca1b', RootTransactionId: 'E', CreationTime: time } },
      () => client.getTrackingGraph(ispb, recoveryId),
    ],
    [
      'report',
      'ListFundsRecoveryInfractionReportsResponse',
      { InfractionReports: [report, { ...report, FundsRecoveryId: 'ca1b' }] },
      () => client.listRecoveryInfractionReports(ispb, recoveryId),
    ],
    [
      'refund',
      'ListFundsRecoveryRefundsResponse',
      { Refunds: [refund, { ...refund, FundsRecoveryId: 'ca1b' }] },
      () => client.listRecoveryRefunds(ispb, recoveryId),
    ],
  ])('is rejected if its %s is about another recovery', async (_, root, content, call) => {
    answer(root, content);
    await expect(call()).rejects.toMatchObject({ kind: 'Unreadable' });
  });

  it('is rejected if a mandatory element is missing', () =>
    notBelieved(
      signedAnswer(trusted.authority.signer, 'GetFundsRecoveryResponse', {
        FundsRecovery: { ...recovery, Status: undefined },
      }),
      'Unreadable',
    ));

  it('is rejected if a text element has child elements', () =>
    notBelieved(
      signedAnswer(trusted.authority.signer, 'GetFundsRecoveryResponse', {
        FundsRecovery: { ...recovery, Status: { Name: 'x' } },
      }),
      'Unreadable',
    ));

  it('is rejected if it has no time', () =>
    notBelieved(
      signedAnswer(trusted.authority.signer, 'GetFundsRecoveryResponse', {
        ResponseTime: 'now',
        FundsRecovery: recovery,
      }),
      'Unreadable',
    ));

  it.each([
    ['signed by another', () => signedAnswer(stranger.authority.signer, 'ListEventNotificationsResponse', {})],
    [
      'with a notification that lacks its time',
      () =>
        signedAnswer(trusted.authority.signer, 'ListEventNotificationsResponse', {
          EventNotifications: [{ ...notification, Timestamp: undefined }],
        }),
    ],
  ])('is identified by its hash if it is a page %s', async (_, page) => {
    const xml = page();
    server.answer((_, response) => sendXml(response, xml));
    await expect(client.listEventNotifications(ispb, { cursor: null, includeIndirect: false })).rejects.toMatchObject({
      sha256: createHash('sha256').update(xml).digest('hex'),
    });
  });
});

it('reports the calls left for each rate that was used', async () => {
  answer('ListEventNotificationsResponse', {});
  expect(await client.tokens()).toEqual([]);
  await client.listEventNotifications(ispb, { cursor: null, includeIndirect: false });
  expect(await client.tokens()).toEqual([{ ispb, policy: 'EVENT_LIST', tokens: expect.closeTo(199, 0) }]);
});
