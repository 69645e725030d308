/**
 * Types and words of everything in an application, shared by all its pages. A value that the contract renames or adds
 * does not compile here; an open code without words is shown as it is.
 */
import type { Schemas } from '../../core/api.ts';
import { inLanguages, type Language, useWords } from '../../core/language.ts';
import type { Tone } from '../../ui/badge.tsx';

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
interface Names {
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
  /** The contract leaves the keys of requirements open, so that a level may require more in the future. */
  readonly requirements: Readonly<Record<string, string>>;
  /** Reasons for a missing or failed requirement. */
  readonly requirementReasons: Readonly<Record<string, string>>;
}

const names = inLanguages<Names>({
  en: {
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
    requirements: {
      identity_data: 'Date of birth',
      comparable_name: 'A name with letters',
      tax_id_valid: 'Valid tax number',
      id_document: 'Identity document',
      address: 'Address',
      proof_of_address: 'Proof of address',
      income_declared: 'Monthly income',
      source_of_funds: 'Source of funds',
      legal_bases_recorded: 'Legal basis of the identification',
      screening_clear: 'Screening must be clear',
      cpf_status_ok: 'CPF is regular',
      account_protection_clear: 'No protection against new accounts',
      adverse_media_clear: 'No adverse media',
    },
    requirementReasons: {
      data_missing: 'Missing',
      document_missing: 'No document yet',
      document_expired: 'The document is past its date',
      not_established: 'Not established',
      name_not_comparable: 'The name has no letters, so no list is compared with it',
      hits_open: 'Some hits are still open',
      screening_outdated: 'The screening is of other data',
      screening_partial: 'Fewer lists were searched, or less strictly, than the settings ask',
      list_stale: 'A mandatory list was out of date when it was searched',
      confirmed_match: 'A hit was confirmed',
      legal_basis_missing: 'No consent or other legal basis yet',
      attested_adverse: 'A look-up speaks against the person',
      verification_failed: 'A verification speaks against the person',
      verification_inconclusive: 'A verification had no clear result',
      verification_of_other_data: 'A verification was about other data',
      verification_outdated: 'A verification is older than 90 days',
      verification_pending: 'A verification is running',
      verification_error: 'The provider of a verification did not answer',
      attestation_outdated: 'The look-up is older than 90 days',
      attestation_of_other_data: 'The look-up is of other data',
      requested_anew: 'Asked for again',
    },
  },
  pt: {
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
    requirements: {
      identity_data: 'Data de nascimento',
      comparable_name: 'Um nome com letras',
      tax_id_valid: 'Número fiscal válido',
      id_document: 'Documento de identidade',
      address: 'Endereço',
      proof_of_address: 'Comprovante de endereço',
      income_declared: 'Renda mensal',
      source_of_funds: 'Origem dos recursos',
      legal_bases_recorded: 'Base legal da identificação',
      screening_clear: 'A consulta em listas não pode ter apontamentos',
      cpf_status_ok: 'CPF regular',
      account_protection_clear: 'Sem proteção contra abertura de contas',
      adverse_media_clear: 'Sem mídia adversa',
    },
    requirementReasons: {
      data_missing: 'Falta',
      document_missing: 'Ainda sem documento',
      document_expired: 'O documento está vencido',
      not_established: 'Não estabelecido',
      name_not_comparable: 'O nome não tem letras, por isso nenhuma lista é comparada com ele',
      hits_open: 'Ainda há apontamentos em aberto',
      screening_outdated: 'A consulta é de outros dados',
      screening_partial: 'A consulta usou menos listas ou foi menos rigorosa do que as configurações pedem',
      list_stale: 'Uma lista obrigatória estava desatualizada na consulta',
      confirmed_match: 'Um apontamento foi confirmado',
      legal_basis_missing: 'Ainda sem consentimento ou outra base legal',
      attested_adverse: 'Uma consulta depõe contra a pessoa',
      verification_failed: 'Uma verificação depõe contra a pessoa',
      verification_inconclusive: 'Uma verificação não teve resultado claro',
      verification_of_other_data: 'Uma verificação tratou de outros dados',
      verification_outdated: 'Uma verificação tem mais de 90 dias',
      verification_pending: 'Uma verificação está em andamento',
      verification_error: 'O provedor de uma verificação não respondeu',
      attestation_outdated: 'A consulta tem mais de 90 dias',
      attestation_of_other_data: 'A consulta é de outros dados',
      requested_anew: 'Pedido de novo',
    },
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
