/**
 * API tests of the feed of funds recoveries: order, acknowledging, and readers at the same time. A lost event fails
 * here.
 */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { NewEvent } from '../../server/modules/recovery-feed/publish.ts';
import { requestToken, success } from '../support/api.ts';
import { recoveryEvents } from '../support/recovery-events.ts';
import type { Credential } from '../support/service.ts';
import { idsOf, useFeed } from './funds-recovery-world.ts';

let client: Credential;
const world = await useFeed();
beforeEach(async () => {
  client = await world.newClient();
});

const page = (query: Record<string, string | number> = {}, as = client) => world.page(as, query);
const refusal = (query: Record<string, string>) => world.refusal(client, query);

describe('a feed that never carried an event', () => {
  it('answers an empty page without a cursor, and says when to come back', async () => {
    const before = Date.now();
    const { status, body, headers } = await page({}, await world.service.other.client(['read']));
    expect([status, body]).toEqual([200, { events: [], cursor: null, hasMore: false }]);
    const seconds = Number(headers.get('x-poll-interval'));
    expect(seconds).toBeGreaterThanOrEqual(60);
    expect(seconds).toBeLessThanOrEqual(86_400);
    expect(Math.abs(Date.parse(headers.get('x-next-poll-at') ?? '') - (before + seconds * 1000))).toBeLessThan(5000);
  });
});

describe('following the feed', () => {
  it('reaches its end with every event once and in order', async () => {
    const facts = recoveryEvents(7);
    await world.publish(facts);
    const [all] = [await page({ limit: 200 }, await world.newClient())];
    const seen: string[] = [];
    let answer = await page({ limit: 3 });
    for (;;) {
      seen.push(...idsOf(answer));
      expect(answer.headers.get('x-poll-interval') === '0').toBe(answer.body.hasMore);
      if (!answer.body.hasMore) break;
      answer = await page({ limit: 3, cursor: answer.body.cursor ?? '' });
    }
    expect(seen).toEqual(idsOf(all));
    expect(all.body.events.slice(-7).map(({ rawPayload }) => (rawPayload as { N: string }).N)).toEqual([
      '0',
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
    ]);
    expect(answer.body.cursor).toEqual(expect.any(String));
  });

  it('shows an event as it was published', async () => {
    const [fact] = recoveryEvents(1) as [NewEvent];
    await world.publish([fact]);
    const { body } = await page({ limit: 200 });
    expect(body.events.at(-1)).toEqual({
      eventId: expect.any(String),
      environment: 'live',
      fundsRecoveryId: fact.fundsRecoveryId,
      eventType: fact.eventType,
      status: fact.status,
      timestamp: fact.occurredAt,
      rawPayload: fact.rawPayload,
    });
  });

  it('continues from the end if a new event was published', async () => {
    const {
      body: { cursor },
    } = await page({ limit: 200 });
    const atEnd = await page({ cursor: cursor ?? '' });
    expect(atEnd.body).toEqual({ events: [], cursor, hasMore: false });
    await world.publish(recoveryEvents(2));
    const next = await page({ cursor: cursor ?? '' });
    expect([next.body.events.length, next.body.hasMore]).toEqual([2, false]);
    expect(next.body.cursor).not.toBe(cursor);
  });

  it('treats an empty cursor as missing', async () => {
    expect((await page({ cursor: '', limit: 2 })).text).toBe((await page({ limit: 2 })).text);
  });
});

describe('acknowledging', () => {
  beforeAll(() => world.publish(recoveryEvents(6)));

  it('does not happen by receiving a page', async () => {
    expect(idsOf(await page({ limit: 2 }))).toEqual(idsOf(await page({ limit: 2 })));
  });

  it('happens by presenting the cursor of a page', async () => {
    const first = await page({ limit: 2 });
    const second = await page({ limit: 2, cursor: first.body.cursor ?? '' });
    expect(idsOf(await page({ limit: 2 }))).toEqual(idsOf(second));
  });

  it('never goes back: an old cursor reads again and moves nothing', async () => {
    const first = await page({ limit: 1 });
    const second = await page({ limit: 1, cursor: first.body.cursor ?? '' });
    const third = await page({ limit: 1, cursor: second.body.cursor ?? '' });
    expect((await page({ limit: 1, cursor: first.body.cursor ?? '' })).text).toBe(second.text);
    expect(idsOf(await page({ limit: 1 }))).toEqual(idsOf(third));
  });

  it('does not happen when the request is refused', async () => {
    const first = await page({ limit: 2 });
    expect((await refusal({ limit: '0', cursor: first.body.cursor ?? '' })).status).toBe(400);
    expect((await refusal({ colour: 'blue', cursor: first.body.cursor ?? '' })).status).toBe(400);
    expect(idsOf(await page({ limit: 2 }))).toEqual(idsOf(first));
  });

  it('is each consumer’s own: a person who looks moves no integration', async () => {
    const [user, second] = [await world.service.acme.user('analyst'), await world.newClient()];
    const first = await page({ limit: 2 }, user);
    await page({ limit: 2, cursor: first.body.cursor ?? '' }, user);
    expect(idsOf(await page({ limit: 2 }))).toEqual(idsOf(first));
    expect(idsOf(await page({ limit: 2 }, second))).toEqual(idsOf(first));
    expect(idsOf(await page({ limit: 2 }, user))).not.toEqual(idsOf(first));
  });

  it('survives a new token of the same client', async () => {
    const scopes = ['read'] as const;
    const secret = (await world.service.acme.key(scopes, { name: 'Rotating' }))['X-API-Key'] ?? '';
    const token = async (): Promise<Credential> => {
      return { Authorization: `Bearer ${(await success(requestToken(world.service.api, secret))).body.access_token}` };
    };
    const first = await page({ limit: 2 }, await token());
    const second = await page({ limit: 2, cursor: first.body.cursor ?? '' }, await token());
    expect(idsOf(await page({ limit: 2 }, await token()))).toEqual(idsOf(second));
  });
});

describe('the feed of the sandbox', () => {
  it('is another feed with its own positions and cursors', async () => {
    const live = await page({ limit: 1 });
    const asAdmin = await world.service.acme.key(['admin']);
    await success(world.service.api.POST('/v1/sandbox/enable', { headers: asAdmin }));
    await world.publish(recoveryEvents(2), 'sandbox');
    const sandbox = await page({ limit: 1 });
    expect([live, sandbox].map(({ headers }) => headers.get('x-environment'))).toEqual(['live', 'sandbox']);
    expect(idsOf(live)).not.toEqual(idsOf(sandbox));
    expect((await refusal({ cursor: live.body.cursor ?? '' })).body.code).toBe('invalid_cursor');
    await page({ limit: 1, cursor: sandbox.body.cursor ?? '' });
    await success(world.service.api.POST('/v1/sandbox/disable', { headers: asAdmin }));
    expect((await refusal({ cursor: sandbox.body.cursor ?? '' })).body.code).toBe('invalid_cursor');
    expect(idsOf(await page({ limit: 1 }))).toEqual(idsOf(live));
  });
});

describe('many readers of one consumer', () => {
  it('never move its position beyond what was handed out', async () => {
    await world.publish(recoveryEvents(20));
    const first = await page({ limit: 3 });
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => page({ limit: 3, cursor: first.body.cursor ?? '' })),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(idsOf(await page({ limit: 3 }))).toEqual(idsOf(answers[0]!));
  });
});
