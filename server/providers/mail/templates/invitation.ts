import type { Template } from './template.ts';

interface Values {
  readonly tenantName: string;
  readonly inviterName: string;
  readonly token: string;
  readonly expiresAt: Date;
}

export const invitation: Template<Values> = {
  en: ({ tenantName, inviterName, token, expiresAt }, { link, time }) => ({
    subject: `Invitation to ${tenantName}`,
    paragraphs: [
      `${inviterName} invites you to work with ${tenantName} on Compliance Onboarding.`,
      link('Accept the invitation', '/invitation', token),
      `The link can be used once, until ${time(expiresAt)}. If you did not expect it, ignore this message.`,
    ],
  }),
  'pt-BR': ({ tenantName, inviterName, token, expiresAt }, { link, time }) => ({
    subject: `Convite para ${tenantName}`,
    paragraphs: [
      `${inviterName} convida você a trabalhar com ${tenantName} no Compliance Onboarding.`,
      link('Aceitar o convite', '/invitation', token),
      `O link pode ser usado uma vez, até ${time(expiresAt)}. Se você não esperava este convite, ignore esta mensagem.`,
    ],
  }),
};
