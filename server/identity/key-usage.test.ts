/** Tests of collecting the last uses of API keys before they are stored. */
import { describe, expect, it } from 'vitest';
import { createLog } from '../base/log.ts';
import type { Caller } from './caller.ts';
import type { KeyUsageTally } from './key-usage-store.ts';
import { KeyUsageRecorder } from './key-usage.ts';

const HOUR = 3_600_000;
const START = Date.parse('2026-11-03T12:59:59.000Z');

function by(prefix: string, tenantId = 'acme', kind: 'api_key' | 'oauth_client' = 'api_key'): Caller {
  return {
    principal: {
      kind,
      tenantId,
      id: prefix,
      display: prefix,
      prefix,
      keyEnvironment: 'live',
      pinEnvironment: false,
      scopes: [],
      client: prefix,
      quotaOf: prefix,
      personalData: 'full',
      grantor: { userId: 'u', roles: ['owner'] },
    },
    environment: 'live',
    visible: ['live'],
    sandboxEnabled: false,
    owesSecondFactor: false,
    tenantRatePerMinute: null,
    tenantState: { tenantStatus: 'active', sandboxEnabled: false, sandboxClockOffsetSeconds: 0 },
    keyExpires: null,
  };
}

/** Recorder whose writes are collected, with a switch that simulates an unavailable database. */
function counting() {
  const written: { tenantId: string; keys: readonly KeyUsageTally[] }[] = [];
  const state = { now: START, away: false };
  const store = {
    async write(tenantId: string, keys: readonly KeyUsageTally[]) {
      if (state.away) throw new Error('the database does not answer');
      written.push({ tenantId, keys });
    },
  };
  const lines: string[] = [];
  const uses = new KeyUsageRecorder(
    store,
    () => new Date(state.now),
    createLog('info', { write: (line) => void lines.push(line) }),
  );
  return {
    uses,
    written,
    state,
    lines,
  };
}

describe('the uses of keys', () => {
  it('are written once for each tenant, by hour, whatever the number of requests', async () => {
    const { uses, written, state } = counting();
    for (let i = 0; i < 100; i++) uses.accepted(by('a'), '203.0.113.7');
    uses.accepted(by('a', 'acme', 'oauth_client'), '203.0.113.8');
    uses.accepted(by('b'), '203.0.113.9');
    state.now += 1000;
    uses.accepted(by('a'), '203.0.113.9');
    uses.accepted(by('c', 'other'), '203.0.113.9');
    await uses.flush();
    expect(written.map(({ tenantId, keys }) => [tenantId, keys.map(({ prefix }) => prefix)])).toEqual([
      ['acme', ['a', 'b']],
      ['other', ['c']],
    ]);
    const [a] = written[0]?.keys ?? [];
    expect([...(a?.hours ?? [])]).toEqual([
      [START - 59 * 60_000 - 59_000, { requests: 101, errors: 0 }],
      [START + 1000, { requests: 1, errors: 0 }],
    ]);
    expect(a?.lastUsed).toEqual({ at: START + 1000, ip: '203.0.113.9' });
  });

  it('count the errors of accepted requests only, including those of the previous batch', async () => {
    const { uses, written } = counting();
    const [fine, wrong, denied] = [by('a'), by('a'), by('a')];
    for (const caller of [fine, wrong]) uses.accepted(caller, '203.0.113.7');
    await uses.flush();
    uses.answered(fine, 200);
    uses.answered(wrong, 422);
    uses.answered(denied, 403);
    await uses.flush();
    expect(written.map(({ keys }) => [...(keys[0]?.hours.values() ?? [])])).toEqual([
      [{ requests: 2, errors: 0 }],
      [{ requests: 0, errors: 1 }],
    ]);
    expect(written[1]?.keys[0]?.lastUsed).toBeNull();
  });

  it('are lost with a line in the log while the database is unavailable, and counted again afterwards', async () => {
    const { uses, written, state, lines } = counting();
    state.away = true;
    uses.accepted(by('a'), '203.0.113.7');
    await uses.flush();
    expect(lines.join()).toContain('the use of keys could not be recorded');
    state.away = false;
    uses.accepted(by('a'), '203.0.113.7');
    await uses.flush();
    expect([...(written[0]?.keys[0]?.hours.values() ?? [])]).toEqual([{ requests: 1, errors: 0 }]);
    expect([...(written[0]?.keys[0]?.sites.keys() ?? [])]).toEqual(['203.0.113.7']);
  });

  it('report a site once an hour', async () => {
    const { uses, written, state } = counting();
    for (const later of [0, HOUR - 1, 1]) {
      state.now += later;
      uses.accepted(by('a'), '203.0.113.7');
      await uses.flush();
    }
    expect(written.map(({ keys }) => keys[0]?.sites.size)).toEqual([1, 0, 1]);
  });

  it('are counted for at most ten thousand keys at a time', async () => {
    const { uses, written } = counting();
    for (let i = 0; i < 10_005; i++) uses.accepted(by(`key-${i}`), '203.0.113.7');
    await uses.flush();
    expect(written[0]?.keys).toHaveLength(10_000);
  });

  it('exclude requests of people', async () => {
    const { uses, written } = counting();
    const person: Caller = {
      ...by('a'),
      principal: {
        kind: 'user',
        tenantId: 'acme',
        id: 'u',
        display: 'U',
        userId: 'u',
        role: 'owner',
        sessionId: 's',
        mfa: false,
        client: 'u',
        quotaOf: 'u',
        personalData: 'full',
      },
    };
    uses.answered(person, 500);
    await uses.flush();
    expect(written).toEqual([]);
  });
});
