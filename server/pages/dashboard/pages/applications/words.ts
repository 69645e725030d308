/**
 * Types and words of everything in an application, shared by all its pages. A value that the contract renames or adds
 * does not compile here; an open code without words is shown as it is.
 */
import type { Schemas } from '../../core/api.ts';
import { inLanguages, type Language, useWords } from '../../core/language.ts';
import type { Tone } from '../../ui/badge.tsx';
import { type RequirementNames, requirementNames } from './requirement-words.ts';

export type Application = Schemas['Application'];
export type Status = Schemas['ApplicationStatus'];
export type Level = Schemas['DiligenceLevel'];
export type Purpose = Schemas['ApplicationPurpose'];
export type Channel = Schemas['Channel'];
export type Document = Schemas['Document'];
export type DocumentType = Schemas['DocumentTypeInput'];
export type SourceOfFunds = Schemas['SourceOfFunds'];
export type PepRelationship = Schemas['PepRelationship'];

/** Enumerations of the contract in words. A value that is renamed or added there no longer compiles here. */
interface Names extends RequirementNames {
  readonly statuses: Readonly<Record<Status, string>>;
  readonly levels: Readonly<Record<Level, string>>;
  readonly purposes: Readonly<Record<Purpose, string>>;
  readonly channels: Readonly<Record<Channel, string>>;
  readonly documentTypes: Readonly<Record<DocumentType, string>>;
  readonly sides: Readonly<Record<Document['side'], string>>;
  readonly documentStatuses: Readonly<Record<Document['status'], string>>;
  readonly sources: Readonly<Record<SourceOfFunds, string>>;
  readonly relationships: Readonly<Record<PepRelationship, string>>;
  readonly taxIdTypes: Readonly<Record<Schemas['TaxIdType'], string>>;
}

const names = inLanguages<Names>({
  en: {
    ...requirementNames.en,
    statuses: {
      draft: 'Draft',
      submitted: 'Submitted',
      in_review: 'In review',
      needs_information: 'Needs information',
      pending_approval: 'Pending approval',
      approved: 'Approved',
      rejected: 'Rejected',
      withdrawn: 'Withdrawn',
      expired: 'Expired',
    },
    levels: { basic: 'Basic', standard: 'Standard', enhanced: 'Enhanced' },
    purposes: {
      account_opening: 'Account opening',
      periodic_review: 'Periodic review',
      event_review: 'Review after an event',
      merchant_onboarding: 'Merchant onboarding',
      other: 'Other',
    },
    channels: {
      web: 'Web',
      mobile: 'Mobile',
      branch: 'Branch',
      partner: 'Partner',
      api: 'API',
    },
    documentTypes: {
      id_card: 'Identity card',
      driver_license: "Driver's licence",
      passport: 'Passport',
      national_migration_card: 'National migration card',
      proof_of_address: 'Proof of address',
      proof_of_income: 'Proof of income',
      selfie: 'Selfie',
      selfie_video: 'Selfie video',
      articles: 'Articles of incorporation',
      bylaws: 'Bylaws',
      election_minutes: 'Election minutes',
      power_of_attorney: 'Power of attorney',
      financial_statement: 'Financial statement',
      other: 'Other document',
    },
    sides: { front: 'Front', back: 'Back', single: 'Whole document' },
    documentStatuses: {
      uploaded: 'Uploaded',
      accepted: 'Accepted',
      rejected: 'Rejected',
      superseded: 'Replaced',
      erased: 'Erased',
    },
    sources: {
      salary: 'Salary',
      business: 'Business',
      investments: 'Investments',
      inheritance: 'Inheritance',
      sale_of_asset: 'Sale of an asset',
      benefits: 'Benefits',
      other: 'Other',
    },
    relationships: {
      self: 'Is exposed',
      relative: 'Relative',
      close_associate: 'Close associate',
      representative: 'Representative',
    },
    taxIdTypes: { cpf: 'CPF', cnpj: 'CNPJ', other: 'Of another country' },
  },
  pt: {
    ...requirementNames.pt,
    statuses: {
      draft: 'Rascunho',
      submitted: 'Enviada',
      in_review: 'Em análise',
      needs_information: 'Faltam informações',
      pending_approval: 'Aguarda aprovação',
      approved: 'Aprovada',
      rejected: 'Recusada',
      withdrawn: 'Retirada',
      expired: 'Expirada',
    },
    levels: { basic: 'Básico', standard: 'Padrão', enhanced: 'Reforçado' },
    purposes: {
      account_opening: 'Abertura de conta',
      periodic_review: 'Revisão periódica',
      event_review: 'Revisão por evento',
      merchant_onboarding: 'Credenciamento de lojista',
      other: 'Outra',
    },
    channels: {
      web: 'Web',
      mobile: 'Aplicativo',
      branch: 'Agência',
      partner: 'Parceiro',
      api: 'API',
    },
    documentTypes: {
      id_card: 'Carteira de identidade',
      driver_license: 'Carteira de motorista (CNH)',
      passport: 'Passaporte',
      national_migration_card: 'Registro nacional migratório',
      proof_of_address: 'Comprovante de endereço',
      proof_of_income: 'Comprovante de renda',
      selfie: 'Selfie',
      selfie_video: 'Vídeo selfie',
      articles: 'Contrato social',
      bylaws: 'Estatuto',
      election_minutes: 'Ata de eleição',
      power_of_attorney: 'Procuração',
      financial_statement: 'Demonstração financeira',
      other: 'Outro documento',
    },
    sides: { front: 'Frente', back: 'Verso', single: 'Documento inteiro' },
    documentStatuses: {
      uploaded: 'Recebido',
      accepted: 'Aceito',
      rejected: 'Recusado',
      superseded: 'Substituído',
      erased: 'Apagado',
    },
    sources: {
      salary: 'Salário',
      business: 'Negócio próprio',
      investments: 'Investimentos',
      inheritance: 'Herança',
      sale_of_asset: 'Venda de bem',
      benefits: 'Benefícios',
      other: 'Outra',
    },
    relationships: {
      self: 'É exposta',
      relative: 'Familiar',
      close_associate: 'Estreito colaborador',
      representative: 'Representante',
    },
    taxIdTypes: { cpf: 'CPF', cnpj: 'CNPJ', other: 'De outro país' },
  },
});

export function useNames(): Names {
  return useWords(names);
}

/** Returns the names outside of components. */
export function namesIn(language: Language): Names {
  return names[language];
}

/** Returns the name of a value. A value unknown to this page is shown as in the contract. */
export function nameOf(words: Readonly<Record<string, string>>, value: string): string {
  return words[value] ?? value.replaceAll('_', ' ');
}

/** Returns options for a select, in the order of the words. */
export function optionsOf<T extends string>(words: Readonly<Record<T, string>>): readonly (readonly [T, string])[] {
  const values: readonly (readonly [T, string])[] = keysOf(words).map((value) => [value, words[value]]);
  return values;
}

export function keysOf<T extends string>(words: Readonly<Record<T, string>>): readonly T[] {
  const isKey = (key: string): key is T => key in words;
  return Object.keys(words).filter(isKey);
}

export const TONES: Readonly<Record<Status, Tone>> = {
  draft: 'neutral',
  submitted: 'info',
  in_review: 'info',
  needs_information: 'warning',
  pending_approval: 'warning',
  approved: 'good',
  rejected: 'danger',
  withdrawn: 'neutral',
  expired: 'neutral',
};
