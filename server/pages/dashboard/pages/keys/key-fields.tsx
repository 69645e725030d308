/**
 * The fields for scopes and expiry of a key. Used by the dialogs that create and edit one. The service refuses scopes
 * that the user's role cannot grant.
 */
import { useState } from 'react';
import { useCurrent } from '../../core/current.tsx';
import { inLanguages, useWords } from '../../core/language.ts';
import { Checkbox, CheckboxGroup, SelectField, TextField } from '../../ui/fields.tsx';
import type { FieldState } from '../../ui/form.tsx';
import { LinesField } from '../../ui/lines-field.tsx';
import { type Scope, SCOPES, useKeyWords } from './key-words.ts';

const words = inLanguages({
  en: {
    scopes: 'What the key may do',
    expires: 'Expires',
    in30: 'In 30 days',
    in90: 'In 90 days',
    in365: 'In a year',
    never: 'Never',
    date: 'On a date…',
    day: 'Expiry date',
    enterDay: 'Enter the day.',
    networks: 'Allowed networks',
    networksHint: 'In CIDR notation, one a line. Empty means anywhere.',
    persons: 'Show persons in full',
    personsHint: 'Applicants and their documents as they are, not masked. Only an owner can grant it.',
    pin: 'Keep to live',
    pinHint: 'Never touches the sandbox, even while sandbox mode is on.',
  },
  pt: {
    scopes: 'O que a chave pode fazer',
    expires: 'Expira',
    in30: 'Em 30 dias',
    in90: 'Em 90 dias',
    in365: 'Em um ano',
    never: 'Nunca',
    date: 'Em uma data…',
    day: 'Data de expiração',
    enterDay: 'Digite o dia.',
    networks: 'Redes permitidas',
    networksHint: 'Em notação CIDR, uma por linha. Vazio significa de qualquer lugar.',
    persons: 'Mostrar pessoas por completo',
    personsHint: 'Solicitantes e seus documentos como são, sem máscara. Só um proprietário pode conceder.',
    pin: 'Manter em produção',
    pinHint: 'Nunca toca o sandbox, mesmo com o modo sandbox ligado.',
  },
});

/** Scopes that the signed-in user can grant. Scopes that the key already has stay visible. */
export function ScopesField({
  field,
  also = [],
}: {
  readonly field: FieldState<readonly Scope[]>;
  readonly also?: readonly Scope[];
}) {
  const t = useWords(words);
  const { scopes } = useKeyWords();
  const { user } = useCurrent();
  const offered = SCOPES.filter((scope) => scope !== 'admin' || user.role !== 'developer' || also.includes(scope));
  return (
    <CheckboxGroup
      field={field}
      label={t.scopes}
      options={offered.map((scope) => ({
        value: scope,
        label: scope,
        hint: scopes[scope],
      }))}
    />
  );
}

type Preset = '30' | '90' | '365' | 'never' | 'date';

/** Expiry of a key: a number of days after the form was opened, the end of a day, or never. */
export interface Expiry {
  readonly preset: Preset;
  readonly day: string;
}

const DAY_MS = 86_400_000;

/** Returns the choice for the current expiry. */
export function expiryOf(expiresAt: string | null): Expiry {
  return expiresAt === null ? { preset: 'never', day: '' } : { preset: 'date', day: localDay(Date.parse(expiresAt)) };
}

class DayMissing extends Error {}

/** Returns the message for a missing day. */
export function useDayMissing(): (error: unknown) => { readonly expiry: readonly string[] } | null {
  const t = useWords(words);
  return (error) => (error instanceof DayMissing ? { expiry: [t.enterDay] } : null);
}

/**
 * Returns the time of expiry, counted from when the form was opened and not from the click, because the same choice
 * sent again must be the same request.
 */
export function instantOf({ preset, day }: Expiry, opened: number): string | null {
  if (preset === 'never') return null;
  if (preset === 'date' && day === '') throw new DayMissing();
  // The end of the day in the user's time zone.
  if (preset === 'date') return new Date(`${day}T23:59:59.999`).toISOString();
  return new Date(opened + Number(preset) * DAY_MS).toISOString();
}

export function ExpiryField({ field }: { readonly field: FieldState<Expiry> }) {
  const t = useWords(words);
  const [opened] = useState(() => Date.now());
  const { preset, day } = field.value;
  return (
    <>
      <SelectField
        field={{
          ...field,
          value: preset,
          messages: preset === 'date' ? [] : field.messages,
          change: (to) => field.change({ preset: to, day }),
        }}
        label={t.expires}
        options={[
          ['30', t.in30],
          ['90', t.in90],
          ['365', t.in365],
          ['never', t.never],
          ['date', t.date],
        ]}
      />
      {preset === 'date' && (
        <TextField
          field={{
            ...field,
            id: `${field.id}-day`,
            value: day,
            change: (to) => field.change({ preset, day: to }),
          }}
          label={t.day}
          type="date"
          min={localDay(opened + DAY_MS)}
          max={localDay(opened + 730 * DAY_MS)}
        />
      )}
    </>
  );
}

/** Returns the calendar day in the user's time zone, in the format of date fields. */
function localDay(time: number): string {
  const date = new Date(time);
  return [
    String(date.getFullYear()),
    String(date.getMonth() + 1).padStart(2, '0'),
    String(date.getDate()).padStart(2, '0'),
  ].join('-');
}

export function NetworksField({ field }: { readonly field: FieldState<readonly string[]> }) {
  const t = useWords(words);
  return <LinesField field={field} label={t.networks} hint={t.networksHint} placeholder="203.0.113.0/24" optional />;
}

export function PersonsField({ field }: { readonly field: FieldState<boolean> }) {
  const t = useWords(words);
  return <Checkbox field={field} label={t.persons} hint={t.personsHint} />;
}

export function PinField({ field }: { readonly field: FieldState<boolean> }) {
  const t = useWords(words);
  return <Checkbox field={field} label={t.pin} hint={t.pinHint} />;
}
