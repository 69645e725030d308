/**
 * The field for an amount of money. Used by kinds.tsx. People type major units, the API takes minor ones, so a currency
 * with other digits must be converted by its own.
 */
import { useState } from 'react';
import type { Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import { TextField } from '../../ui/fields.tsx';
import type { FieldState } from '../../ui/form.tsx';

type Money = Schemas['Money'];

const words = inLanguages({
  en: { amount: 'Amount', currency: 'Currency' },
  pt: { amount: 'Valor', currency: 'Moeda' },
});

/** Field for an amount of money in major units. Empty means none. */
export function AmountField({
  field,
  label,
  hint,
}: {
  readonly field: FieldState<Money | null>;
  readonly label: string;
  readonly hint: string;
}) {
  const t = useWords(words);
  const [typed, setTyped] = useState(() => typedOf(field.value));
  // Typed text stays as it is typed; an amount that was set from outside is formatted.
  const { sum, currency } =
    JSON.stringify(moneyOf(typed)) === JSON.stringify(field.value) ? typed : typedOf(field.value);
  const change = (to: Typed) => {
    setTyped(to);
    field.change(moneyOf(to));
  };
  const part = (name: 'sum' | 'currency', pointer: string): FieldState<string> => ({
    id: name === 'sum' ? field.id : `${field.id}-currency`,
    value: name === 'sum' ? sum : currency,
    messages: field.parts?.[pointer] ?? [],
    change: (value) => change({ sum, currency, [name]: value }),
  });
  return (
    <fieldset className="field">
      <legend>{label}</legend>
      <div className="hint">{hint}</div>
      <div className="field-pair">
        <TextField field={part('sum', 'amount')} label={t.amount} type="number" min={0} step="any" />
        <TextField
          field={part('currency', 'currency')}
          label={t.currency}
          maxLength={3}
          autoComplete="off"
          spellCheck={false}
        />
      </div>
    </fieldset>
  );
}

interface Typed {
  readonly sum: string;
  readonly currency: string;
}

function typedOf(money: Money | null): Typed {
  return money === null ? { sum: '', currency: 'BRL' } : { sum: majorUnits(money), currency: money.currency };
}

function moneyOf({ sum, currency }: Typed): Money | null {
  const code = currency.trim().toUpperCase();
  return sum.trim() === '' ? null : { amount: Math.round(Number(sum) * 10 ** digits(code)), currency: code };
}

/** Formats an amount in major units: 1500.50. */
export function majorUnits({ amount, currency }: Money): string {
  return (amount / 10 ** digits(currency)).toFixed(digits(currency));
}

/** Returns the number of decimal digits of a currency (ISO 4217). */
function digits(currency: string): number {
  if (!/^[A-Z]{3}$/.test(currency)) return 2;
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
}
