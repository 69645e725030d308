import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CHECKS, defaultSettings, type TenantSettings } from '../modules/tenant-settings/settings.ts';
import { weakenedMembers } from '../modules/tenant-settings/update-settings.ts';

interface Member {
  readonly path: string;
  readonly weakens?: (before: unknown, after: unknown) => boolean;
}

/** The modules of the page, which run in browsers and are JavaScript. */
const asset = async <T>(name: string): Promise<T> => await import(new URL(`assets/settings/${name}`, import.meta.url).href) as T;
const { SECTIONS } = await asset<{ SECTIONS: readonly { readonly key: keyof TenantSettings; readonly members: readonly Member[] }[] }>('sections.js');
const { CHECKS: OFFERED } = await asset<{ CHECKS: readonly (readonly [string, string])[] }>('controls.js');

const levels = fc.uniqueArray(fc.constantFrom('low' as const, 'medium' as const, 'high' as const));
const years = fc.integer({ min: 0, max: 5 });
const settings: fc.Arbitrary<TenantSettings> = fc.record({
  fourEyes: fc.record({
    levels, onPep: fc.boolean(), onConfirmedHit: fc.boolean(), onOverride: fc.boolean(),
    amountAbove: fc.option(fc.record({ amount: years, currency: fc.constantFrom('BRL', 'USD') })),
  }),
  retention: fc.record({ customerYears: years, rejectedYears: years, biometricDays: years, auditYears: years }),
  security: fc.record({
    mfaRequired: fc.boolean(), passwordMinLength: years, sessionHours: years, idleMinutes: years, inactivityDays: fc.option(years),
    allowedEmailDomains: fc.uniqueArray(fc.constantFrom('a.example', 'b.example', 'c.example')), allowPlatformImpersonation: fc.boolean(),
  }),
  rawPayload: fc.constantFrom('full' as const, 'masked' as const),
}).map(({ fourEyes, retention, security, rawPayload }) => ({
  ...defaultSettings, decisionPolicy: { ...defaultSettings.decisionPolicy, fourEyes }, retention, security, fundsRecovery: { rawPayload },
}));

it('says of the same changes as the service that they weaken', () => {
  fc.assert(fc.property(settings, settings, (before, after) => {
    const said = SECTIONS.flatMap(({ key, members }) => members
      .filter(({ path, weakens }) => weakens?.(at(before, key, path), at(after, key, path)))
      .map(({ path }) => `/${key}/${path}`));
    expect(said.sort()).toEqual(weakenedMembers(before, after).sort());
  }));
});

it('offers every check that the service knows', () => {
  expect(OFFERED.map(([code]) => code).sort()).toEqual([...CHECKS].sort());
});

it('edits every member of the settings', () => {
  const edited = SECTIONS.flatMap(({ key, members }) => members.map(({ path }) => `${key}/${path}`));
  const missing = Object.entries(defaultSettings).flatMap(([key, section]) => (Array.isArray(section) ? [`${key}/`] : Object.keys(section as object).map((member) => `${key}/${member}`)))
    .filter((member) => !edited.some((path) => path === member || path.startsWith(`${member}/`)));
  expect(missing).toEqual([]);
});

function at(document: TenantSettings, key: keyof TenantSettings, path: string): unknown {
  return path.split('/').reduce<unknown>((place, step) => (place as Readonly<Record<string, unknown>>)[step], document[key]);
}
