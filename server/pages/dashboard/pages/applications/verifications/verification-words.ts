/**
 * The names of types, statuses, checks and reasons of verifications in both languages, and the colours of results.
 * Used by the parts of the application page that show verifications. A provider may send checks and reasons that have
 * no name here; they are shown by their codes.
 */
import type { Schemas } from '../../../core/api.ts';
import { inLanguages, useWords } from '../../../core/language.ts';
import type { Tone } from '../../../ui/badge.tsx';
import { ADDRESS_REASONS } from './address-words.ts';
import { FACE_REASONS } from './face-words.ts';

export type Verification = Schemas['Verification'];
export type VerificationStatus = Verification['status'];
export type OverrideReason = Schemas['OverrideReasonInput'];
export type Check = Schemas['VerificationCheck'];

interface VerificationNames {
  readonly types: Readonly<Record<Exclude<Verification['type'], 'registry'>, string>>;
  readonly registers: Readonly<Record<NonNullable<Verification['registrySource']>, string>>;
  readonly statuses: Readonly<Record<VerificationStatus, string>>;
  readonly outcomes: Readonly<Record<Check['outcome'], string>>;
  readonly checks: Readonly<Record<string, string>>;
  readonly reasons: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<Exclude<keyof Schemas['ExtractedFields'], 'mrzType'>, string>>;
  readonly sources: Readonly<Record<Schemas['ExtractedField']['source'], string>>;
  readonly errors: Readonly<Record<Schemas['VerificationError']['code'], string>>;
  readonly overrideReasons: Readonly<Record<OverrideReason, string>>;
  readonly providers: Readonly<Record<string, string>>;
}

