/** Tests that the settings page of the dashboard and the service agree. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  CHECKS,
  CHECKS_OF_BUSINESSES,
  defaultSettings,
  type TenantSettings,
} from '../modules/tenant-settings/settings.ts';
import { weakenedMembers } from '../modules/tenant-settings/update-settings.ts';

interface Member {
  readonly pointer: string;
  readonly weakens: (before: object, after: object) => boolean;
}

interface Section {
  readonly draftOf: (settings: TenantSettings) => object;
  readonly members: readonly Member[];
}

/** Imports a module of the page. They are written for browsers and compiled separately from the service. */
const page = async <T>(name: string): Promise<T> =>
  (await import(new URL(`dashboard/pages/settings/${name}`, import.meta.url).href)) as T;
const { english } = await page<{ english: { checks: Readonly<Record<string, string>> } }>('settings-words-en.ts');
type Define = (words: typeof english) => Section;
const SECTIONS = Object.values({
  ...(await page<Record<string, Define>>('sections.tsx')),
  ...(await page<Record<string, Define>>('decision-policy.tsx')),
  ...(await page<Record<string, Define>>('case-settings.tsx')),
  ...(await page<Record<string, Define>>('provider-settings.tsx')),
  ...(await page<Record<string, Define>>('report-settings.tsx')),
  ...(await page<Record<string, Define>>('risk-settings.tsx')),
  ...(await page<Record<string, Define>>('workflow-settings.tsx')),
}).map((define) => define(english));

const levels = fc.uniqueArray(fc.constantFrom('low' as const, 'medium' as const, 'high' as const));
const years = fc.integer({ min: 0, max: 5 });
const settings: fc.Arbitrary<TenantSettings> = fc
  .record({
    fourEyes: fc.record({
      levels,
      onPep: fc.boolean(),
      onConfirmedHit: fc.boolean(),
      onNotScreened: fc.boolean(),
      onOverride: fc.boolean(),
      amountAbove: fc.option(fc.record({ amount: years, currency: fc.constantFrom('BRL', 'USD') })),
    }),
    retention: fc.record({
      customerYears: years,
      rejectedYears: years,
      biometricDays: years,
      auditYears: years,
    }),
    security: fc.record({
      mfaRequired: fc.boolean(),
      passwordMinLength: years,
      sessionHours: years,
      idleMinutes: years,
      inactivityDays: fc.option(years),
      allowedEmailDomains: fc.uniqueArray(fc.constantFrom('a.example', 'b.example', 'c.example')),
      allowPlatformImpersonation: fc.constant(false),
    }),
    fundsRecovery: fc.record({
      rawPayload: fc.constantFrom('full' as const, 'masked' as const),
      receivesReports: fc.boolean(),
      deadlineNoticeHours: fc.subarray([1, 24, 48]),
    }),
    reports: fc.record({
      selectionDays: years,
      analysisDays: years,
      suspiciousBusinessDays: years,
      cashBusinessDays: years,
      nonOccurrenceBusinessDays: years,
      submissionFormat: fc.constantFrom('csv' as const, 'text' as const),
    }),
  })
  .map(({ fourEyes, retention, security, fundsRecovery, reports }) => ({
    ...defaultSettings,
    decisionPolicy: { ...defaultSettings.decisionPolicy, fourEyes },
    retention,
    security,
    fundsRecovery,
    reports: { ...defaultSettings.reports, ...reports },
  }));

it('marks the same changes as weakening as the service does', () => {
  fc.assert(
    fc.property(settings, settings, (before, after) => {
      const said = SECTIONS.flatMap(({ draftOf, members }) =>
        members.filter(({ weakens }) => weakens(draftOf(before), draftOf(after))).map(({ pointer }) => pointer),
      );
      expect(said.sort()).toEqual(weakenedMembers(before, after).sort());
    }),
  );
});

it('offers every check that the service knows', () => {
  expect(Object.keys(english.checks).sort()).toEqual([...new Set([...CHECKS, ...CHECKS_OF_BUSINESSES])].sort());
});

it('edits every member of the settings that is not deprecated', () => {
  const deprecated = ['/decisionPolicy/validityMonths', '/screening/threshold', '/security/allowPlatformImpersonation'];
  const edited = SECTIONS.flatMap(({ members }) => members.map(({ pointer }) => pointer));
  const missing = Object.entries(defaultSettings)
    .flatMap(([key, section]) =>
      Array.isArray(section) ? [`/${key}`] : Object.keys(section as object).map((member) => `/${key}/${member}`),
    )
    .filter(
      (member) =>
        !deprecated.includes(member) &&
        !edited.some((pointer) => pointer === member || pointer.startsWith(`${member}/`)),
    );
  expect(missing).toEqual([]);
});
