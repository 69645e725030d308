/** @import { Schemas } from '../app/types.d.ts' */
/** @typedef {Record<string, string | undefined>} Document */
import { moment } from '../app/time.js';
import { isTimeOut, spoken, stageWords } from './words.js';

/** What an event says besides its name, from the directory's own documents. @param {Schemas['FundsRecoveryEvent']} event @returns {(Node | string)[]} */
export function detailsOf({ eventType, rawPayload }) {
  const due = first(rawPayload, 'Deadline');
  if (due !== null) return [`${stageWords(due['Stage'] ?? '')} ${isTimeOut(eventType) ? 'was' : 'is'} due `, moment(due['DueAt'] ?? '')];
  if (eventType === 'FUNDS_RECOVERY_REFUND_CLOSED') return closed(first(rawPayload, 'Refunds'));
  if (eventType === 'FUNDS_RECOVERY_COUNTERPARTY_ANALYSED') return answered(first(rawPayload, 'InfractionReports'));
  return [];
}

/** @param {Document | null} refund */
function closed(refund) {
  return refund === null ? [] : [text(spoken(refund['AnalysisResult'] ?? ''), refund['RefundRejectionReason'], amount(refund['EffectiveRefundedAmount']), `from ${refund['ContestedParticipant']}`)];
}

/** @param {Document | null} report */
function answered(report) {
  return report === null ? [] : [text(spoken(report['AnalysisResult'] ?? ''), amount(report['InfractionAmount']), `by ${report['CounterpartyParticipant']}`)];
}

/**
 * The one document of its kind that led to an event.
 * @param {Record<string, unknown> | null} payload
 * @param {string} name
 * @returns {Document | null}
 */
function first(payload, name) {
  const found = payload?.[name];
  const document = Array.isArray(found) ? found[0] : found;
  return typeof document === 'object' && document !== null ? document : null;
}

/** @param {string | undefined} value */
function amount(value) {
  return value === undefined ? undefined : `R$ ${value}`;
}

/** @param {(string | undefined)[]} parts */
function text(...parts) {
  return parts.filter((part) => part !== undefined).join(', ');
}
