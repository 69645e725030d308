import { inLanguages, useWords } from '../../app/language.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import type { FieldState } from '../../ui/form.tsx';

export type SecondFactorKind = 'totp' | 'recovery';

const words = inLanguages({
  en: {
    totp: 'Code of your authenticator', recovery: 'Recovery code', hint: 'One of the ten that you stored when you enrolled. Each works once.',
    useTotp: 'Use the authenticator', useRecovery: 'Use a recovery code',
  },
  pt: {
    totp: 'Código do seu autenticador', recovery: 'Código de recuperação', hint: 'Um dos dez que você guardou no cadastro. Cada um vale uma vez.',
    useTotp: 'Usar o autenticador', useRecovery: 'Usar um código de recuperação',
  },
});

/** What to send of a second factor. */
export function secondFactorMember(kind: SecondFactorKind, code: string): { readonly totpCode: string } | { readonly recoveryCode: string } {
  return kind === 'totp' ? { totpCode: code.trim() } : { recoveryCode: code.trim() };
}

/** A code of the authenticator or, for the day it is lost, a recovery code. */
export function SecondFactorField({ field, kind, choose }: { readonly field: FieldState<string>; readonly kind: SecondFactorKind; readonly choose: (kind: SecondFactorKind) => void }) {
  const t = useWords(words);
  const swap = () => {
    choose(kind === 'totp' ? 'recovery' : 'totp');
    field.change('');
  };
  return (
    <div className="stack">
      {kind === 'totp'
        ? <TextField key="totp" field={field} label={t.totp} inputMode="numeric" autoComplete="one-time-code" maxLength={6} className="code-input" autoFocus />
        : <TextField key="recovery" field={field} label={t.recovery} hint={t.hint} autoComplete="off" maxLength={12} spellCheck={false} className="code-input" autoFocus />}
      <p><Button look="quiet" small onClick={swap}>{kind === 'totp' ? t.useRecovery : t.useTotp}</Button></p>
    </div>
  );
}
