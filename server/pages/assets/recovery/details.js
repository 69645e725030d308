/** @import { Schemas } from '../app/types.d.ts' */
import { moment } from '../app/time.js';
import { stageWords } from './words.js';

/** What an event says besides its name, from the directory's own documents. @param {Schemas['FundsRecoveryEvent']} event @returns {(Node | string)[]} */
export function detailsOf({ eventType, rawPayload }) {
  const due = first(rawPayload, 'Deadline');
  if (due !== null) return [`${stageWords(due['Stage'] ?? '')} ${eventType.endsWith('_TIMED_OUT') ? 'was' : 'is'} due `, moment(due['DueAt'] ?? '')];
  const refund = first(rawPayload, 'Refunds');
  if (refund !== null) return [text(refund['AnalysisResult'], refund['RefundRejectionReason'], amount(refund['EffectiveRefundedAmount']), `from ${refund['ContestedParticipant']}`)];
  const report = first(rawPayload, 'InfractionReports');
  if (report !== null) return [text(report['AnalysisResult'], amount(report['InfractionAmount']), `by ${report['CounterpartyParticipant']}`)];
  return [];
}

/**
 * The one document of its kind that led to an event.
 * @param {Record<string, unknown> | null} payload
 * @param {string} name
 * @returns {Record<string, string | undefined> | null}
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
