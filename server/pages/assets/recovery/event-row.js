/** @import { Schemas } from '../app/types.d.ts' */
import { el } from '../dom.js';
import { preciseMoment } from '../app/time.js';
import { detailsOf } from './details.js';
import { eventWords, isTimeOut } from './words.js';

/** One event of a timeline, with the documents that led to it at hand. @param {Schemas['FundsRecoveryEvent']} event */
export function eventRow(event) {
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
