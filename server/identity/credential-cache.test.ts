/** Tests of the cache of API keys. */
import { describe, expect, it } from 'vitest';
import { CredentialCache } from './credential-cache.ts';
import type { CredentialStore, KeyRecord } from './store.ts';

/** Store whose answers the test controls. */
function world() {
  let now = 0;
  const lookUps: { prefix: string; answer: (record: KeyRecord | null) => void }[] = [];
  const store = {
    key: (prefix: string) => new Promise<KeyRecord | null>((answer) => lookUps.push({ prefix, answer })),
  } as unknown as CredentialStore;
  let hears = true;
  const credentials = new CredentialCache(
    store,
    () => new Date(now),
    () => hears,
  );
  const record = (name: string) => ({ prefix: 'p', tenantId: 't', name }) as KeyRecord;
  return {
    lookUps,
    credentials,
    record,
    advance: (milliseconds: number) => void (now += milliseconds),
    hear: (does: boolean) => void (hears = does),
  };
}

describe('a cached key', () => {
  it('is loaded once for any number of requests, and returned without a promise afterwards', async () => {
    const { lookUps, credentials, record } = world();
    const both = Promise.all([credentials.key('p'), credentials.key('p')]);
    lookUps[0]?.answer(record('a'));
    expect(await both).toEqual([record('a'), record('a')]);
    expect(credentials.key('p')).toEqual(record('a'));
    expect(lookUps).toHaveLength(1);
  });

  it('is at most five seconds old', async () => {
    const { lookUps, credentials, record, advance } = world();
    void credentials.key('p');
    lookUps[0]?.answer(record('a'));
    await Promise.resolve();
    await Promise.resolve();
    advance(4999);
    expect(credentials.key('p')).toEqual(record('a'));
    advance(1);
    expect(credentials.key('p')).toBeInstanceOf(Promise);
  });

  it('is at most a second old while changes of other processes are not received', async () => {
    const { lookUps, credentials, record, advance, hear } = world();
    void credentials.key('p');
    lookUps[0]?.answer(record('a'));
    await Promise.resolve();
    await Promise.resolve();
    hear(false);
    advance(999);
    expect(credentials.key('p')).toEqual(record('a'));
    advance(1);
    expect(credentials.key('p')).toBeInstanceOf(Promise);
  });

  it('is as old as the start of the look-up, however long the look-up took', async () => {
    const { lookUps, credentials, record, advance } = world();
    const asking = credentials.key('p');
    advance(4999);
    lookUps[0]?.answer(record('a'));
    await asking;
    expect(credentials.key('p')).toEqual(record('a'));
    advance(1);
    expect(credentials.key('p')).toBeInstanceOf(Promise);
  });

  it.each(['key p', 'tenant t', 'what nobody knows'])('is gone once “%s” is heard', async (message) => {
    const { lookUps, credentials, record } = world();
    const asking = credentials.key('p');
    lookUps[0]?.answer(record('a'));
    await asking;
    credentials.applyChange('key q');
    credentials.applyChange('tenant u');
    credentials.applyChange('user v');
    expect(credentials.key('p')).toEqual(record('a'));
    credentials.applyChange(message);
    expect(credentials.key('p')).toBeInstanceOf(Promise);
  });

  it.each(['forgetKey', 'forgetTenant'] as const)(
    'is discarded at once after %s, including look-ups in progress',
    async (forget) => {
      const { lookUps, credentials, record } = world();
      const old = credentials.key('p');
      credentials[forget](forget === 'forgetKey' ? 'p' : 't');
      const fresh = credentials.key('p');
      lookUps[0]?.answer(record('before'));
      lookUps[1]?.answer(record('after'));
      expect([await old, await fresh]).toEqual([record('before'), record('after')]);
      expect(credentials.key('p')).toEqual(record('after'));
      credentials[forget](forget === 'forgetKey' ? 'p' : 't');
      expect(credentials.key('p')).toBeInstanceOf(Promise);
    },
  );

  it('does not include failures', async () => {
    let calls = 0;
    const store = {
      key: () => (calls++ === 0 ? Promise.reject(new Error('down')) : Promise.resolve(null)),
    } as unknown as CredentialStore;
    const credentials = new CredentialCache(
      store,
      () => new Date(),
      () => true,
    );
    await expect(credentials.key('p')).rejects.toThrow('down');
    expect(await credentials.key('p')).toBeNull();
  });
});