const names = inLanguages<VerificationNames>({
  en: {
    types: { document_ocr: 'Document', face_match: 'Face', liveness: 'Living person' },
    registers: { receita_cpf: 'CPF register', bc_protege: 'BC Protege+' },
    statuses: {
      queued: 'Queued',
      processing: 'Running',
      passed: 'Passed',
      failed: 'Failed',
      inconclusive: 'Inconclusive',
      error: 'No answer',
      cancelled: 'Cancelled',
    },
    outcomes: {
      pass: 'Passed',
      fail: 'Failed',
      warn: 'Warning',
      not_run: 'Not run',
    },
    checks: {
      image_quality: 'Quality of the picture',
      document_type_supported: 'Type of document',
      tamper_signals: 'Signs of tampering',
      pdf_signature: 'Signature of the file',
      mrz_format: 'Format of the machine-readable zone',
      mrz_check_digit_document_number: 'Check digit of the document number',
      mrz_check_digit_date_of_birth: 'Check digit of the date of birth',
      mrz_check_digit_date_of_expiry: 'Check digit of the expiry date',
      mrz_check_digit_personal_number: 'Check digit of the personal number',
      mrz_check_digit_composite: 'Check digit of the whole zone',
      mrz_vs_visual: 'Machine-readable zone against printed text',
      document_expired: 'Validity of the document',
      data_match_name: 'Name as in the application',
      data_match_date_of_birth: 'Date of birth as in the application',
      data_match_tax_id: 'Tax number as in the application',
      address_match: 'Address as in the application',
      document_age: 'Age of the document',
      tax_id_checksum: 'Check digits of the tax number',
      face_similarity: 'Likeness of the faces',
      liveness_passive: 'Living person in front of the camera',
      liveness_challenge_binding: 'Movements as asked for',
      identity_continuity: 'One person in all pictures',
      injection_signals: 'Pictures taken by a camera',
      cpf_status: 'Status of the CPF',
      cpf_name_match: 'Name as in the register',
      account_opening_protection: 'Protection against new accounts',
    },
    reasons: {
      ...FACE_REASONS.en,
      ...ADDRESS_REASONS.en,
      picture_not_read: 'the picture was not read',
      picture_unreadable: 'the picture cannot be opened',
      picture_too_small: 'the text is too small',
      nothing_legible: 'a side shows no text',
      format_not_read: 'files of this format are not read',
      too_many_pages: 'the file has too many pages',
      characters_uncertain: 'characters are uncertain',
      no_machine_readable_zone: 'no machine-readable zone',
      several_documents: 'more than one document',
      not_measured: 'no measure is reliable enough',
      no_signature: 'the file is not signed',
      no_roots: 'no trusted authority is configured',
      signature_unreadable: 'the signature cannot be read',
      signature_wrong: 'the file was changed after it was signed',
      algorithm_unknown: 'the signature is of an unknown kind',
      signer_unknown: 'no trusted authority stands behind the signer',
      certificate_expired: 'a certificate is past its end',
      changed_after_signing: 'something was added after the signature',
      visual_zone_partly_read: 'a part of the printed text was not read',
      zones_differ: 'zone and printed text differ',
      check_digit_wrong: 'the check digit is wrong',
      letter_taken_for_digit: 'a letter was taken for a digit',
      not_in_format: 'this format has none',
      format_wrong: 'the format is wrong',
      name_differs: 'another name',
      name_partial: 'a part of the name',
      name_spelling: 'one letter differs',
      date_differs: 'another date',
      date_incomplete: 'the date is incomplete',
      mrz_not_read: 'the zone was not read',
      visual_zone_not_read: 'the printed text was not read',
      date_not_read: 'the date was not read',
      name_not_read: 'the name was not read',
      tax_id_not_read: 'the tax number was not read',
      not_stated: 'the application does not state it',
      name_cut: 'the name is cut off',
      digits_wrong: 'the digits are wrong',
      tax_id_differs: 'another tax number',
      document_expired: 'past its date',
      protection_active: 'the protection is active',
      deceased: 'the holder has died',
      simulated: 'simulated',
    },
    fields: {
      documentNumber: 'Document number',
      firstNames: 'First names',
      lastName: 'Last name',
      fullName: 'Full name',
      dateOfBirth: 'Date of birth',
      dateOfExpiry: 'Expiry date',
      nationality: 'Nationality',
      sex: 'Sex',
      issuingCountry: 'Issuing country',
      personalNumber: 'Personal number',
      taxId: 'Tax number',
    },
    sources: { mrz: 'machine-readable zone', visual: 'printed text' },
    errors: {
      provider_timeout: 'The provider did not answer in time.',
      provider_unavailable: 'The provider could not be reached.',
      provider_invalid_answer: 'The answer of the provider was not valid.',
    },
    overrideReasons: {
      checked_by_person: 'A person has checked it',
      picture_unreadable: 'The picture was unreadable for the machine',
      provider_error: 'An error of the provider',
      document_not_genuine: 'The document is not genuine',
      other_person: 'Another person',
      other: 'Another reason',
    },
    providers: { embedded: 'part of the service', sandbox: 'simulated by the sandbox' },
  },
  pt: {
    types: { document_ocr: 'Documento', face_match: 'Rosto', liveness: 'Prova de vida' },
    registers: { receita_cpf: 'Cadastro de CPF', bc_protege: 'BC Protege+' },
    statuses: {
      queued: 'Na fila',
      processing: 'Em andamento',
      passed: 'Aprovada',
      failed: 'Reprovada',
      inconclusive: 'Inconclusiva',
      error: 'Sem resposta',
      cancelled: 'Cancelada',
    },
    outcomes: {
      pass: 'Passou',
      fail: 'Não passou',
      warn: 'Atenção',
      not_run: 'Não feita',
    },
    checks: {
      image_quality: 'Qualidade da imagem',
      document_type_supported: 'Tipo de documento',
      tamper_signals: 'Sinais de adulteração',
      pdf_signature: 'Assinatura do arquivo',
      mrz_format: 'Formato da zona de leitura mecânica',
      mrz_check_digit_document_number: 'Dígito do número do documento',
      mrz_check_digit_date_of_birth: 'Dígito da data de nascimento',
      mrz_check_digit_date_of_expiry: 'Dígito da data de validade',
      mrz_check_digit_personal_number: 'Dígito do número pessoal',
      mrz_check_digit_composite: 'Dígito da zona inteira',
      mrz_vs_visual: 'Zona de leitura mecânica e texto impresso',
      document_expired: 'Validade do documento',
      data_match_name: 'Nome igual ao da solicitação',
      data_match_date_of_birth: 'Data de nascimento igual à da solicitação',
      data_match_tax_id: 'Número fiscal igual ao da solicitação',
      address_match: 'Endereço igual ao do cadastro',
      document_age: 'Idade do documento',
      tax_id_checksum: 'Dígitos do número fiscal',
      face_similarity: 'Semelhança dos rostos',
      liveness_passive: 'Pessoa viva diante da câmera',
      liveness_challenge_binding: 'Movimentos pedidos',
      identity_continuity: 'Uma só pessoa em todas as imagens',
      injection_signals: 'Imagens feitas por uma câmera',
      cpf_status: 'Situação do CPF',
      cpf_name_match: 'Nome igual ao do cadastro',
      account_opening_protection: 'Proteção contra novas contas',
    },
    reasons: {
      ...FACE_REASONS.pt,
      ...ADDRESS_REASONS.pt,
      picture_not_read: 'a imagem não foi lida',
      picture_unreadable: 'a imagem não pode ser aberta',
      picture_too_small: 'o texto é pequeno demais',
      nothing_legible: 'um lado não mostra texto',
      format_not_read: 'arquivos deste formato não são lidos',
      too_many_pages: 'o arquivo tem páginas demais',
      characters_uncertain: 'caracteres incertos',
      no_machine_readable_zone: 'sem zona de leitura mecânica',
      several_documents: 'mais de um documento',
      not_measured: 'nenhuma medida é confiável o bastante',
      no_signature: 'o arquivo não está assinado',
      no_roots: 'nenhuma autoridade confiável está configurada',
      signature_unreadable: 'a assinatura não pode ser lida',
      signature_wrong: 'o arquivo foi mudado depois de assinado',
      algorithm_unknown: 'a assinatura é de um tipo desconhecido',
      signer_unknown: 'nenhuma autoridade confiável responde por quem assinou',
      certificate_expired: 'um certificado está fora da validade',
      changed_after_signing: 'algo foi acrescentado depois da assinatura',
      visual_zone_partly_read: 'uma parte do texto impresso não foi lida',
      zones_differ: 'zona e texto impresso diferem',
      check_digit_wrong: 'o dígito está errado',
      letter_taken_for_digit: 'uma letra foi tomada por dígito',
      not_in_format: 'este formato não tem',
      format_wrong: 'o formato está errado',
      name_differs: 'outro nome',
      name_partial: 'uma parte do nome',
      name_spelling: 'uma letra difere',
      date_differs: 'outra data',
      date_incomplete: 'a data está incompleta',
      mrz_not_read: 'a zona não foi lida',
      visual_zone_not_read: 'o texto impresso não foi lido',
      date_not_read: 'a data não foi lida',
      name_not_read: 'o nome não foi lido',
      tax_id_not_read: 'o número fiscal não foi lido',
      not_stated: 'a solicitação não informa',
      name_cut: 'o nome está cortado',
      digits_wrong: 'os dígitos estão errados',
      tax_id_differs: 'outro número fiscal',
      document_expired: 'fora da validade',
      protection_active: 'a proteção está ativa',
      deceased: 'titular falecido',
      simulated: 'simulado',
    },
    fields: {
      documentNumber: 'Número do documento',
      firstNames: 'Nomes',
      lastName: 'Sobrenome',
      fullName: 'Nome completo',
      dateOfBirth: 'Data de nascimento',
      dateOfExpiry: 'Validade',
      nationality: 'Nacionalidade',
      sex: 'Sexo',
      issuingCountry: 'País emissor',
      personalNumber: 'Número pessoal',
      taxId: 'Número fiscal',
    },
    sources: { mrz: 'zona de leitura mecânica', visual: 'texto impresso' },
    errors: {
      provider_timeout: 'O provedor não respondeu a tempo.',
      provider_unavailable: 'Não foi possível acessar o provedor.',
      provider_invalid_answer: 'A resposta do provedor não era válida.',
    },
    overrideReasons: {
      checked_by_person: 'Uma pessoa conferiu',
      picture_unreadable: 'A imagem era ilegível para a máquina',
      provider_error: 'Um erro do provedor',
      document_not_genuine: 'O documento não é autêntico',
      other_person: 'Outra pessoa',
      other: 'Outro motivo',
    },
    providers: { embedded: 'parte do serviço', sandbox: 'simulado pelo sandbox' },
  },
});

export function useVerificationNames(): VerificationNames {
  return useWords(names);
}

/** Returns what was verified: a register by its own name. */
export function nameOfMatter(
  { types, registers }: VerificationNames,
  { type, registrySource }: Pick<Verification, 'type' | 'registrySource'>,
): string {
  if (type === 'registry') return registrySource === null ? type : (registers[registrySource] ?? registrySource);
  return types[type] ?? type;
}

export const RESULT_TONES: Readonly<Record<VerificationStatus, Tone>> = {
  queued: 'info',
  processing: 'info',
  passed: 'good',
  failed: 'danger',
  inconclusive: 'warning',
  error: 'neutral',
  cancelled: 'neutral',
};
