/** Tests of answers of the directory that are refusals, or must be rejected. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { clientSite, first, ispb } from './testing/client-site.ts';
import {
  notification,
  recovery,
  recoveryId,
  refund,
  report,
  sendXml,
  signedAnswer,
  time,
} from './testing/test-directory.ts';
import { buildProblem } from './wire/answers.ts';
import { signXml } from './wire/signature.ts';

const site = clientSite();
const { answer } = site;

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
      signXml(buildProblem({ name, title: 't', status }), site.trusted.authority.signer),
    ]) {
      site.server.answer((_, response) => sendXml(response, xml, { status }));
      await expect(site.client.getFundsRecovery(ispb, recoveryId)).rejects.toMatchObject({
        name: 'DirectoryError',
        kind,
      });
    }
  });

  it('is classified by the status alone if a proxy answers', async () => {
    site.server.answer(
      (_, response) =>
        void response
          .writeHead(503, { 'Content-Type': 'text/html', 'Retry-After': '30' })
          .end('<!DOCTYPE html><p>Down'),
    );
    await expect(site.client.listEventNotifications(ispb, first)).rejects.toMatchObject({
      kind: 'ServiceUnavailable',
      retryAfterSeconds: 30,
    });
    site.server.answer(
      (_, response) => void response.writeHead(503, { 'Retry-After': 'Fri, 31 Dec 1999 23:59:59 GMT' }).end(),
    );
    await expect(site.client.listEventNotifications(ispb, first)).rejects.toMatchObject({
      kind: 'ServiceUnavailable',
      retryAfterSeconds: null,
    });
  });

  it('is rejected if the problem is signed by another signer', async () => {
    const xml = signXml(buildProblem({ name: 'NotFound', title: 't', status: 404 }), site.stranger.authority.signer);
    site.server.answer((_, response) => sendXml(response, xml, { status: 404 }));
    await expect(site.client.getFundsRecovery(ispb, recoveryId)).rejects.toMatchObject({ kind: 'SignatureInvalid' });
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
        signedAnswer(site.stranger.authority.signer, 'GetFundsRecoveryResponse', {
          FundsRecovery: { ...recovery, ReportDetails: secret },
        }),
      ],
      [
        200,
        signedAnswer(site.trusted.authority.signer, 'GetFundsRecoveryResponse', {
          FundsRecovery: { ...recovery, Id: secret },
        }),
      ],
      [200, signedAnswer(site.trusted.authority.signer, secret.replaceAll('-', ''), {})],
    ];
    for (const [status, xml] of answers) {
      site.server.answer((_, response) => sendXml(response, xml, { status }));
      const error: unknown = await site.client.getFundsRecovery(ispb, recoveryId).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ name: 'DirectoryError' });
      for (let cause = error; cause instanceof Error; cause = cause.cause)
        expect(`${cause.message} ${cause.stack}`).not.toMatch(/Maria|Silva/);
    }
  });
});

describe('an invalid answer', () => {
  const notBelieved = async (xml: string, kind: string): Promise<void> => {
    site.server.answer((_, response) => sendXml(response, xml));
    await expect(site.client.getFundsRecovery(ispb, recoveryId)).rejects.toMatchObject({
      name: 'DirectoryError',
      kind,
    });
    expect(site.server.requests).toHaveLength(1);
  };

  it('is rejected if it is unsigned, without a retry', () =>
    notBelieved('<GetFundsRecoveryResponse/>', 'SignatureInvalid'));

  it('is rejected if it is signed by another signer', () =>
    notBelieved(
      signedAnswer(site.stranger.authority.signer, 'GetFundsRecoveryResponse', { FundsRecovery: recovery }),
      'SignatureInvalid',
    ));

  it('is rejected if it answers another request', () =>
    notBelieved(
      signedAnswer(site.trusted.authority.signer, 'GetTrackingGraphResponse', { FundsRecovery: recovery }),
      'Unreadable',
    ));

  it('is rejected if it is about another recovery', () =>
    notBelieved(
      signedAnswer(site.trusted.authority.signer, 'GetFundsRecoveryResponse', {
        FundsRecovery: { ...recovery, Id: 'ca1b9c01-ff9e-4a58-90ab-d31512e15ce0' },
      }),
      'Unreadable',
    ));

  it.each([
    [
      'graph',
      'GetTrackingGraphResponse',
      { TrackingGraph: { FundsRecoveryId: 'ca1b', RootTransactionId: 'E', CreationTime: time } },
      () => site.client.getTrackingGraph(ispb, recoveryId),
    ],
    [
      'report',
      'ListFundsRecoveryInfractionReportsResponse',
      { InfractionReports: [report, { ...report, FundsRecoveryId: 'ca1b' }] },
      () => site.client.listRecoveryInfractionReports(ispb, recoveryId),
    ],
    [
      'refund',
      'ListFundsRecoveryRefundsResponse',
      { Refunds: [refund, { ...refund, FundsRecoveryId: 'ca1b' }] },
      () => site.client.listRecoveryRefunds(ispb, recoveryId),
    ],
  ])('is rejected if its %s is about another recovery', async (_, root, content, call) => {
    answer(root, content);
    await expect(call()).rejects.toMatchObject({ kind: 'Unreadable' });
  });

  it('is rejected if a mandatory element is missing', () =>
    notBelieved(
      signedAnswer(site.trusted.authority.signer, 'GetFundsRecoveryResponse', {
        FundsRecovery: { ...recovery, Status: undefined },
      }),
      'Unreadable',
    ));

  it('is rejected if a text element has child elements', () =>
    notBelieved(
      signedAnswer(site.trusted.authority.signer, 'GetFundsRecoveryResponse', {
        FundsRecovery: { ...recovery, Status: { Name: 'x' } },
      }),
      'Unreadable',
    ));

  it('is rejected if it has no time', () =>
    notBelieved(
      signedAnswer(site.trusted.authority.signer, 'GetFundsRecoveryResponse', {
        ResponseTime: 'now',
        FundsRecovery: recovery,
      }),
      'Unreadable',
    ));

  it.each([
    ['signed by another', () => signedAnswer(site.stranger.authority.signer, 'ListEventNotificationsResponse', {})],
    [
      'with a notification that lacks its time',
      () =>
        signedAnswer(site.trusted.authority.signer, 'ListEventNotificationsResponse', {
          EventNotifications: [{ ...notification, Timestamp: undefined }],
        }),
    ],
  ])('is identified by its hash if it is a page %s', async (_, page) => {
    const xml = page();
    site.server.answer((_, response) => sendXml(response, xml));
    await expect(
      site.client.listEventNotifications(ispb, { cursor: null, includeIndirect: false }),
    ).rejects.toMatchObject({
      sha256: createHash('sha256').update(xml).digest('hex'),
    });
  });
});
