import type { Template } from './template.ts';

interface AtInstant {
  readonly at: Date;
}

const notYou = {
  en: 'If this was not you, set a new password at once and tell your administrator.',
  'pt-BR': 'Se não foi você, defina uma nova senha imediatamente e avise seu administrador.',
} as const;

export const mfaEnrolled: Template<AtInstant> = {
  en: ({ at }, { time }) => ({
    subject: 'Two-step sign-in is on',
    paragraphs: [`An authenticator app was added to your account (${time(at)}). Keep the recovery codes in a safe place.`, notYou.en],
  }),
  'pt-BR': ({ at }, { time }) => ({
    subject: 'A verificação em duas etapas está ativa',
    paragraphs: [`Um aplicativo autenticador foi adicionado à sua conta (${time(at)}). Guarde os códigos de recuperação em lugar seguro.`, notYou['pt-BR']],
  }),
};

export const mfaDisabled: Template<AtInstant> = {
  en: ({ at }, { time }) => ({
    subject: 'Two-step sign-in is off',
    paragraphs: [`The authenticator app was removed from your account (${time(at)}).`, notYou.en],
  }),
  'pt-BR': ({ at }, { time }) => ({
    subject: 'A verificação em duas etapas foi desativada',
    paragraphs: [`O aplicativo autenticador foi removido da sua conta (${time(at)}).`, notYou['pt-BR']],
  }),
};

/** An administrator did it, for somebody who lost the second factor. */
export const mfaReset: Template<AtInstant & { readonly administratorName: string }> = {
  en: ({ at, administratorName }, { time }) => ({
    subject: 'Your two-step sign-in was reset',
    paragraphs: [
      `${administratorName} removed the authenticator app from your account and ended your sessions (${time(at)}). You can add a new one when you sign in.`,
      'If you did not ask for this, tell your administrator at once.',
    ],
  }),
  'pt-BR': ({ at, administratorName }, { time }) => ({
    subject: 'Sua verificação em duas etapas foi redefinida',
    paragraphs: [
      `${administratorName} removeu o aplicativo autenticador da sua conta e encerrou suas sessões (${time(at)}). Você pode adicionar outro ao entrar.`,
      'Se você não pediu isso, avise seu administrador imediatamente.',
    ],
  }),
};
