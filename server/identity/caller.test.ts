import { describe, expect, it } from 'vitest';
import { environmentAccessOf } from './caller.ts';

const live = { environment: 'live', pinEnvironment: false } as const;
const pinned = { environment: 'live', pinEnvironment: true } as const;
const test = { environment: 'test', pinEnvironment: false } as const;

describe('the reach of a credential', () => {
  it.each([
    ['a person, switch off', null, false, 'live', ['live', 'sandbox']],
    ['a person, switch on', null, true, 'sandbox', ['live', 'sandbox']],
    ['a live key, switch off', live, false, 'live', ['live', 'sandbox']],
    ['a live key, switch on', live, true, 'sandbox', ['live', 'sandbox']],
    ['a pinned live key, switch on', pinned, true, 'live', ['live']],
    ['a test key, switch on', test, true, 'sandbox', ['sandbox']],
  ] as const)('of an active tenant: %s', (_, key, sandboxEnabled, environment, visible) => {
    expect(environmentAccessOf(key, { tenantStatus: 'active', sandboxEnabled })).toEqual({
      environment,
      visible,
      sandboxEnabled,
    });
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
