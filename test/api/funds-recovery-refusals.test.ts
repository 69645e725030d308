/** Tests of what the feed refuses: cursors, limits and callers. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { success } from '../support/api.ts';
import { recoveryEvents } from '../support/recovery-events.ts';
import type { Credential } from '../support/service.ts';
import { idsOf, PATH, useFeed } from './funds-recovery-world.ts';

let client: Credential;
const world = await useFeed();
beforeEach(async () => {
  client = await world.newClient();
});

const page = (query: Record<string, string | number> = {}, as = client) => world.page(as, query);
const refusal = (query: Record<string, string | number>) => world.refusal(client, query);

beforeAll(() => world.publish(recoveryEvents(6)));

describe('a cursor that is not the caller’s', () => {
  const flip = (cursor: string): string => (cursor.startsWith('A') ? 'B' : 'A') + cursor.slice(1);
  const garbled: readonly (readonly [string, (cursor: string) => string])[] = [
    ['is no cursor', () => 'tomorrow'],
    ['is a number', () => '42'],
    ['was changed', flip],
    ['was cut', (cursor) => cursor.slice(0, -1)],
    ['has something behind it', (cursor) => `${cursor}A`],
    ['is padded', (cursor) => `${cursor}=`],
    ['holds other alphabets', (cursor) => `${cursor.slice(0, -1)}ç`],
    ['is only NUL bytes', () => 'A'.repeat(48)],
  ];

  it.each(garbled)('is refused when it %s, and moves nothing', async (_, change) => {
    const first = await page({ limit: 2 });
    const answer = await refusal({ cursor: change(first.body.cursor ?? '') });
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_cursor']);
    expect(idsOf(await page({ limit: 2 }))).toEqual(idsOf(first));
  });

  it('is refused when it is too long', async () => {
    const answer = await refusal({ cursor: 'A'.repeat(513) });
    expect([answer.status, answer.body.code, answer.body.errors]).toEqual([
      400,
      'invalid_parameter',
      [expect.objectContaining({ parameter: 'cursor', code: 'too_long' })],
    ]);
  });

  it('is refused when another consumer received it, of this tenant or of another', async () => {
    await world.publish(recoveryEvents(3), 'live', world.service.other);
    const strangers = [
      await world.newClient(),
      await world.service.acme.user('viewer'),
      await world.service.other.client(['read']),
    ];
    for (const stranger of strangers) {
      const { cursor } = (await page({ limit: 1 }, stranger)).body;
      const answer = await refusal({ cursor: cursor ?? '' });
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid_cursor']);
    }
  });

  it('is refused when it belongs to the list of another operation', async () => {
    const as = await world.service.acme.client(['admin']);
    for (let i = 0; i < 2; i++) await world.service.acme.key(['read'], { name: `Listed ${i}` });
    const { body } = await success(
      world.service.api.GET('/v1/settings/api-keys', { params: { query: { limit: 1 } }, headers: as }),
    );
    expect((await refusal({ cursor: body.cursor ?? '' })).body.code).toBe('invalid_cursor');
  });
});

describe('the limit', () => {
  it.each([
    ['0', 'too_small'],
    ['201', 'too_large'],
    ['-1', 'too_small'],
    ['ten', 'type'],
    ['1.5', 'type'],
    ['1e2', 'type'],
    ['99999999999999999999', 'too_large'],
    ['', 'empty'],
  ])('cannot be %s', async (limit, code) => {
    const answer = await refusal({ limit });
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_parameter']);
    expect(answer.body.errors?.[0]).toMatchObject({ parameter: 'limit', code });
  });

  it.each([1, 200])('may be %i', async (limit) => {
    const { status, body } = await page({ limit });
    expect([status, body.events.length <= limit]).toEqual([200, true]);
  });

  it('is 100 when none is given', async () => {
    await world.publish(recoveryEvents(101), 'live', world.service.other);
    const { body } = await page({}, await world.service.other.client(['read']));
    expect([body.events.length, body.hasMore]).toEqual([100, true]);
  });
});

describe('a reader', () => {
  it('is asked for an access token if it presents an API key', async () => {
    const answer = await world.service.request('GET', PATH, { as: await world.service.acme.key(['admin']) });
    expect([answer.status, answer.body.code, answer.headers.get('www-authenticate')]).toEqual([
      401,
      'authentication_required',
      'Bearer realm="api"',
    ]);
  });

  it('reads its own tenant and nothing else', async () => {
    const [ours, theirs] = [
      await page({ limit: 200 }),
      await page({ limit: 200 }, await world.service.other.client(['read'], { name: 'Theirs' })),
    ];
    expect(ours.body.events.length).toBeGreaterThan(0);
    expect(theirs.body.events.length).toBeGreaterThan(0);
    expect(idsOf(ours).filter((id) => idsOf(theirs).includes(id))).toEqual([]);
  });
});
