import type { Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import type { Tone } from '../../ui/badge.tsx';

/** Names of everything that a case can be or hold, for all pages that show cases. Each enumeration of the contract is
 * complete in both languages, or it does not compile. */
export type ReviewCase = Schemas['ReviewCase'];
export type Resolution = Schemas['CaseResolution'];
export type Outcome = Schemas['CaseOutcomeInput'];
export type CaseReason = Schemas['CaseReasonCode'];
export type ReopenReason = Schemas['CaseReopening']['reasonCode'];

interface CaseNames {
  readonly types: Readonly<Record<ReviewCase['type'], string>>;
  readonly statuses: Readonly<Record<ReviewCase['status'], string>>;
  readonly openedReasons: Readonly<Record<ReviewCase['openedReason'], string>>;
  readonly links: Readonly<Record<ReviewCase['links'][number]['kind'], string>>;
  readonly outcomes: Readonly<Record<Outcome, string>>;
  readonly reasons: Readonly<Record<CaseReason, string>>;
  readonly resolutions: Readonly<Record<Resolution['status'], string>>;
  readonly reopenReasons: Readonly<Record<ReopenReason, string>>;
}

const names = inLanguages<CaseNames>({
  en: {
    types: {
      application_review: 'Review of an application',
      business_review: 'Review of a business',
      screening_hit: 'Confirmed hit',
      monitoring_alert: 'Monitoring alert',
      risk_increase: 'Higher risk',
      quality_review: 'Quality review',
      ad_hoc: 'Other',
    },
    statuses: {
      open: 'Open',
      in_progress: 'In progress',
      on_hold: 'On hold',
      pending_approval: 'Waits for a second person',
      resolved: 'Resolved',
    },
    openedReasons: {
      manual: 'Opened by a person or an integration',
      alert_escalated: 'An alert was escalated',
      hit_confirmed: 'A hit was confirmed',
      risk_increased: 'The risk level rose',
      check_inconclusive: 'A check gave no result',
      registry_differs: 'The registry contradicts what is declared',
      power_expired: 'A power has expired',
      quality_sample: 'Drawn for a quality review',
    },
    links: {
      alert: 'Alert',
      hit: 'Hit',
      assessment: 'Risk assessment',
      reviewed_case: 'Reviewed case',
      verification: 'Verification',
      registry_difference: 'Difference from the registry',
      power: 'Power',
    },
    outcomes: {
      cleared: 'Cleared',
      false_positive: 'False positive',
      confirmed_risk: 'Risk confirmed',
      no_action: 'No action needed',
      exit_relationship: 'End the relationship',
    },
    reasons: {
      explained_by_customer: 'The customer explained it',
      documents_sufficient: 'The documents suffice',
      different_person: 'It is another person',
      known_to_us: 'It was known before',
      duplicate_case: 'Another case covers it',
      risk_accepted: 'The risk is accepted',
      information_not_provided: 'Information was not provided',
      suspicion_confirmed: 'The suspicion is confirmed',
      work_confirmed: 'The work was done well',
      work_deficient: 'The work has deficiencies',
      other: 'Another reason',
    },
    resolutions: {
      pending_review: 'Waits for a second person',
      effective: 'In effect',
      returned: 'Returned',
      invalidated: 'Invalid: the evidence changed',
      reopened: 'Reopened',
    },
    reopenReasons: {
      new_information: 'There is new information',
      error_found: 'An error was found',
      quality_review: 'The quality review asks for it',
      authority_request: 'An authority asks for it',
      other: 'Another reason',
    },
  },
  pt: {
    types: {
      application_review: 'Análise de uma solicitação',
      business_review: 'Análise de uma empresa',
      screening_hit: 'Ocorrência confirmada',
      monitoring_alert: 'Alerta de monitoramento',
      risk_increase: 'Risco maior',
      quality_review: 'Revisão de qualidade',
      ad_hoc: 'Outro',
    },
    statuses: {
      open: 'Aberto',
      in_progress: 'Em andamento',
      on_hold: 'Em espera',
      pending_approval: 'Aguarda outra pessoa',
      resolved: 'Concluído',
    },
    openedReasons: {
      manual: 'Aberto por uma pessoa ou integração',
      alert_escalated: 'Um alerta foi encaminhado',
      hit_confirmed: 'Uma ocorrência foi confirmada',
      risk_increased: 'O nível de risco subiu',
      check_inconclusive: 'Uma verificação não teve resultado',
      registry_differs: 'O registro contradiz o declarado',
      power_expired: 'Um poder venceu',
      quality_sample: 'Sorteado para revisão de qualidade',
    },
    links: {
      alert: 'Alerta',
      hit: 'Ocorrência',
      assessment: 'Avaliação de risco',
      reviewed_case: 'Caso revisado',
      verification: 'Verificação',
      registry_difference: 'Diferença do registro',
      power: 'Poder',
    },
    outcomes: {
      cleared: 'Esclarecido',
      false_positive: 'Falso positivo',
      confirmed_risk: 'Risco confirmado',
      no_action: 'Nenhuma ação necessária',
      exit_relationship: 'Encerrar o relacionamento',
    },
    reasons: {
      explained_by_customer: 'O cliente explicou',
      documents_sufficient: 'Os documentos bastam',
      different_person: 'É outra pessoa',
      known_to_us: 'Já era conhecido',
      duplicate_case: 'Outro caso trata disso',
      risk_accepted: 'O risco foi aceito',
      information_not_provided: 'As informações não foram fornecidas',
      suspicion_confirmed: 'A suspeita foi confirmada',
      work_confirmed: 'O trabalho foi bem feito',
      work_deficient: 'O trabalho tem deficiências',
      other: 'Outro motivo',
    },
    resolutions: {
      pending_review: 'Aguarda outra pessoa',
      effective: 'Em vigor',
      returned: 'Devolvida',
      invalidated: 'Inválida: as evidências mudaram',
      reopened: 'Reaberta',
    },
    reopenReasons: {
      new_information: 'Há informações novas',
      error_found: 'Um erro foi encontrado',
      quality_review: 'A revisão de qualidade pede',
      authority_request: 'Uma autoridade pede',
      other: 'Outro motivo',
    },
  },
});

export function useCaseNames(): CaseNames {
  return useWords(names);
}

export const CASE_TONES: Readonly<Record<ReviewCase['status'], Tone>> = {
  open: 'warning',
  in_progress: 'info',
  on_hold: 'neutral',
  pending_approval: 'warning',
  resolved: 'good',
};

export const RESOLUTION_TONES: Readonly<Record<Resolution['status'], Tone>> = {
  pending_review: 'warning',
  effective: 'good',
  returned: 'neutral',
  invalidated: 'danger',
  reopened: 'neutral',
};

/** Whether somebody can still work on the case: it is neither resolved nor waiting for a second person. */
export function isWorkable({ status }: Pick<ReviewCase, 'status'>): boolean {
  return status !== 'resolved' && status !== 'pending_approval';
}
