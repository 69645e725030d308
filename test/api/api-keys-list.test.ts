/** API tests of the list of API keys: order, filters and pages. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { operations } from '../../server/contract/generated/client-types.ts';
import { refusal, refused, success } from '../support/api.ts';
import { shared } from '../support/service.ts';
import { apiKey, KEYS, startKeysWorld, type Answer, type Schemas } from './api-keys-world.ts';

type Filters = NonNullable<operations['listApiKeys']['parameters']['query']>;

const keys = await shared(startKeysWorld());

describe('listing keys', () => {
  let tenant: string;
  let headers: Record<string, string>;
  const list = (query: Filters = {}) => success(keys.api.GET(KEYS, { params: { query }, headers }));
  /** Sends the query as it is written, so that it can contain what the contract forbids. */
  const raw = (query: string) => keys.service.request('GET', KEYS + query, { as: headers });
  const names = ({ body }: Answer<Schemas['ApiKeyList']>): string[] => body.items.map(({ name }) => name);

  beforeAll(async () => {
    tenant = await keys.database.tenant();
    const at = (seconds: number) => ({ now: new Date(Date.parse('2026-01-01T00:00:00Z') + seconds * 1000) });
    headers = apiKey((await keys.key(tenant, { name: 'first', ...at(0) })).secret);
    await keys.key(tenant, {
      name: 'expired',
      scopes: ['read'],
      expiresAt: new Date('2026-02-01'),
      ...at(1),
    });
    const rotating = await keys.key(tenant, { name: 'rotating', scopes: ['read'], ...at(2) });
    const revoked = await keys.key(tenant, { name: 'revoked', scopes: ['read'], ...at(3) });
    const done = await keys.key(tenant, { name: 'rotated out', scopes: ['read'], ...at(4) });
    await keys.key(tenant, {
      name: 'test',
      environment: 'test',
      scopes: ['read'],
      ...at(5),
    });
    await keys.database.sql(`UPDATE api_key SET status = 'revoked', revoked_at = now() WHERE id = $1`, [
      revoked.key.id,
    ]);
    const rotate = `UPDATE api_key
      SET status = 'rotating', successor_prefix = prefix, grace_until = now() + $2::interval WHERE id = $1`;
    await keys.database.sql(rotate, [rotating.key.id, '1 hour']);
    await keys.database.sql(rotate, [done.key.id, '-1 hour']);
  });

  it('shows the newest first, and never a secret', async () => {
    const answer = await list();
    expect(names(answer)).toEqual(['test', 'rotated out', 'revoked', 'rotating', 'expired', 'first']);
    expect(answer.body.items.map(({ status }) => status)).toEqual([
      'active',
      'expired',
      'revoked',
      'rotating',
      'expired',
      'active',
    ]);
    expect(answer.body).toMatchObject({ cursor: null, hasMore: false });
    expect(answer.text).not.toMatch(/secret|mac|_[0-9A-Za-z]{38}/);
  });

  it('filters by status, environment and age', async () => {
    expect(names(await list({ status: ['expired'] }))).toEqual(['rotated out', 'expired']);
    expect(names(await list({ status: ['active', 'rotating'] }))).toEqual(['test', 'rotating', 'first']);
    expect(names(await list({ status: ['revoked'] }))).toEqual(['revoked']);
    expect(names(await list({ environment: 'test' }))).toEqual(['test']);
    expect(names(await list({ createdAfter: '2026-01-01T00:00:04Z' }))).toEqual(['test', 'rotated out']);
    expect(names(await list({ createdBefore: '2026-01-01T00:00:01.000Z' }))).toEqual(['first']);
    expect(
      names(await list({ createdAfter: '2026-01-01T01:00:03+01:00', createdBefore: '2026-01-01T00:00:04Z' })),
    ).toEqual(['revoked']);
  });

  it('finds keys that have long been unused', async () => {
    await list();
    await keys.running.recordKeyUses();
    await keys.database.sql(
      `UPDATE api_key SET last_used_at = '2026-03-01T00:00:00Z' WHERE tenant_id = $1 AND name = 'rotating'`,
      [tenant],
    );
    await keys.database.sql(
      `UPDATE api_key SET last_used_at = '2026-03-01T00:00:00.001Z' WHERE tenant_id = $1 AND name = 'test'`,
      [tenant],
    );
    expect(names(await list({ unusedSince: '2026-03-01T00:00:00Z' }))).toEqual(['rotated out', 'revoked', 'expired']);
    expect(names(await list({ unusedSince: '2026-03-01T00:00:00.001Z', status: ['rotating'] }))).toEqual(['rotating']);
    expect(refused(await raw('?unusedSince=long%20ago'))).toEqual([400, 'invalid_parameter']);
  });

  it('accepts every instant of the years 1 to 9999, also those that the database cannot read', async () => {
    const everything = names(await list());
    for (const early of ['0001-01-01T00:00:00Z', '2025-12-31T23:59:60Z', '2026-01-01T12:00:00+23:59']) {
      expect([early, names(await list({ createdAfter: early }))]).toEqual([early, everything]);
    }
  });

  it('is paginated without loss or repetition', async () => {
    const seen: string[] = [];
    let query: Filters = { limit: 2 };
    for (;;) {
      const page = await list(query);
      seen.push(...names(page));
      if (!page.body.hasMore) break;
      query = { limit: 2, cursor: page.body.cursor! };
    }
    expect(seen).toEqual(['test', 'rotated out', 'revoked', 'rotating', 'expired', 'first']);
  });

  it('refuses cursors that are garbled, of other filters or of another tenant', async () => {
    const { cursor } = (await list({ limit: 1 })).body;
    expect(refused(await raw('?cursor=abc'))).toEqual([400, 'invalid_cursor']);
    expect(refused(await raw(`?cursor=${cursor}&environment=live`))).toEqual([400, 'cursor_filter_mismatch']);
    expect(
      refused(await refusal(keys.api.GET(KEYS, { params: { query: { cursor: cursor! } }, headers: keys.admin }))),
    ).toEqual([400, 'invalid_cursor']);
  });

  it.each([
    '?limit=0',
    '?limit=101',
    '?limit=x',
    '?status=lost',
    '?environment=prod',
    '?createdAfter=yesterday',
    '?status=',
  ])('refuses %s', async (query) => {
    expect(refused(await raw(query))).toEqual([400, 'invalid_parameter']);
  });
});
