import type { Schemas } from '../../core/api.ts';
import { inLanguages, useLanguage, useWords } from '../../core/language.ts';
import type { Tone } from '../../ui/badge.tsx';

/**
 * Names of everything that models, lists and assessments of risk can hold, for all pages that show them. Each
 * enumeration of the contract is complete in both languages, or it does not compile.
 */
export type Level = Schemas['RiskLevel'];
export type Model = Schemas['RiskModel'];
export type Definition = Schemas['RiskModelDefinition'];
export type Factor = Schemas['RiskFactor'];
export type HardRule = Schemas['RiskHardRule'];
export type Backtest = Schemas['RiskBacktest'];
export type Assessment = Schemas['RiskAssessment'];
export type Status = Schemas['RiskDefinitionStatus'];
export type SubjectType = Schemas['RiskSubjectType'];
export type OverrideReason = Schemas['RiskOverrideReason'];

export const LEVELS = ['low', 'medium', 'high', 'prohibited'] as const satisfies readonly Level[];

interface RiskNames {
  readonly levels: Readonly<Record<Level, string>>;
  readonly statuses: Readonly<Record<Status, string>>;
  readonly subjects: Readonly<Record<SubjectType, string>>;
  readonly categories: Readonly<Record<Factor['category'], string>>;
  readonly effects: Readonly<Record<HardRule['effect'], string>>;
  readonly policies: Readonly<Record<Definition['missingDataPolicy'], string>>;
  readonly triggers: Readonly<Record<Assessment['trigger'], string>>;
  readonly overrideReasons: Readonly<Record<OverrideReason, string>>;
  readonly backtests: Readonly<Record<Backtest['status'], string>>;
  readonly kinds: Readonly<Record<Backtest['kind'], string>>;
  readonly activations: Readonly<Record<Schemas['RiskActivation']['status'], string>>;
}

const names = inLanguages<RiskNames>({
  en: {
    levels: {
      low: 'Low',
      medium: 'Medium',
      high: 'High',
      prohibited: 'Prohibited',
    },
    statuses: {
      draft: 'Draft',
      pending_activation: 'Waits for a second person',
      active: 'Active',
      retired: 'Retired',
    },
    subjects: { individual: 'People', business: 'Companies' },
    categories: {
      customer: 'Customer',
      geography: 'Geography',
      product: 'Product',
      channel: 'Channel',
      ownership: 'Ownership',
      screening: 'Screening',
      behaviour: 'Behaviour',
    },
    effects: {
      floor_medium: 'At least medium',
      floor_high: 'At least high',
      prohibit: 'Prohibited',
      require_enhanced: 'Enhanced diligence',
    },
    policies: {
      max_score: 'The factor counts with its highest score',
      neutral: 'The factor does not count',
      unscorable: 'No assessment is made',
    },
    triggers: {
      submit: 'The application was submitted',
      event: 'Something about the applicant changed',
      manual: 'Somebody asked for it',
      activation: 'Another model or list became active',
      override_expiry: 'An override ended',
      snapshot: 'First assessment of existing applications',
    },
    overrideReasons: {
      additional_information: 'There is more information',
      adverse_information: 'There is adverse information',
      mitigating_controls: 'Other controls reduce the risk',
      model_limitation: 'The model does not cover this',
      relationship_history: 'The history of the relationship',
      other: 'Another reason',
    },
    backtests: {
      queued: 'Queued',
      running: 'Running',
      completed: 'Completed',
      failed: 'Failed',
      cancelled: 'Cancelled',
    },
    kinds: { backtest: 'Backtest', shadow: 'Shadow run' },
    activations: {
      pending: 'Waits for a second person',
      confirmed: 'Confirmed',
      returned: 'Returned',
      invalidated: 'Invalid: what it rests on has changed',
    },
  },
  pt: {
    levels: {
      low: 'Baixo',
      medium: 'Médio',
      high: 'Alto',
      prohibited: 'Proibido',
    },
    statuses: {
      draft: 'Rascunho',
      pending_activation: 'Aguarda outra pessoa',
      active: 'Ativo',
      retired: 'Retirado',
    },
    subjects: { individual: 'Pessoas', business: 'Empresas' },
    categories: {
      customer: 'Cliente',
      geography: 'Geografia',
      product: 'Produto',
      channel: 'Canal',
      ownership: 'Controle',
      screening: 'Consulta a listas',
      behaviour: 'Comportamento',
    },
    effects: {
      floor_medium: 'Ao menos médio',
      floor_high: 'Ao menos alto',
      prohibit: 'Proibido',
      require_enhanced: 'Diligência reforçada',
    },
    policies: {
      max_score: 'O fator conta com a maior pontuação',
      neutral: 'O fator não conta',
      unscorable: 'Nenhuma avaliação é feita',
    },
    triggers: {
      submit: 'A solicitação foi enviada',
      event: 'Algo sobre a pessoa mudou',
      manual: 'Alguém pediu',
      activation: 'Outro modelo ou lista passou a valer',
      override_expiry: 'Um ajuste terminou',
      snapshot: 'Primeira avaliação das solicitações existentes',
    },
    overrideReasons: {
      additional_information: 'Há mais informações',
      adverse_information: 'Há informações desfavoráveis',
      mitigating_controls: 'Outros controles reduzem o risco',
      model_limitation: 'O modelo não cobre isto',
      relationship_history: 'O histórico do relacionamento',
      other: 'Outro motivo',
    },
    backtests: {
      queued: 'Na fila',
      running: 'Em andamento',
      completed: 'Concluído',
      failed: 'Falhou',
      cancelled: 'Cancelado',
    },
    kinds: { backtest: 'Teste retroativo', shadow: 'Execução paralela' },
    activations: {
      pending: 'Aguarda outra pessoa',
      confirmed: 'Confirmada',
      returned: 'Devolvida',
      invalidated: 'Inválida: mudou aquilo em que se baseia',
    },
  },
});

export function useRiskNames(): RiskNames {
  return useWords(names);
}

export const LEVEL_TONES: Readonly<Record<Level, Tone>> = {
  low: 'good',
  medium: 'info',
  high: 'warning',
  prohibited: 'danger',
};

export const STATUS_TONES: Readonly<Record<Status, Tone>> = {
  draft: 'neutral',
  pending_activation: 'warning',
  active: 'good',
  retired: 'neutral',
};

export const BACKTEST_TONES: Readonly<Record<Backtest['status'], Tone>> = {
  queued: 'info',
  running: 'info',
  completed: 'good',
  failed: 'danger',
  cancelled: 'neutral',
};

/** Returns a function that writes a decimal of the API with the decimal separator of the language. */
export function useDecimal(): (text: string) => string {
  const language = useLanguage();
  return (text) => (language === 'pt' ? text.replace('.', ',') : text);
}
