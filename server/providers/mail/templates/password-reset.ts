import type { Template } from './template.ts';

interface Values {
  readonly token: string;
  readonly expiresAt: Date;
}

export const passwordReset: Template<Values> = {
  en: ({ token, expiresAt }, { link, time }) => ({
    subject: 'Set a new password',
    paragraphs: [
      'Somebody asked to reset the password of your account.',
      link('Set a new password', '/reset', token),
      `The link can be used once, until ${time(expiresAt)}. If it was not you, ignore this message: your password stays as it is.`,
    ],
  }),
  'pt-BR': ({ token, expiresAt }, { link, time }) => ({
    subject: 'Defina uma nova senha',
    paragraphs: [
      'Alguém pediu a redefinição da senha da sua conta.',
      link('Definir uma nova senha', '/reset', token),
      `O link pode ser usado uma vez, até ${time(expiresAt)}. Se não foi você, ignore esta mensagem: sua senha continua a mesma.`,
    ],
  }),
};
