/** @import { Schemas } from '../app/types.d.ts' */
import { el } from '../dom.js';
import { fact } from '../app/card.js';
import { moment } from '../app/time.js';
import { eventRow } from './event-row.js';
import { lifecycle } from './lifecycle.js';
import { reais, stageWords, statusWords } from './words.js';

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
