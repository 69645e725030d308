/** Tests of what a credential can reach. */
import { describe, expect, it } from 'vitest';
import { environmentAccessOf } from './caller.ts';

const live = { environment: 'live', pinEnvironment: false } as const;
const pinned = { environment: 'live', pinEnvironment: true } as const;
const test = { environment: 'test', pinEnvironment: false } as const;

describe('the reach of a credential', () => {
  it.each([
    ['a person, switch off', null, false, { environment: 'live', visible: ['live', 'sandbox'] }],
    ['a person, switch on', null, true, { environment: 'sandbox', visible: ['live', 'sandbox'] }],
    ['a live key, switch off', live, false, { environment: 'live', visible: ['live', 'sandbox'] }],
    ['a live key, switch on', live, true, { environment: 'sandbox', visible: ['live', 'sandbox'] }],
    ['a pinned live key, switch on', pinned, true, { environment: 'live', visible: ['live'] }],
    ['a test key, switch on', test, true, { environment: 'sandbox', visible: ['sandbox'] }],
  ] as const)('of an active tenant: %s', (_, key, sandboxEnabled, reach) => {
    expect(environmentAccessOf(key, { tenantStatus: 'active', sandboxEnabled })).toEqual({ ...reach, sandboxEnabled });
  });

  it.each([
    ['a person', null],
    ['a live key', live],
    ['a pinned live key', pinned],
    ['a test key', test],
  ] as const)('of a tenant that has not gone live is its sandbox: %s', (_, key) => {
    for (const sandboxEnabled of [true, false]) {
      expect(environmentAccessOf(key, { tenantStatus: 'onboarding', sandboxEnabled })).toEqual({
        environment: 'sandbox',
        visible: ['sandbox'],
        sandboxEnabled: true,
      });
    }
  });
});
