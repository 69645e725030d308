/** What the directory calls things, in words. */
import { fact } from '../app/components.js';
import { moment, preciseMoment } from '../app/format.js';
import { el } from '../dom.js';
/** @import { Schemas } from '../app/types.d.ts' */

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
const LIFECYCLE = ['CREATED', 'TRACKED', 'AWAITING_ANALYSIS', 'ANALYSED', 'REFUNDING', 'COMPLETED'];

/** @param {string} status */
function statusWords(status) {
  return STATUSES[status] ?? status;
}

/** @param {string} eventType the directory may send one that nobody knows yet */
export function eventWords(eventType) {
  return EVENTS[eventType.replace(/^FUNDS_RECOVERY_/, '')] ?? eventType;
}

/** @param {string} stage */
function stageWords(stage) {
  return STAGES[stage] ?? stage;
}

/** @param {string} eventType */
function isTimeOut(eventType) {
  return eventType.endsWith('_TIMED_OUT');
}

/** `wrong_signature` as `Wrong signature`. @param {string} name */
export function inWords(name) {
  const words = name.replaceAll('_', ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const REAIS = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'BRL' });

/** @param {number | null} centavos */
export function reais(centavos) {
  return centavos === null ? '–' : REAIS.format(centavos / 100);
}

/**
 * Where a recovery stands in its course: what has been told, where it is, and what was left out.
 * @param {string} status
 * @param {readonly Schemas['FundsRecoveryEvent'][]} events
 */
function lifecycle(status, events) {
  const told = new Set(events.map(({ eventType }) => eventType.replace(/^FUNDS_RECOVERY_/, '')));
  const course = status === 'CANCELLED' ? [...LIFECYCLE.filter((step) => told.has(step)), 'CANCELLED'] : LIFECYCLE;
  const here = course.indexOf(status);
  return el('ol', { class: 'lifecycle', 'aria-label': 'Lifecycle' }, course.map((step, index) => {
    const [kind, words] = index === here ? ['here', 'it is here'] : told.has(step) ? ['told', 'done'] : index < here ? ['skipped', 'left out'] : ['ahead', 'not yet'];
    return el('li', { class: `${kind} ${step.toLowerCase()}`, 'aria-current': kind === 'here' && 'step' }, statusWords(step), el('span', { class: 'visually-hidden' }, `: ${words}`));
  }));
}

/** @typedef {Record<string, string | undefined>} Document */

/** What an event says besides its name, from the directory's own documents. @param {Schemas['FundsRecoveryEvent']} event @returns {(Node | string)[]} */
function detailsOf({ eventType, rawPayload }) {
  const due = first(rawPayload, 'Deadline');
  if (due !== null) return [`${stageWords(due['Stage'] ?? '')} ${isTimeOut(eventType) ? 'was' : 'is'} due `, moment(due['DueAt'] ?? '')];
  if (eventType === 'FUNDS_RECOVERY_REFUND_CLOSED') return closed(first(rawPayload, 'Refunds'));
  if (eventType === 'FUNDS_RECOVERY_COUNTERPARTY_ANALYSED') return answered(first(rawPayload, 'InfractionReports'));
  return [];
}

/** @param {Document | null} refund */
function closed(refund) {
  return refund === null ? [] : [text(inWords(refund['AnalysisResult'] ?? ''), refund['RefundRejectionReason'], amount(refund['EffectiveRefundedAmount']), `from ${refund['ContestedParticipant']}`)];
}

/** @param {Document | null} report */
function answered(report) {
  return report === null ? [] : [text(inWords(report['AnalysisResult'] ?? ''), amount(report['InfractionAmount']), `by ${report['CounterpartyParticipant']}`)];
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

/** One event of a timeline, with the documents that led to it at hand. @param {Schemas['FundsRecoveryEvent']} event */
function eventRow(event) {
  const { eventType, timestamp, rawPayload } = event;
  const details = detailsOf(event);
  return el('li', { class: isTimeOut(eventType) && 'overdue' },
    el('p', {}, el('strong', {}, eventWords(eventType))),
    details.length > 0 && el('p', {}, details),
    el('p', { class: 'muted' }, preciseMoment(timestamp), el('code', {}, eventType)),
    rawPayload === null
      ? el('p', { class: 'muted' }, 'Its payload was erased.')
      : payload(rawPayload));
}

/** Written out when somebody wants to see it. @param {Record<string, unknown>} content */
function payload(content) {
  const whole = el('pre', { class: 'payload', tabindex: '0' });
  return el('details', { ontoggle: () => { whole.textContent ||= JSON.stringify(content, null, 2); } }, el('summary', {}, 'Payload'), whole);
}

/**
 * A recovery: where it stands, and everything that the feed told of it.
 * @param {Schemas['FundsRecoveryRecord']} recovery
 * @param {readonly Schemas['FundsRecoveryEvent'][]} events
 */
export function recoveryCard({ id, role, status, money, nextDeadline }, events) {
  const heading = `recovery-${id}`;
  return el('article', { class: 'card record recovery', 'aria-labelledby': heading },
    el('header', {},
      el('h3', { id: heading }, el('code', {}, id)),
      el('p', { class: 'badges' },
        el('span', { class: 'badge' }, role === 'RECEIVED' ? 'Received' : 'Sent'),
        el('span', { class: `badge ${status === 'COMPLETED' ? 'done' : status === 'CANCELLED' ? 'closed' : 'todo'}` }, statusWords(status)))),
    lifecycle(status, events),
    el('dl', { class: 'facts' },
      fact('Root transaction', reais(money.rootAmount)),
      fact('Agreed to block', reais(money.refundableAmount)),
      fact('Returned', reais(money.refundedAmount)),
      nextDeadline && fact('Due next', `${stageWords(nextDeadline.stage)}, `, moment(nextDeadline.dueAt))),
    el('ol', { class: 'timeline', 'aria-label': 'Events' }, events.map(eventRow)));
}
