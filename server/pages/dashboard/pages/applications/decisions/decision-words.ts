/**
 * The values of decisions, reasons and signals in words. Used by the other files of this folder. Reasons and signals
 * are open lists: one without words here is shown as its code.
 */
import type { Schemas } from '../../../core/api.ts';
import { inLanguages, useWords } from '../../../core/language.ts';
import type { Tone } from '../../../ui/badge.tsx';

export type Decision = Schemas['Decision'];
export type EvidenceChange = Schemas['EvidenceChange'];
/** Possible decisions. A rejection says whether the person may apply again. */
export type Choice = 'approve' | 'retry' | 'final';

interface DecisionNames {
  readonly choices: Readonly<Record<Choice, string>>;
  readonly outcomes: Readonly<Record<Decision['outcome'], string>>;
  readonly statuses: Readonly<Record<Decision['status'], string>>;
  readonly changes: Readonly<Record<EvidenceChange['change'], string>>;
  /** Open lists, because a tenant has its own reasons and more kinds of evidence will follow. */
  readonly reasons: Readonly<Record<string, string>>;
  readonly signals: Readonly<Record<string, string>>;
  readonly fourEyes: Readonly<Record<string, string>>;
  readonly evidence: Readonly<Record<string, string>>;
}

const names = inLanguages<DecisionNames>({
  en: {
    choices: { approve: 'Approve', retry: 'Reject; may try again', final: 'Reject for good' },
    outcomes: { approve: 'Approval', reject: 'Rejection' },
    statuses: {
      pending_review: 'Waits for a second person',
      effective: 'In effect',
      returned: 'Returned',
      invalidated: 'No longer stands',
    },
    changes: { added: 'added', removed: 'removed', changed: 'changed' },
    reasons: {},
    signals: {
      not_screened:
        'No screening covers the person as they are now. Two people must approve, unless the settings say otherwise.',
      identity_conflict:
        'Another application gives another date of birth under this tax number. One of the two is not who they ' +
        'say, and two people must decide.',
    },
    fourEyes: {
      pep_declared: 'public office declared',
      not_screened: 'the person was not screened',
      hits_open: 'a hit on a watch list is open',
      hit_confirmed: 'a hit on a watch list was confirmed',
      requirement_waived: 'a requirement was waived',
      check_attested: 'something was looked up by a person',
      verification_overridden: 'a person overrode a verification',
      identity_conflict: 'another date of birth was given under this tax number',
      risk_low: 'low risk',
      risk_medium: 'medium risk',
      risk_high: 'high risk',
      risk_not_assessed: 'the risk was not assessed',
      amount_above: 'the revenue is above the amount of the policy',
      risk_overridden: 'a person has overridden the level of risk',
      level_basic: 'level basic',
      level_standard: 'level standard',
      level_enhanced: 'level enhanced',
    },
    evidence: {
      applicant: 'Data of the person',
      business: 'Data of the company',
      ownership: 'Owners',
      power: 'Power',
      registry: 'Answer of the registry',
      screening: 'Screening',
      verification: 'Verification',
      risk_assessment: 'Level of risk',
      document: 'Document',
      consent: 'Consent',
      check: 'Attestation',
      waiver: 'Waiver',
      information_request: 'Request for information',
      policy: 'Decision policy',
    },
  },
  pt: {
    choices: { approve: 'Aprovar', retry: 'Recusar; pode tentar de novo', final: 'Recusar em definitivo' },
    outcomes: { approve: 'Aprovação', reject: 'Recusa' },
    statuses: {
      pending_review: 'Aguarda outra pessoa',
      effective: 'Em vigor',
      returned: 'Devolvida',
      invalidated: 'Não vale mais',
    },
    changes: { added: 'acrescentado', removed: 'retirado', changed: 'alterado' },
    reasons: {
      identity_confirmed: 'identidade confirmada',
      low_risk: 'risco baixo',
      enhanced_diligence_satisfied: 'diligência reforçada satisfeita',
      document_fraud: 'documento fraudado',
      document_unreadable: 'documento ilegível',
      document_expired: 'documento vencido',
      identity_mismatch: 'identidade divergente',
      identity_conflict: 'conflito de identidade',
      face_mismatch: 'rosto divergente',
      liveness_failed: 'prova de vida falhou',
      underage: 'menor de idade',
      duplicate: 'duplicada',
      sanctions_match: 'consta em lista de sanções',
      pep_not_accepted: 'exposição política não aceita',
      adverse_information: 'informação desabonadora',
      source_of_funds_unproven: 'origem dos recursos não comprovada',
      account_protection_active: 'proteção de conta ativa',
      business_inactive: 'empresa inativa',
      ownership_opaque: 'propriedade opaca',
      powers_unproven: 'poderes não comprovados',
      applicant_unresponsive: 'pessoa não responde',
      policy_exclusion: 'excluída pela política',
      other: 'outro (explique em ao menos 50 caracteres)',
    },
    signals: {
      not_screened:
        'Nenhuma triagem abrange a pessoa como ela está agora. Duas pessoas precisam aprovar, a menos que as ' +
        'configurações digam outra coisa.',
      identity_conflict:
        'Outra solicitação informa outra data de nascimento com este número fiscal. Uma das duas pessoas não é ' +
        'quem diz ser, e duas pessoas precisam decidir.',
    },
    fourEyes: {
      pep_declared: 'cargo público declarado',
      not_screened: 'a pessoa não passou por triagem',
      hits_open: 'há um apontamento em lista em aberto',
      hit_confirmed: 'um apontamento em lista foi confirmado',
      requirement_waived: 'um requisito foi dispensado',
      check_attested: 'algo foi consultado por uma pessoa',
      verification_overridden: 'uma pessoa substituiu o resultado de uma verificação',
      identity_conflict: 'outra data de nascimento foi informada com este número fiscal',
      risk_low: 'risco baixo',
      risk_medium: 'risco médio',
      risk_high: 'risco alto',
      risk_not_assessed: 'o risco não foi avaliado',
      amount_above: 'o faturamento passa do valor da política',
      risk_overridden: 'uma pessoa alterou o nível de risco',
      level_basic: 'nível básico',
      level_standard: 'nível padrão',
      level_enhanced: 'nível reforçado',
    },
    evidence: {
      applicant: 'Dados da pessoa',
      business: 'Dados da empresa',
      ownership: 'Proprietários',
      power: 'Poder',
      registry: 'Resposta do registro',
      screening: 'Consulta a listas',
      verification: 'Verificação',
      risk_assessment: 'Nível de risco',
      document: 'Documento',
      consent: 'Consentimento',
      check: 'Atestado',
      waiver: 'Dispensa',
      information_request: 'Pedido de informações',
      policy: 'Política de decisão',
    },
  },
});

export function useDecisionNames(): DecisionNames {
  return useWords(names);
}

export const DECISION_TONES: Readonly<Record<Decision['status'], Tone>> = {
  pending_review: 'warning',
  effective: 'good',
  returned: 'neutral',
  invalidated: 'neutral',
};
