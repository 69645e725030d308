/**
 * The terms of the directory in words. Used by the files of this folder. The directory may send new ones, which are
 * shown as received.
 */
import { useMemo } from 'react';
import type { Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import type { STATUSES } from './recovery-search.ts';

type Named<Code extends string> = Readonly<Record<Code, string>>;

interface RecoveryWords {
  readonly statuses: Named<(typeof STATUSES)[number]>;
  /** By type of the event, without the common prefix. */
  readonly events: Readonly<Record<string, string>>;
  readonly stages: Named<Schemas['DeadlineStage']>;
  readonly roles: Named<Schemas['FundsRecoveryRole']>;
  /** Answers of a participant, and reasons for returning nothing. */
  readonly answers: Readonly<Record<string, string>>;
  /** What happened to the payer. */
  readonly situations: Readonly<Record<string, string>>;
}

const words = inLanguages<RecoveryWords>({
  en: {
    statuses: {
      CREATED: 'Created',
      TRACKED: 'Tracked',
      AWAITING_ANALYSIS: 'Awaiting analysis',
      ANALYSED: 'Analysed',
      REFUNDING: 'Refunding',
      COMPLETED: 'Completed',
      CANCELLED: 'Cancelled',
    },
    events: {
      CREATED: 'The recovery was opened',
      TRACKED: 'The directory has traced the money',
      AWAITING_ANALYSIS: 'The holders of the accounts were asked to block and to analyse',
      REPORT_OPENED: 'A report was opened',
      REPORT_ACKNOWLEDGED: 'A counterparty has received its report',
      REPORT_CANCELLED: 'A report was cancelled',
      REPORT_CHANGED: 'A report was changed',
      REFUND_OPENED: 'A refund was requested',
      REFUND_CANCELLED: 'A refund request was cancelled',
      REFUND_CHANGED: 'A refund request was changed',
      COUNTERPARTY_ANALYSED: 'A counterparty has answered',
      ANALYSED: 'All reports are answered',
      REFUNDING: 'The refund was asked for',
      REFUND_CLOSED: 'A refund request is closed',
      COMPLETED: 'The recovery is complete',
      CANCELLED: 'The recovery was cancelled',
      INFORMATION_UPDATED: 'Its information was changed',
      TRACKING_TIMED_OUT: 'The trace takes unusually long',
      ANALYSIS_TIMED_OUT: 'An analysis is overdue',
      REFUND_START_TIMED_OUT: 'The refund was not asked for in time',
      REFUND_TIMED_OUT: 'A refund takes unusually long',
      DEADLINE_APPROACHING: 'A deadline comes near',
    },
    stages: {
      TRACKING: 'The trace (our own limit)',
      ANALYSIS: 'An analysis',
      REFUND_START: 'The request for the refund',
      REFUND: 'A refund (our own limit)',
    },
    roles: { SENT: 'Sent', RECEIVED: 'Received', BOTH: 'Sent and received' },
    answers: {
      AGREED: 'Agreed',
      DISAGREED: 'Disagreed',
      TOTALLY_ACCEPTED: 'Returned in full',
      PARTIALLY_ACCEPTED: 'Returned in part',
      REJECTED: 'Rejected',
      NO_BALANCE: 'no balance',
      ACCOUNT_CLOSURE: 'account closed',
      INVALID_REQUEST: 'invalid request',
      OTHER: 'another reason',
      PARTICIPANT_EXCLUSION: 'participant excluded',
    },
    situations: {
      SCAM: 'Scam',
      ACCOUNT_TAKEOVER: 'Account takeover',
      COERCION: 'Coercion',
      FRAUDULENT_ACCESS: 'Fraudulent access',
      OTHER: 'Other',
      UNKNOWN: 'Unknown',
    },
  },
  pt: {
    statuses: {
      CREATED: 'Aberta',
      TRACKED: 'Rastreada',
      AWAITING_ANALYSIS: 'Aguardando análise',
      ANALYSED: 'Analisada',
      REFUNDING: 'Em devolução',
      COMPLETED: 'Concluída',
      CANCELLED: 'Cancelada',
    },
    events: {
      CREATED: 'A recuperação foi aberta',
      TRACKED: 'O diretório rastreou os valores',
      AWAITING_ANALYSIS: 'Pediu-se às instituições das contas que bloqueiem e analisem',
      REPORT_OPENED: 'Uma notificação de infração foi aberta',
      REPORT_ACKNOWLEDGED: 'Uma contraparte recebeu a sua notificação',
      REPORT_CANCELLED: 'Uma notificação foi cancelada',
      REPORT_CHANGED: 'Uma notificação mudou',
      REFUND_OPENED: 'Uma devolução foi solicitada',
      REFUND_CANCELLED: 'Um pedido de devolução foi cancelado',
      REFUND_CHANGED: 'Um pedido de devolução mudou',
      COUNTERPARTY_ANALYSED: 'Uma contraparte respondeu',
      ANALYSED: 'Todas as notificações foram respondidas',
      REFUNDING: 'A devolução foi pedida',
      REFUND_CLOSED: 'Um pedido de devolução foi encerrado',
      COMPLETED: 'A recuperação está concluída',
      CANCELLED: 'A recuperação foi cancelada',
      INFORMATION_UPDATED: 'As informações mudaram',
      TRACKING_TIMED_OUT: 'O rastreamento demora mais que o normal',
      ANALYSIS_TIMED_OUT: 'Uma análise está atrasada',
      REFUND_START_TIMED_OUT: 'A devolução não foi pedida a tempo',
      REFUND_TIMED_OUT: 'Uma devolução demora mais que o normal',
      DEADLINE_APPROACHING: 'Um prazo se aproxima',
    },
    stages: {
      TRACKING: 'O rastreamento (limite nosso)',
      ANALYSIS: 'Uma análise',
      REFUND_START: 'O pedido de devolução',
      REFUND: 'Uma devolução (limite nosso)',
    },
    roles: { SENT: 'Enviada', RECEIVED: 'Recebida', BOTH: 'Enviada e recebida' },
    answers: {
      AGREED: 'Acatada',
      DISAGREED: 'Não acatada',
      TOTALLY_ACCEPTED: 'Devolvido por inteiro',
      PARTIALLY_ACCEPTED: 'Devolvido em parte',
      REJECTED: 'Recusado',
      NO_BALANCE: 'sem saldo',
      ACCOUNT_CLOSURE: 'conta encerrada',
      INVALID_REQUEST: 'pedido inválido',
      OTHER: 'outro motivo',
      PARTICIPANT_EXCLUSION: 'participante excluído',
    },
    situations: {
      SCAM: 'Golpe',
      ACCOUNT_TAKEOVER: 'Conta invadida',
      COERCION: 'Coação',
      FRAUDULENT_ACCESS: 'Acesso fraudulento',
      OTHER: 'Outra',
      UNKNOWN: 'Desconhecida',
    },
  },
});

/** Returns the directory's terms in words. Unknown terms are shown as received. */
export function useRecoveryWords() {
  const found = useWords(words);
  return useMemo(() => {
    const among = (names: Readonly<Record<string, string>>) => (code: string) => names[code] ?? code;
    return {
      status: among(found.statuses),
      event: (eventType: string) => among(found.events)(shortType(eventType)),
      stage: among(found.stages),
      role: among(found.roles),
      situation: among(found.situations),
      answer: (code: string) => found.answers[code] ?? codeInWords(code),
    };
  }, [found]);
}

/** Returns the type of an event without the common prefix. */
export function shortType(eventType: string): string {
  return eventType.replace(/^FUNDS_RECOVERY_/, '');
}

/** Formats `wrong_signature` as `Wrong signature`. */
export function codeInWords(code: string): string {
  const text = code.replaceAll('_', ' ').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
