/** What the directory calls things, in words. */

/** @type {Record<string, string>} */
const STATUSES = {
  CREATED: 'Created', TRACKED: 'Tracked', AWAITING_ANALYSIS: 'Awaiting analysis', ANALYSED: 'Analysed', REFUNDING: 'Refunding', COMPLETED: 'Completed', CANCELLED: 'Cancelled',
};

/** @type {Record<string, string>} */
const EVENTS = {
  CREATED: 'The recovery was opened', TRACKED: 'The directory has traced the money', AWAITING_ANALYSIS: 'The holders of the accounts were asked to block and to analyse',
  COUNTERPARTY_ANALYSED: 'A counterparty has answered', ANALYSED: 'All reports are answered', REFUNDING: 'The refund was asked for', REFUND_CLOSED: 'A refund request is closed',
  COMPLETED: 'The recovery is complete', CANCELLED: 'The recovery was cancelled', INFORMATION_UPDATED: 'Its information was changed', TRACKING_TIMED_OUT: 'The trace is overdue',
  ANALYSIS_TIMED_OUT: 'An analysis is overdue', REFUND_START_TIMED_OUT: 'The refund was not asked for in time', REFUND_TIMED_OUT: 'A refund is overdue',
};

/** @type {Record<string, string>} */
const STAGES = { TRACKING: 'The trace', ANALYSIS: 'An analysis', REFUND_START: 'The request for the refund', REFUND: 'A refund' };

/** The usual course, which a recovery may leave early. */
export const COURSE = ['CREATED', 'TRACKED', 'AWAITING_ANALYSIS', 'ANALYSED', 'REFUNDING', 'COMPLETED'];

/** @param {string} status */
export function statusWords(status) {
  return STATUSES[status] ?? status;
}

/** @param {string} eventType the directory may send one that nobody knows yet */
export function eventWords(eventType) {
  return EVENTS[eventType.replace(/^FUNDS_RECOVERY_/, '')] ?? eventType;
}

/** @param {string} stage */
export function stageWords(stage) {
  return STAGES[stage] ?? stage;
}

/** @param {string} eventType */
export function isTimeOut(eventType) {
  return eventType.endsWith('_TIMED_OUT');
}

/** `wrong_signature` as `Wrong signature`. @param {string} name */
export function spoken(name) {
  const words = name.replaceAll('_', ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const REAIS = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'BRL' });

/** @param {number | null} centavos */
export function reais(centavos) {
  return centavos === null ? '–' : REAIS.format(centavos / 100);
}
