/** Tests of keeping to the limits of the directory. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DirectoryClient } from './client.ts';
import { type PolicyName, type Rate, rates, TokenBucket } from './rate-limits.ts';
import {
  makeTestAuthority,
  recovery,
  recoveryId,
  sendXml,
  signedAnswer,
  startTestDirectory,
  type TestAuthority,
  type TestDirectory,
} from './testing/test-directory.ts';
import { buildProblem } from './wire/answers.ts';

describe('a token bucket', () => {
  let now = 0;
  const bucket = (): TokenBucket =>
    new TokenBucket({ capacity: 3, refillTokens: 6, refillPeriodSeconds: 60 }, () => now);
  beforeEach(() => {
    now = 1000;
  });

  it('admits as many calls at once as it has tokens, then one per refill, in order', () => {
    const full = bucket();
    expect([1, 2, 3, 4, 5].map(() => full.take(60))).toEqual([0, 0, 0, 10, 20]);
    now += 30_000;
    expect([full.take(60), full.take(60)]).toEqual([0, 10]);
  });

  it('refuses a caller that would wait too long and reserves no token for it', () => {
    const full = bucket();
    expect([1, 2, 3, 4, 5].map(() => full.take(9))).toEqual([0, 0, 0, null, null]);
    expect(full.secondsToNext()).toBe(10);
    now += 10_000;
    expect(full.take(9)).toBe(0);
  });

  it('never holds more than its capacity', () => {
    const full = bucket();
    now += 3_600_000;
    expect([1, 2, 3, 4].map(() => full.take(9))).toEqual([0, 0, 0, null]);
  });

  it('takes over the token count of the directory', () => {
    const full = bucket();
    full.correct({
      availableTokens: 1,
      capacity: 2,
      refillTokens: 60,
      refillPeriodSeconds: 60,
    });
    expect([full.take(60), full.take(60)]).toEqual([0, 1]);
    full.empty();
    expect(full.take(0.5)).toBeNull();
  });

  it('has the numbers that the directory publishes', () => {
    expect(rates).toMatchObject({
      EVENT_LIST: { refillTokens: 40, capacity: 200 },
      INFRACTION_REPORTS_LIST_WITH_ROLE: { refillTokens: 40, capacity: 200 },
      REFUND_LIST_WITH_ROLE: { refillTokens: 40, capacity: 200 },
      POLICIES_READ: { refillTokens: 60, capacity: 200 },
      FUNDS_RECOVERIES: { refillTokens: 60 },
    });
  });
});

describe('the rate of a participant', () => {
  const ispb = '90000001';
  const first = { cursor: null, includeIndirect: false };
  let trusted: TestAuthority;
  let server: TestDirectory;
  let client: DirectoryClient;
  const start = (narrow: Partial<Record<PolicyName, Rate>>, maxWaitSeconds = 0): void => {
    client = new DirectoryClient({
      url: server.url,
      authorities: trusted.authority.certificate,
      signers: [trusted.authority.signer.certificate],
      identify: trusted.authority.client,
      rates: narrow,
      maxWaitSeconds,
    });
  };
  beforeAll(async () => {
    trusted = await makeTestAuthority();
  });
  beforeEach(async () => {
    server = await startTestDirectory(trusted.authority);
  });
  afterEach(async () => {
    await client.close();
    await server.close();
  });
  afterAll(() => trusted.remove());

  it('is enforced locally, for each participant and policy separately', async () => {
    const xml = signedAnswer(trusted.authority.signer, 'GetFundsRecoveryResponse', { FundsRecovery: recovery });
    server.answer((_, response) => sendXml(response, xml));
    start({ FUNDS_RECOVERIES: { capacity: 2, refillTokens: 1, refillPeriodSeconds: 600 } });
    await client.getFundsRecovery(ispb, recoveryId);
    await client.getFundsRecovery(ispb, recoveryId);
    const error: unknown = await client.getFundsRecovery(ispb, recoveryId).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ kind: 'RateLimited', message: 'The rate of FUNDS_RECOVERIES is used up' });
    expect(error).toHaveProperty('retryAfterSeconds', expect.closeTo(600, -1));
    expect(server.requests).toHaveLength(2);
    await client.getFundsRecovery('90000002', recoveryId);
    await expect(client.listEventNotifications(ispb, first)).rejects.toMatchObject({ kind: 'Unreadable' });
  });

  it('is waited for if the wait is short', async () => {
    const xml = signedAnswer(trusted.authority.signer, 'ListEventNotificationsResponse', {});
    server.answer((_, response) => sendXml(response, xml));
    start({ EVENT_LIST: { capacity: 1, refillTokens: 10, refillPeriodSeconds: 1 } }, 5);
    const started = performance.now();
    for (let call = 0; call < 4; call++) await client.listEventNotifications(ispb, first);
    expect(performance.now() - started).toBeGreaterThan(250);
  });

  it('is not waited for by a closed client', async () => {
    const xml = signedAnswer(trusted.authority.signer, 'ListEventNotificationsResponse', {});
    server.answer((_, response) => sendXml(response, xml));
    start({ EVENT_LIST: { capacity: 1, refillTokens: 1, refillPeriodSeconds: 60 } }, 100);
    await client.listEventNotifications(ispb, first);
    const waiting = expect(client.listEventNotifications(ispb, first)).rejects.toMatchObject({ kind: 'Transport' });
    await client.close();
    await waiting;
  });

  it('is read from the directory again after a refusal', async () => {
    const policy = signedAnswer(trusted.authority.signer, 'GetPolicyResponse', {
      Category: 'A',
      Policy: {
        AvailableTokens: '0',
        Capacity: '50',
        RefillTokens: '10',
        RefillPeriodSec: '450',
        Name: 'EVENT_LIST',
      },
    });
    const problem = buildProblem({ name: 'RateLimited', title: 'Rate limited', status: 429 });
    server.answer((request, response) =>
      request.url?.includes('policies') === true
        ? sendXml(response, policy)
        : sendXml(response, problem, { status: 429 }),
    );
    start({});
    await expect(client.listEventNotifications(ispb, first)).rejects.toMatchObject({
      kind: 'RateLimited',
      retryAfterSeconds: 450,
    });
    expect(server.requests.map(({ target }) => target.split('?')[0])).toEqual([
      '/api/v2/event-notifications',
      '/api/v2/policies/EVENT_LIST',
    ]);
    // 0 tokens, 10 in 450 seconds: the next is at most 45 seconds away, so the directory is not asked.
    await expect(client.listEventNotifications(ispb, first)).rejects.toMatchObject({
      kind: 'RateLimited',
      retryAfterSeconds: expect.toSatisfy((seconds: number) => seconds > 20 && seconds <= 45),
    });
    expect(server.requests).toHaveLength(2);
  });

  it('continues at once if the directory has tokens left', async () => {
    const policy = signedAnswer(trusted.authority.signer, 'GetPolicyResponse', {
      Category: 'A',
      Policy: {
        AvailableTokens: '5',
        Capacity: '50',
        RefillTokens: '10',
        RefillPeriodSec: '450',
        Name: 'EVENT_LIST',
      },
    });
    const problem = buildProblem({ name: 'RateLimited', title: 'Rate limited', status: 429 });
    const page = signedAnswer(trusted.authority.signer, 'ListEventNotificationsResponse', {});
    server.answer((request, response) => {
      if (request.url?.includes('policies') === true) sendXml(response, policy);
      else if (server.requests.length === 1) sendXml(response, problem, { status: 429 });
      else sendXml(response, page);
    });
    start({});
    await expect(client.listEventNotifications(ispb, first)).rejects.toMatchObject({
      kind: 'RateLimited',
      retryAfterSeconds: 450,
    });
    for (let call = 0; call < 5; call++) await client.listEventNotifications(ispb, first);
    await expect(client.listEventNotifications(ispb, first)).rejects.toMatchObject({ kind: 'RateLimited' });
    expect(server.requests).toHaveLength(7);
  });

  it('counts as used up after a refusal of a call without a policy', async () => {
    const problem = buildProblem({ name: 'RateLimited', title: 'Rate limited', status: 429 });
    server.answer((_, response) => sendXml(response, problem, { status: 429 }));
    start({ FUNDS_RECOVERIES: { capacity: 10, refillTokens: 1, refillPeriodSeconds: 600 } });
    await expect(client.getFundsRecovery(ispb, recoveryId)).rejects.toMatchObject({
      kind: 'RateLimited',
      retryAfterSeconds: null,
    });
    await expect(client.getFundsRecovery(ispb, recoveryId)).rejects.toMatchObject({
      kind: 'RateLimited',
      retryAfterSeconds: expect.closeTo(600, -1.5),
    });
    expect(server.requests).toHaveLength(1);
  });

  it('is left to the caller if the directory refuses to report it or has no policy for it', async () => {
    const problem = buildProblem({ name: 'RateLimited', title: 'Rate limited', status: 429 });
    server.answer((_, response) => sendXml(response, problem, { status: 429 }));
    start({});
    await expect(client.listEventNotifications(ispb, first)).rejects.toMatchObject({
      kind: 'RateLimited',
      retryAfterSeconds: null,
    });
    await expect(client.getFundsRecovery(ispb, recoveryId)).rejects.toMatchObject({
      kind: 'RateLimited',
      retryAfterSeconds: null,
    });
    expect(server.requests).toHaveLength(3);
  });
});
