/** @import { Api, AuditEvent } from './api.js' */
import { el } from '../dom.js';
import { fact } from '../app/card.js';
import { openDialog } from '../app/dialog.js';
import { preciseMoment } from '../app/time.js';
import { outcomeBadge } from './event-row.js';
import { proofPart } from './proof-part.js';

/**
 * Everything about one event, and its proof.
 * @param {AuditEvent} event
 * @param {Api} api
 */
export function showEvent(event, api) {
  const { sequence, action, occurredAt, environment, actor, resource, reason, requestId, ip, userAgent, changes, sealedRef, prevHash, hash } = event;
  openDialog(action, () => [
    el('dl', { class: 'facts detail' },
      fact('Place in the log', String(sequence)),
      fact('When', preciseMoment(occurredAt)),
      fact('Who', `${actor.display} (${actor.type.replaceAll('_', ' ')})`, actor.id !== null && el('code', {}, actor.id)),
      fact('About', resource.type.replaceAll('_', ' '), resource.id !== null && el('code', {}, resource.id)),
      fact('Outcome', outcomeBadge(event), reason !== null && ` ${reason.replaceAll('_', ' ')}`),
      fact('Environment', environment === 'sandbox' ? 'Sandbox' : 'Live'),
      ip !== null && fact('From', ip),
      userAgent !== null && fact('With', userAgent),
      requestId !== null && fact('Request', el('code', {}, requestId)),
      sealedRef !== null && fact('Sealed values', el('code', {}, sealedRef)),
      fact('Hash', el('code', {}, hash)),
      fact('Hash before', el('code', {}, prevHash))),
    el('section', { class: 'stack', 'aria-label': 'Changes' },
      el('h3', {}, 'Changes'),
      changes.length === 0 ? el('p', { class: 'muted' }, 'None.') : el('ul', { class: 'changes' }, changes.map(change))),
    proofPart(event, api),
  ], { wide: true });
}

/** One step of a JSON Patch. @param {AuditEvent['changes'][number]} change */
function change({ op, path, value }) {
  return el('li', {}, el('span', { class: 'op' }, op), ' ', el('code', {}, path), value !== undefined && [' ', el('code', { class: 'value' }, JSON.stringify(value))]);
}
