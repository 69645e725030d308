/**
 * The field for a code of the authenticator or a recovery code. Used by the sign-in, the account, the invitation and
 * the reset. Each code works once.
 */
import { useState } from 'react';
import { inLanguages, useWords } from '../../core/language.ts';
import { codeOf } from '../../core/problem.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import type { FieldState } from '../../ui/form.tsx';

type SecondFactorKind = 'totp' | 'recovery';

const words = inLanguages({
  en: {
    totp: 'Code of your authenticator',
    recovery: 'Recovery code',
    hint: 'One of the ten that you stored when you enrolled. Each works once.',
    useTotp: 'Use the authenticator',
    useRecovery: 'Use a recovery code',
    enterCode: 'Enter the code.',
    sixDigits: 'Enter the six digits that your authenticator shows.',
    wrong: { totp: 'Wrong, or used before. Wait for the next code.', recovery: 'Wrong, or used before.' },
  },
  pt: {
    totp: 'Código do seu autenticador',
    recovery: 'Código de recuperação',
    hint: 'Um dos dez que você guardou no cadastro. Cada um vale uma vez.',
    useTotp: 'Usar o autenticador',
    useRecovery: 'Usar um código de recuperação',
    enterCode: 'Digite o código.',
    sixDigits: 'Digite os seis dígitos que o autenticador mostra.',
    wrong: { totp: 'Errado, ou já usado. Espere o próximo código.', recovery: 'Errado, ou já usado.' },
  },
});

export interface SecondFactor {
  /** Null until a code is requested. */
  readonly kind: SecondFactorKind | null;
  readonly choose: (kind: SecondFactorKind | null) => void;
  /** Message for a missing code; empty if none is requested. */
  readonly required: { readonly code?: string };
  readonly pointer: string;
  /** Handles refusals of the code, for `handle` of a form. */
  readonly handle: (error: unknown) => { readonly code: readonly string[] } | true | null;
}

/** Adds a second factor to a form with a field `code`: shown if the service requests it, or from the start. */
export function useSecondFactor({ asked = false, member = 'totpCode' } = {}): SecondFactor {
  const t = useWords(words);
  const [kind, choose] = useState<SecondFactorKind | null>(asked ? 'totp' : null);
  return {
    kind,
    choose,
    required: kind === null ? {} : { code: kind === 'totp' ? t.sixDigits : t.enterCode },
    pointer: kind === 'recovery' ? '/recoveryCode' : `/${member}`,
    handle: (error) => {
      if (codeOf(error) === 'mfa_required' && kind === null) {
        choose('totp');
        return true;
      }
      return codeOf(error) === 'invalid_mfa_code' || codeOf(error) === 'invalid_totp_code'
        ? { code: [t.wrong[kind ?? 'totp']] }
        : null;
    },
  };
}

/** Returns the members of a sign-in request for the second factor. */
export function secondFactorMember(
  { kind }: SecondFactor,
  code: string,
): { readonly totpCode?: string; readonly recoveryCode?: string } {
  if (kind === null) return {};
  return kind === 'totp' ? { totpCode: code.trim() } : { recoveryCode: code.trim() };
}

/** Field for a code of the authenticator or, if it was lost, a recovery code. */
export function SecondFactorField({
  field,
  factor: { kind, choose },
  focus = true,
}: {
  readonly field: FieldState<string>;
  readonly factor: SecondFactor;
  readonly focus?: boolean;
}) {
  const t = useWords(words);
  if (kind === null) return null;
  const swap = () => {
    choose(kind === 'totp' ? 'recovery' : 'totp');
    field.change('');
  };
  return (
    <div className="stack">
      {kind === 'totp' ? (
        <TextField
          key="totp"
          field={field}
          label={t.totp}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={6}
          className="code-input"
          autoFocus={focus}
        />
      ) : (
        <TextField
          key="recovery"
          field={field}
          label={t.recovery}
          hint={t.hint}
          autoComplete="off"
          maxLength={12}
          spellCheck={false}
          className="code-input"
          autoFocus
        />
      )}
      <p>
        <Button look="quiet" small onClick={swap}>
          {kind === 'totp' ? t.useRecovery : t.useTotp}
        </Button>
      </p>
    </div>
  );
}
