/**
 * The values of consents in words. Used by consents.tsx and record-consent.tsx. A value that the contract gains does
 * not compile until it has words.
 */
import type { Schemas } from '../../../core/api.ts';
import { inLanguages, useWords } from '../../../core/language.ts';

export type Consent = Schemas['ConsentRecord'];

/** The enumerations of a consent in words. */
interface ConsentNames {
  readonly actions: Readonly<Record<Consent['action'], string>>;
  readonly purposes: Readonly<Record<Consent['purpose'], string>>;
  readonly legalBases: Readonly<Record<Consent['legalBasis'], string>>;
}

const names = inLanguages<ConsentNames>({
  en: {
    actions: { granted: 'Granted', withdrawn: 'Withdrawn' },
    purposes: {
      identity_verification: 'Verification of identity',
      biometric_processing: 'Biometric data',
      screening: 'Screening against lists',
      data_sharing_fraud: 'Sharing data against fraud',
      international_transfer: 'Transfer abroad',
      marketing: 'Advertising',
    },
    legalBases: {
      consent: 'Consent',
      legal_obligation: 'Legal obligation',
      fraud_prevention: 'Prevention of fraud',
      contract: 'Contract',
      legitimate_interest: 'Legitimate interest',
    },
  },
  pt: {
    actions: { granted: 'Dado', withdrawn: 'Revogado' },
    purposes: {
      identity_verification: 'Verificação de identidade',
      biometric_processing: 'Dados biométricos',
      screening: 'Consulta a listas',
      data_sharing_fraud: 'Compartilhamento contra fraudes',
      international_transfer: 'Transferência internacional',
      marketing: 'Publicidade',
    },
    legalBases: {
      consent: 'Consentimento',
      legal_obligation: 'Obrigação legal',
      fraud_prevention: 'Prevenção à fraude',
      contract: 'Contrato',
      legitimate_interest: 'Legítimo interesse',
    },
  },
});

export function useConsentNames(): ConsentNames {
  return useWords(names);
}
