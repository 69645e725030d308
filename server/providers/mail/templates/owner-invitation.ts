import type { Template } from './template.ts';

interface Values {
  readonly tenantName: string;
  readonly token: string;
  readonly expiresAt: Date;
}

/** To the first owner of a new tenant. */
export const ownerInvitation: Template<Values> = {
  en: ({ tenantName, token, expiresAt }, { link, time }) => ({
    subject: `${tenantName} is ready for you`,
    paragraphs: [
      `An account for ${tenantName} was created on Compliance Onboarding, and you are its owner. Set your password to begin.`,
      link('Set up the account', '/invitation', token),
      `The link can be used once, until ${time(expiresAt)}.`,
    ],
  }),
  'pt-BR': ({ tenantName, token, expiresAt }, { link, time }) => ({
    subject: `${tenantName} está à sua espera`,
    paragraphs: [
      `Uma conta para ${tenantName} foi criada no Compliance Onboarding, e você é o proprietário dela. Defina sua senha para começar.`,
      link('Configurar a conta', '/invitation', token),
      `O link pode ser usado uma vez, até ${time(expiresAt)}.`,
    ],
  }),
};
