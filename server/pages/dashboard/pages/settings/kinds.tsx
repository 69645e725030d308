/**
 * The kinds of values in the settings: how each is shown, edited, compared and checked. Used by the definitions of
 * sections.
 */
import type { Schemas } from '../../core/api.ts';
import { Checkbox, CheckboxGroup, SelectField, TextField } from '../../ui/fields.tsx';
import type { FieldState } from '../../ui/form.tsx';
import { LinesField } from '../../ui/lines-field.tsx';
import { AmountField, majorUnits } from './amount-field.tsx';
import { CHECK_LEVELS, checkName, ChecksField } from './checks-field.tsx';
import { ColourField } from './colour-field.tsx';
import type { Kind } from './section.ts';
import type { SettingsWords } from './settings-words-en.ts';
import type { Weakens } from './weakening.ts';

interface Options<Value> {
  readonly hint?: string;
  readonly empty?: string;
  readonly weakens?: Weakens<Value>;
}

/** Returns the text of a number. An empty field is NaN, which React would show. */
function typedNumber(value: number | null): string {
  return value === null || Number.isNaN(value) ? '' : String(value);
}

/** Converts the state of a number to that of its text. */
export function asText(field: FieldState<number>): FieldState<string> {
  return {
    ...field,
    value: typedNumber(field.value),
    change: (typed) => field.change(typed.trim() === '' ? Number.NaN : Number(typed)),
  };
}

/** Returns the kinds of values of the settings, in the language of the page. */
export function kindsIn(t: SettingsWords) {
  return {
    /** Empty means none. */
    text: (
      label: string,
      { hint, type = 'text' }: { readonly hint?: string; readonly type?: 'text' | 'email' } = {},
    ): Kind<string | null> => ({
      label,
      items: (value) => (value === null ? [] : [value]),
      clean: (value) => (value === null || value.trim() === '' ? null : value.trim()),
      control: (field) => (
        <TextField
          field={{ ...field, value: field.value ?? '', change: field.change }}
          label={label}
          type={type}
          maxLength={254}
          autoComplete="off"
          optional
          {...(hint !== undefined && { hint })}
        />
      ),
    }),

    number: (
      label: string,
      { hint, step = 1, ...guard }: Options<number> & { readonly step?: number | 'any' } = {},
    ): Kind<number> => ({
      label,
      ...guard,
      required: t.enterNumber,
      items: (value) => (Number.isNaN(value) ? [] : [String(value)]),
      control: (field) => (
        <TextField
          field={asText(field)}
          label={label}
          type="number"
          step={step}
          {...(hint !== undefined && { hint })}
        />
      ),
    }),

    /** Empty means no limit. */
    limit: (label: string, { hint, ...guard }: Options<number | null> = {}): Kind<number | null> => ({
      label,
      ...guard,
      items: (value) => (value === null ? [] : [String(value)]),
      control: (field) => (
        <TextField
          field={{
            ...field,
            value: typedNumber(field.value),
            change: (typed) => field.change(typed.trim() === '' ? null : Number(typed)),
          }}
          label={label}
          type="number"
          step={1}
          optional
          {...(hint !== undefined && { hint })}
        />
      ),
    }),

    flag: (label: string, hint: string, weakens?: Weakens<boolean>): Kind<boolean> => ({
      label,
      ...(weakens !== undefined && { weakens }),
      items: (value) => [value ? t.yes : t.no],
      control: (field) => <Checkbox field={field} label={label} hint={hint} />,
    }),

    choice: <Code extends string>(
      label: string,
      options: readonly (readonly [Code, string])[],
      weakens?: Weakens<Code>,
    ): Kind<Code> => ({
      label,
      ...(weakens !== undefined && { weakens }),
      items: (value) => [nameOf(options, value)],
      control: (field) => <SelectField field={field} label={label} options={options} />,
    }),

    several: <Code extends string>(
      label: string,
      options: readonly (readonly [Code, string])[],
      weakens?: Weakens<readonly Code[]>,
    ): Kind<Code[]> => ({
      label,
      ...(weakens !== undefined && { weakens }),
      items: (value) => value.map((code) => nameOf(options, code)),
      control: (field) => (
        <CheckboxGroup
          field={{ ...field, change: (to: readonly Code[]) => field.change([...to]) }}
          label={label}
          options={options.map(([value, name]) => ({ value, label: name }))}
        />
      ),
    }),

    lines: (
      label: string,
      { hint, rows = 3, ...guard }: Options<string[]> & { readonly rows?: number } = {},
    ): Kind<string[]> => ({
      label,
      ...guard,
      items: (value) => value,
      control: (field) => (
        <LinesField
          field={{ ...field, change: (to: readonly string[]) => field.change([...to]) }}
          label={label}
          rows={rows}
          {...(hint !== undefined && { hint })}
        />
      ),
    }),

    /** Whole numbers, one per line. */
    numbers: (label: string, hint: string): Kind<number[]> => ({
      label,
      items: (value) => value.map(String),
      control: (field) => (
        <LinesField
          field={{
            ...field,
            value: field.value.map(String),
            change: (to: readonly string[]) =>
              field.change(
                to
                  .map((line) => line.replace(/\D/g, ''))
                  .filter((line) => line !== '')
                  .map(Number),
              ),
          }}
          label={label}
          rows={2}
          hint={hint}
        />
      ),
    }),

    colour: (label: string, hint: string): Kind<string> => ({
      label,
      required: t.enterColour,
      items: (value) => [value],
      clean: (value) => value.trim().toLowerCase(),
      control: (field) => <ColourField field={field} label={label} hint={hint} pick={t.pick(label)} />,
    }),

    amount: (
      label: string,
      hint: string,
      weakens: Weakens<Schemas['Money'] | null>,
    ): Kind<Schemas['Money'] | null> => ({
      label,
      weakens,
      items: (value) => (value === null ? [] : [`${value.currency} ${majorUnits(value)}`]),
      control: (field) => <AmountField field={field} label={label} hint={hint} />,
    }),

    checks: (label: string, of: 'person' | 'company'): Kind<Schemas['RequiredChecks']> => ({
      label,
      control: (field) => <ChecksField field={field} label={label} of={of} t={t} />,
      items: (value) =>
        CHECK_LEVELS.flatMap((level) => value[level].map((code) => `${t.levels[level]}: ${checkName(t, code)}`)),
      // Lists each check once, with its levels.
      summary: (value) =>
        [...new Set(CHECK_LEVELS.flatMap((level) => value[level]))].map(
          (code) =>
            `${checkName(t, code)} (${CHECK_LEVELS.filter((level) => value[level].includes(code))
              .map((level) => t.levels[level].toLowerCase())
              .join(', ')})`,
        ),
    }),
  };
}

export function nameOf(options: readonly (readonly [string, string])[], value: string): string {
  return options.find(([code]) => code === value)?.[1] ?? value;
}

export function riskOptions(t: SettingsWords): readonly (readonly [Schemas['RiskLevelName'], string])[] {
  return [
    ['low', t.risk.low],
    ['medium', t.risk.medium],
    ['high', t.risk.high],
  ];
}
