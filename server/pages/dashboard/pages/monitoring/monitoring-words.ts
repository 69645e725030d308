/**
 * The values of alerts in words, and which outcomes an alert can have. Used by the files of this folder. The service
 * refuses an outcome that does not fit.
 */
import type { Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import type { Tone } from '../../ui/badge.tsx';

export type Alert = Schemas['Alert'];
export type Outcome = Schemas['AlertTriage']['outcome'];

interface MonitoringNames {
  readonly kinds: Readonly<Record<Alert['kind'], string>>;
  readonly severities: Readonly<Record<Alert['severity'], string>>;
  readonly statuses: Readonly<Record<Alert['status'], string>>;
  readonly outcomes: Readonly<Record<Outcome, string>>;
  readonly reasons: Readonly<Record<Schemas['AlertTriage']['reasonCode'], string>>;
}

const names = inLanguages<MonitoringNames>({
  en: {
    kinds: {
      sanctions: 'Sanctions and watch lists',
      pep: 'Political exposure',
      document_expiry: 'A document ends',
      risk_review: 'A review is due',
      not_comparable: 'A name cannot be compared',
      registry_status: 'Another situation in the registry',
      ownership_change: 'Other owners',
      power_expiry: 'A power ends',
    },
    severities: {
      info: 'Info',
      low: 'Low',
      medium: 'Medium',
      high: 'High',
      critical: 'Critical',
    },
    statuses: {
      open: 'Open',
      acknowledged: 'Taken up',
      dismissed: 'Dismissed',
      escalated: 'Handed on',
      resolved: 'Resolved',
    },
    outcomes: {
      acknowledge: 'Take it up',
      dismiss: 'Dismiss it',
      escalate: 'Hand it on',
      resolve: 'It is dealt with',
    },
    reasons: {
      different_person: 'It is somebody else',
      known_to_us: 'We knew it',
      no_longer_relevant: 'It no longer matters',
      needs_investigation: 'It must be looked into',
      relationship_reviewed: 'The relationship was reviewed',
      document_renewed: 'The document was renewed',
      other: 'Another reason',
    },
  },
  pt: {
    kinds: {
      sanctions: 'Sanções e listas',
      pep: 'Exposição política',
      document_expiry: 'Um documento vence',
      risk_review: 'Uma revisão vence',
      not_comparable: 'Um nome não pode ser comparado',
      registry_status: 'Outra situação no cadastro',
      ownership_change: 'Outros sócios',
      power_expiry: 'Um poder vence',
    },
    severities: {
      info: 'Informativo',
      low: 'Baixo',
      medium: 'Médio',
      high: 'Alto',
      critical: 'Crítico',
    },
    statuses: {
      open: 'Aberto',
      acknowledged: 'Em análise',
      dismissed: 'Dispensado',
      escalated: 'Encaminhado',
      resolved: 'Resolvido',
    },
    outcomes: {
      acknowledge: 'Assumir',
      dismiss: 'Dispensar',
      escalate: 'Encaminhar',
      resolve: 'Está resolvido',
    },
    reasons: {
      different_person: 'É outra pessoa',
      known_to_us: 'Já sabíamos',
      no_longer_relevant: 'Não importa mais',
      needs_investigation: 'Precisa ser investigado',
      relationship_reviewed: 'O relacionamento foi revisado',
      document_renewed: 'O documento foi renovado',
      other: 'Outro motivo',
    },
  },
});

export function useMonitoringNames(): MonitoringNames {
  return useWords(names);
}

export const SEVERITY_TONES: Readonly<Record<Alert['severity'], Tone>> = {
  info: 'neutral',
  low: 'neutral',
  medium: 'info',
  high: 'warning',
  critical: 'danger',
};
export const ALERT_TONES: Readonly<Record<Alert['status'], Tone>> = {
  open: 'warning',
  acknowledged: 'info',
  dismissed: 'neutral',
  escalated: 'info',
  resolved: 'good',
};

/** Possible outcomes of an alert by its status. */
export const OUTCOMES: Readonly<Record<Alert['status'], readonly Outcome[]>> = {
  open: ['acknowledge', 'dismiss', 'escalate'],
  acknowledged: ['dismiss', 'escalate'],
  escalated: ['resolve'],
  dismissed: [],
  resolved: [],
};
