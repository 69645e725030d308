/**
 * The field for a new password and the reasons why one is refused. Used by the account, invitation and reset pages. The
 * count of characters is only a help: the service decides.
 */
import { useState } from 'react';
import { inLanguages, useWords } from '../../core/language.ts';
import { codeOf, isProblem } from '../../core/problem.ts';
import { TextField } from '../../ui/fields.tsx';
import type { FieldState } from '../../ui/form.tsx';

const words = inLanguages({
  en: {
    hint: (enough: number) =>
      `At least ${enough} characters, a few words for example. No rules about kinds of characters.`,
    missing: (length: number, enough: number) => `${length} of ${enough} characters`,
    enough: (length: number) => `${length} characters: long enough`,
    show: 'Show it',
    reused: 'One of your last five passwords.',
    reasons: {
      too_short:
        'Not long enough: at least 15 characters, 12 for those with a second factor, or what the tenant demands.',
      common: 'Among the passwords that are guessed first.',
      repetitive: 'Repeats itself, or follows the alphabet.',
      contains_email: 'Contains a part of your e-mail.',
      contains_tenant_name: 'Contains the name of the tenant.',
    } satisfies Readonly<Record<string, string>>,
  },
  pt: {
    hint: (enough: number) =>
      `Ao menos ${enough} caracteres, algumas palavras, por exemplo. Sem regras sobre tipos de caracteres.`,
    missing: (length: number, enough: number) => `${length} de ${enough} caracteres`,
    enough: (length: number) => `${length} caracteres: é o bastante`,
    show: 'Mostrar',
    reused: 'Uma das suas últimas cinco senhas.',
    reasons: {
      too_short: 'Curta demais: ao menos 15 caracteres, 12 para quem tem segundo fator, ou o que o inquilino exige.',
      common: 'Está entre as senhas que se adivinham primeiro.',
      repetitive: 'Repete-se, ou segue o alfabeto.',
      contains_email: 'Contém parte do seu e-mail.',
      contains_tenant_name: 'Contém o nome do inquilino.',
    } satisfies Readonly<Record<string, string>>,
  },
});

/**
 * Minimum length of a password without and with a second factor. A tenant may require more, which only the service
 * knows.
 */
const ALONE = 15;
const WITH_FACTOR = 12;

/** Returns why the service refuses a password, in words; null if the refusal has another cause. */
export function usePasswordReasons(): (error: unknown) => readonly string[] | null {
  const t = useWords(words);
  const reasons: Readonly<Record<string, string>> = t.reasons;
  return (error) => {
    if (codeOf(error) === 'password_reused') return [t.reused];
    return isProblem(error) && error.code === 'weak_password'
      ? (error.reasons ?? []).map((reason) => reasons[reason] ?? reason)
      : null;
  };
}

/** Field for a new password. It counts the length while the user types; only the service can check everything else. */
export function NewPasswordField({
  field,
  label,
  hint,
  mfaEnabled = false,
}: {
  readonly field: FieldState<string>;
  readonly label: string;
  readonly hint?: string;
  readonly mfaEnabled?: boolean;
}) {
  const t = useWords(words);
  const [shown, setShown] = useState(false);
  const enough = mfaEnabled ? WITH_FACTOR : ALONE;
  const { length } = [...field.value];
  return (
    <TextField
      field={field}
      type={shown ? 'text' : 'password'}
      label={label}
      hint={hint ?? t.hint(enough)}
      autoComplete="new-password"
      maxLength={128}
      spellCheck={false}
      after={
        <div className="below-password">
          <span className={length >= enough ? 'hint good' : 'hint'} aria-live="polite">
            {length > 0 && (length < enough ? t.missing(length, enough) : t.enough(length))}
          </span>
          <label className="show-password">
            <input type="checkbox" checked={shown} onChange={({ target }) => setShown(target.checked)} /> {t.show}
          </label>
        </div>
      }
    />
  );
}
