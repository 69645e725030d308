/** Tests of the record of a change of settings, and of which changes weaken protection. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JsonValue, mergePatchKeepingNull } from '../../rules/merge-patch.ts';
import { defaultSettings, type TenantSettings } from './settings.ts';
import { settingsDifference, weakenedMembers } from './update-settings.ts';

const settingsAfter = (patch: JsonValue): TenantSettings =>
  mergePatchKeepingNull(defaultSettings as unknown as JsonValue, patch) as unknown as TenantSettings;

describe('the audit record of a change', () => {
  it('contains the members that differ, before and after', () => {
    const after = settingsAfter({ security: { mfaRequired: true }, ownership: { lowerFor: [] } });
    expect(settingsDifference(defaultSettings, after)).toEqual({
      old: { security: { mfaRequired: false }, ownership: { lowerFor: [{ riskLevel: 'high', percent: 10 }] } },
      new: { security: { mfaRequired: true }, ownership: { lowerFor: [] } },
    });
  });

  it('is empty if nothing differs', () => {
    expect(
      settingsDifference(defaultSettings, settingsAfter({ branding: { locale: defaultSettings.branding.locale } })),
    ).toEqual({ old: {}, new: {} });
  });

  it('shows that the address was changed, without the address', () => {
    const [one, two] = ['ana@example.com', 'rui@example.com'].map((supportEmail) =>
      settingsAfter({ branding: { supportEmail } }),
    ) as [TenantSettings, TenantSettings];
    expect(settingsDifference(defaultSettings, one)).toEqual({
      old: { branding: { supportEmail: null } },
      new: { branding: { supportEmail: '***@example.com' } },
    });
    expect(settingsDifference(one, two)).toEqual({
      old: { branding: { supportEmail: '***@example.com' } },
      new: { branding: { supportEmail: '***@example.com' } },
    });
  });
});

const settingsWith = (patch: JsonValue): TenantSettings =>
  mergePatchKeepingNull(defaultSettings as unknown as JsonValue, patch) as unknown as TenantSettings;

const guards = fc
  .record({
    decisionPolicy: fc.record({
      fourEyes: fc.record({
        levels: fc.subarray(['low', 'medium', 'high']),
        onPep: fc.boolean(),
        onConfirmedHit: fc.boolean(),
        onNotScreened: fc.boolean(),
        onOverride: fc.boolean(),
        amountAbove: fc.option(fc.record({ amount: fc.nat(3), currency: fc.constantFrom('BRL', 'USD') })),
      }),
    }),
    retention: fc.record({
      customerYears: fc.integer({ min: 10, max: 12 }),
      rejectedYears: fc.integer({ min: 5, max: 7 }),
      biometricDays: fc.integer({ min: 0, max: 2 }),
      auditYears: fc.integer({ min: 10, max: 12 }),
    }),
    security: fc.record({
      mfaRequired: fc.boolean(),
      passwordMinLength: fc.integer({ min: 12, max: 14 }),
      sessionHours: fc.integer({ min: 1, max: 3 }),
      idleMinutes: fc.integer({ min: 5, max: 7 }),
      allowedEmailDomains: fc.subarray(['a.example', 'b.example']),
      allowPlatformImpersonation: fc.constant(false),
      inactivityDays: fc.option(fc.integer({ min: 30, max: 32 })),
    }),
    fundsRecovery: fc.record({
      rawPayload: fc.constantFrom('full', 'masked'),
      receivesReports: fc.boolean(),
      deadlineNoticeHours: fc.subarray([1, 24, 48]),
    }),
    reports: fc.record({
      selectionDays: fc.integer({ min: 44, max: 46 }),
      analysisDays: fc.integer({ min: 44, max: 46 }),
      suspiciousBusinessDays: fc.integer({ min: 1, max: 3 }),
      cashBusinessDays: fc.integer({ min: 1, max: 3 }),
      nonOccurrenceBusinessDays: fc.integer({ min: 9, max: 11 }),
      narrativeTemplate: fc.constantFrom('Caso {{case.number}}', 'Cliente {{subject.name}}'),
    }),
  })
  .map((patch) => settingsWith(patch as unknown as JsonValue));

describe('settings are weakened', () => {
  it.each<[string, JsonValue, JsonValue, string[]]>([
    [
      'by a level less',
      { decisionPolicy: { fourEyes: { levels: ['medium', 'high'] } } },
      { decisionPolicy: { fourEyes: { levels: ['high'] } } },
      ['/decisionPolicy/fourEyes/levels'],
    ],
    [
      'by another level instead',
      { decisionPolicy: { fourEyes: { levels: ['high'] } } },
      { decisionPolicy: { fourEyes: { levels: ['low'] } } },
      ['/decisionPolicy/fourEyes/levels'],
    ],
    [
      'not by a level more, in any order',
      { decisionPolicy: { fourEyes: { levels: ['high'] } } },
      { decisionPolicy: { fourEyes: { levels: ['low', 'high'] } } },
      [],
    ],
    [
      'by a higher amount',
      { decisionPolicy: { fourEyes: { amountAbove: { amount: 1, currency: 'BRL' } } } },
      { decisionPolicy: { fourEyes: { amountAbove: { amount: 2, currency: 'BRL' } } } },
      ['/decisionPolicy/fourEyes/amountAbove'],
    ],
    [
      'by another currency',
      { decisionPolicy: { fourEyes: { amountAbove: { amount: 2, currency: 'USD' } } } },
      { decisionPolicy: { fourEyes: { amountAbove: { amount: 1, currency: 'BRL' } } } },
      ['/decisionPolicy/fourEyes/amountAbove'],
    ],
    [
      'by no amount',
      { decisionPolicy: { fourEyes: { amountAbove: { amount: 2, currency: 'USD' } } } },
      {},
      ['/decisionPolicy/fourEyes/amountAbove'],
    ],
    [
      'not by a first amount',
      {},
      { decisionPolicy: { fourEyes: { amountAbove: { amount: 2, currency: 'USD' } } } },
      [],
    ],
    [
      'by keeping less',
      { retention: { customerYears: 12, auditYears: 12 } },
      { retention: { customerYears: 11, auditYears: 13 } },
      ['/retention/customerYears'],
    ],
    ['by keeping biometrics longer', {}, { retention: { biometricDays: 91 } }, ['/retention/biometricDays']],
    ['not by deleting biometrics sooner', {}, { retention: { biometricDays: 0 } }, []],
    [
      'by a domain more',
      { security: { allowedEmailDomains: ['a.example'] } },
      { security: { allowedEmailDomains: ['a.example', 'b.example'] } },
      ['/security/allowedEmailDomains'],
    ],
    [
      'by any domain',
      { security: { allowedEmailDomains: ['a.example'] } },
      { security: { allowedEmailDomains: [] } },
      ['/security/allowedEmailDomains'],
    ],
    ['not by a first domain, nor by one less', {}, { security: { allowedEmailDomains: ['a.example'] } }, []],
    ['by never locking who does not come', {}, { security: { inactivityDays: null } }, ['/security/inactivityDays']],
    ['not by locking them at last', { security: { inactivityDays: null } }, { security: { inactivityDays: 3650 } }, []],
    [
      'by showing persons in payloads again',
      { fundsRecovery: { rawPayload: 'masked' } },
      { fundsRecovery: { rawPayload: 'full' } },
      ['/fundsRecovery/rawPayload'],
    ],
    ['not by masking them', {}, { fundsRecovery: { rawPayload: 'masked' } }, []],
    ['by a later deadline of reports', {}, { reports: { cashBusinessDays: 2 } }, ['/reports/cashBusinessDays']],
    ['not by an earlier one', {}, { reports: { selectionDays: 30, submissionTemplate: 'none' } }, []],
    ['by approving without a person', {}, { decisionPolicy: { autoApprove: true } }, ['/decisionPolicy/autoApprove']],
    ['not by asking a person again', { decisionPolicy: { autoApprove: true } }, {}, []],
    [
      'not by what is no guard',
      {},
      { branding: { locale: 'es' }, decisionPolicy: { minimumAge: 21 }, screening: { threshold: 1 } },
      [],
    ],
  ])('%s', (_, before, after, members) => {
    expect(weakenedMembers(settingsWith(before), settingsWith(after))).toEqual(members);
  });

  it('are not weakened by an empty change', () => {
    fc.assert(
      fc.property(guards, (settings) => {
        expect(weakenedMembers(settings, structuredClone(settings))).toEqual([]);
      }),
    );
  });

  it('are weakened by every changed member, in at least one direction', () => {
    fc.assert(
      fc.property(guards, guards, (one, other) => {
        const noticed = new Set([...weakenedMembers(one, other), ...weakenedMembers(other, one)]);
        const differs = (pointer: string): boolean =>
          JSON.stringify(sorted(at(one, pointer))) !== JSON.stringify(sorted(at(other, pointer)));
        const all = [
          ...Object.keys(one.decisionPolicy.fourEyes).map((member) => `/decisionPolicy/fourEyes/${member}`),
          ...Object.keys(one.retention).map((member) => `/retention/${member}`),
          ...Object.keys(one.security).map((member) => `/security/${member}`),
          '/fundsRecovery/rawPayload',
          ...Object.keys(one.reports)
            .filter((member) => member.endsWith('Days'))
            .map((member) => `/reports/${member}`),
        ];
        expect([...noticed].sort()).toEqual(all.filter(differs).sort());
      }),
    );
  });

  it('are not weakened by two steps if neither step weakens them', () => {
    fc.assert(
      fc.property(guards, guards, guards, (one, two, three) => {
        const steps = new Set([...weakenedMembers(one, two), ...weakenedMembers(two, three)]);
        expect(weakenedMembers(one, three).filter((member) => !steps.has(member))).toEqual([]);
      }),
    );
  });

  it('are weakened member by member: the parts of a patch together weaken what the patch weakens', () => {
    fc.assert(
      fc.property(guards, guards, (before, after) => {
        const parts = [
          { ...before, security: after.security },
          { ...before, retention: after.retention },
          { ...before, decisionPolicy: after.decisionPolicy },
          { ...before, fundsRecovery: after.fundsRecovery },
          { ...before, reports: after.reports },
        ];
        expect(parts.flatMap((part) => weakenedMembers(before, part)).sort()).toEqual(
          weakenedMembers(before, after).sort(),
        );
      }),
    );
  });
});

function at(settings: TenantSettings, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], settings);
}

function sorted(value: unknown): unknown {
  return Array.isArray(value) ? [...value].sort() : value;
}
