/** @import { Api, AuditEvent } from './api.js' */
import { el } from '../dom.js';
import { preciseMoment } from '../app/time.js';
import { showEvent } from './event-detail.js';

/** @param {HTMLElement} rows */
export function eventTable(rows) {
  return el('table', { class: 'table events' },
    el('thead', {}, el('tr', {}, ['Action', 'When', 'Who', 'About', 'Outcome'].map((name) => el('th', { scope: 'col' }, name)))),
    rows);
}

/**
 * @param {AuditEvent} event
 * @param {Api} api
 */
export function eventRow(event, api) {
  const { sequence, action, occurredAt, environment, actor, resource, outcome } = event;
  return el('tr', {},
    el('th', { scope: 'row' },
      el('button', { type: 'button', class: 'link', onclick: () => showEvent(event, api) }, action.split('.').flatMap((part, index) => (index === 0 ? [part] : ['.', el('wbr'), part]))),
      el('span', { class: 'muted' }, `No. ${sequence}`, environment === 'sandbox' && ', sandbox')),
    el('td', { 'data-label': 'When' }, preciseMoment(occurredAt)),
    el('td', { 'data-label': 'Who' }, actor.display),
    el('td', { 'data-label': 'About' }, resource.type.replaceAll('_', ' '), resource.id !== null && [' ', el('code', { class: 'evidence' }, resource.id)]),
    el('td', { 'data-label': 'Outcome' }, outcomeBadge(event), outcome !== 'success' && event.reason !== null && el('span', { class: 'muted reason' }, event.reason.replaceAll('_', ' '))));
}

/** @param {AuditEvent} event */
export function outcomeBadge({ outcome }) {
  return el('span', { class: `badge ${outcome}` }, { success: 'Success', denied: 'Denied', failed: 'Failed' }[outcome] ?? outcome);
}
