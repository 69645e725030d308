/**
 * Templates of mails that contain a link with a token. Used by templates/index.ts. The token is in the fragment, which
 * reaches no log.
 */
import type { Template } from '../compose.ts';

interface InvitationValues {
  readonly tenantName: string;
  readonly inviterName: string;
  readonly token: string;
  readonly expiresAt: Date;
}

export const invitation: Template<InvitationValues> = {
  en: ({ tenantName, inviterName, token, expiresAt }, { link, time }) => ({
    subject: `${inviterName} invites you to ${tenantName}`,
    paragraphs: [
      `${inviterName} invites you to work with ${tenantName} on Compliance Onboarding.`,
      link('Accept the invitation', '/invitation', token),
      `The link can be used once, until ${time(expiresAt)}. If you did not expect it, ignore this message.`,
    ],
  }),
  'pt-BR': ({ tenantName, inviterName, token, expiresAt }, { link, time }) => ({
    subject: `${inviterName} convida você para ${tenantName}`,
    paragraphs: [
      `${inviterName} convida você a trabalhar com ${tenantName} no Compliance Onboarding.`,
      link('Aceitar o convite', '/invitation', token),
      `O link pode ser usado uma vez, até ${time(expiresAt)}. Se você não esperava este convite, ignore esta mensagem.`,
    ],
  }),
};

interface OwnerInvitationValues {
  readonly tenantName: string;
  readonly inviterName: string;
  readonly token: string;
  readonly expiresAt: Date;
}

/** Sent to the first owner of a new tenant. */
export const ownerInvitation: Template<OwnerInvitationValues> = {
  en: ({ tenantName, inviterName, token, expiresAt }, { link, time }) => ({
    subject: `${tenantName} is ready for you`,
    paragraphs: [
      `${inviterName} created an account for ${tenantName} on Compliance Onboarding, and you are its owner. Set ` +
        'your password to begin.',
      link('Set up the account', '/invitation', token),
      `The link can be used once, until ${time(expiresAt)}.`,
    ],
  }),
  'pt-BR': ({ tenantName, inviterName, token, expiresAt }, { link, time }) => ({
    subject: `${tenantName} está à sua espera`,
    paragraphs: [
      `${inviterName} criou uma conta para ${tenantName} no Compliance Onboarding, e você é o proprietário dela. ` +
        'Defina sua senha para começar.',
      link('Configurar a conta', '/invitation', token),
      `O link pode ser usado uma vez, até ${time(expiresAt)}.`,
    ],
  }),
};

interface PasswordResetValues {
  readonly token: string;
  readonly expiresAt: Date;
}

export const passwordReset: Template<PasswordResetValues> = {
  en: ({ token, expiresAt }, { link, time }) => ({
    subject: 'Set a new password',
    paragraphs: [
      'Somebody asked to reset the password of your account.',
      link('Set a new password', '/reset', token),
      `The link can be used once, until ${time(expiresAt)}. If it was not you, ignore this message: your ` +
        'password stays as it is.',
    ],
  }),
  'pt-BR': ({ token, expiresAt }, { link, time }) => ({
    subject: 'Defina uma nova senha',
    paragraphs: [
      'Alguém pediu a redefinição da senha da sua conta.',
      link('Definir uma nova senha', '/reset', token),
      `O link pode ser usado uma vez, até ${time(expiresAt)}. Se não foi você, ignore esta mensagem: sua senha ` +
        'continua a mesma.',
    ],
  }),
};
