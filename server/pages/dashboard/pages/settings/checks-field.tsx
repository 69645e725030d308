/**
 * The table of required checks by level. Used by kinds.tsx. Codes that this page does not know must survive being
 * saved.
 */
import type { Schemas } from '../../core/api.ts';
import type { FieldState } from '../../ui/form.tsx';
import type { SettingsWords } from './settings-words-en.ts';

type Checks = Schemas['RequiredChecks'];

export const CHECK_LEVELS = ['basic', 'standard', 'enhanced'] as const satisfies readonly (keyof Checks)[];

/** Checks that a policy may demand of a company. */
const OF_COMPANIES: readonly string[] = [
  'constitutive_document',
  'registry_active',
  'account_protection_clear',
  'officers_match',
  'ownership_complete',
  'bo_identified',
  'bo_screened',
  'powers_confirmed',
  'representatives_verified',
];

/** Returns the name of a check. Codes unknown to this page are kept and shown as they are. */
export function checkName(t: SettingsWords, code: string): string {
  return Object.entries(t.checks).find(([known]) => known === code)?.[1] ?? code;
}

/** Table of the checks that each level of diligence requires. */
export function ChecksField({
  field,
  label,
  of,
  t,
}: {
  readonly field: FieldState<Checks>;
  readonly label: string;
  readonly of: 'person' | 'company';
  readonly t: SettingsWords;
}) {
  const required = CHECK_LEVELS.flatMap((level) => field.value[level]);
  const known = of === 'company' ? OF_COMPANIES : Object.keys(t.checks).filter((code) => code !== OF_COMPANIES[0]);
  const codes = [...new Set([...known, ...required])];
  const set = (level: keyof Checks, code: string, on: boolean) =>
    // The remaining codes keep their order, so that toggling a check does not change it.
    field.change({
      ...field.value,
      [level]: on ? [...field.value[level], code] : field.value[level].filter((other) => other !== code),
    });
  return (
    <details className="field" open={field.messages.length > 0 || undefined}>
      <summary>{label}</summary>
      <table className="settings-checks" aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{t.check}</th>
            {CHECK_LEVELS.map((level) => (
              <th key={level} scope="col">
                {t.levels[level]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {codes.map((code) => (
            <tr key={code}>
              <th scope="row">{checkName(t, code)}</th>
              {CHECK_LEVELS.map((level) => (
                <td key={level}>
                  <input
                    type="checkbox"
                    aria-label={`${t.levels[level]}: ${checkName(t, code)}`}
                    checked={field.value[level].includes(code)}
                    onChange={({ target }) => set(level, code, target.checked)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {field.messages.length > 0 && (
        <div className="field-error" id={`${field.id}-error`}>
          {field.messages.map((message) => (
            <p key={message}>{message}</p>
          ))}
        </div>
      )}
    </details>
  );
}
