import { describe, expect, it } from 'vitest';
import { defaultSettings } from './defaults.ts';
import type { Settings } from './document.ts';
import { overlay, type JsonValue } from './overlay.ts';
import { settingsDifference } from './settings-changes.ts';

const changed = (patch: JsonValue): Settings => overlay(defaultSettings as unknown as JsonValue, patch) as unknown as Settings;

describe('what the audit log keeps of a change', () => {
  it('is the members that differ, as they were and as they are', () => {
    const after = changed({ security: { mfaRequired: true }, ownership: { lowerFor: [] } });
    expect(settingsDifference(defaultSettings, after)).toEqual({
      old: { security: { mfaRequired: false }, ownership: { lowerFor: [{ riskLevel: 'high', percent: 10 }] } },
      new: { security: { mfaRequired: true }, ownership: { lowerFor: [] } },
    });
  });

  it('is nothing when nothing differs', () => {
    expect(settingsDifference(defaultSettings, changed({ branding: { locale: defaultSettings.branding.locale } }))).toEqual({ old: {}, new: {} });
  });

  it('names that another address was given, not which', () => {
    const [one, two] = ['ana@example.com', 'rui@example.com'].map((supportEmail) => changed({ branding: { supportEmail } })) as [Settings, Settings];
    expect(settingsDifference(defaultSettings, one)).toEqual({ old: { branding: { supportEmail: null } }, new: { branding: { supportEmail: '***@example.com' } } });
    expect(settingsDifference(one, two)).toEqual({ old: { branding: { supportEmail: '***@example.com' } }, new: { branding: { supportEmail: '***@example.com' } } });
  });
});
