/** @import { Schemas } from '../app/types.d.ts' */
/** @import { Parts } from './page.js' */
import { el } from '../dom.js';
import { announce } from '../app/announce.js';
import { apiForm } from '../app/api-form.js';
import { field } from '../app/field.js';
import { idempotencyKeys } from '../app/idempotency.js';

/** @typedef {Schemas['SimulationCreate']} SimulationCreate */

/** @type {readonly (readonly [SimulationCreate['type'], string])[]} */
const TYPES = [['advance_clock', 'Time passes'], ['document_expiry', 'A document expires'], ['funds_recovery_event', 'A funds recovery goes on']];

/** @type {readonly (readonly [number, string])[]} */
const SPANS = [[3600, 'An hour'], [86_400, 'A day'], [7 * 86_400, 'A week'], [30 * 86_400, '30 days'], [365 * 86_400, 'A year']];

/** Makes something happen that takes time, or other parties, outside the sandbox. @param {Parts} parts */
export function simulateCard({ api, workspace, status, reload }) {
  if (!workspace.may('createSimulation')) return null;
  const offered = TYPES.filter(([type]) => status.simulationTypes.includes(type));
  const types = el('select', { name: 'type', onchange: reveal }, offered.map(([type, words]) => el('option', { value: type }, words)));
  const spans = el('select', { name: 'seconds' }, SPANS.map(([seconds, words]) => el('option', { value: seconds }, words)));
  const kinds = el('select', { name: 'targetType' }, [['document', 'A document'], ['application', 'All documents of an application']].map(([kind, words]) => el('option', { value: kind }, words)));
  const ids = el('input', { type: 'text', name: 'targetId', maxlength: 36, autocomplete: 'off', spellcheck: 'false', placeholder: '0197f2d1-…' });
  const events = el('input', { type: 'text', name: 'eventType', maxlength: 60, autocomplete: 'off', spellcheck: 'false' });
  const type = field('What happens', '/type', types);
  const seconds = field('How much time', '/parameters/seconds', spans);
  const kind = field('What expires', '/target/type', kinds);
  const target = field('Id', '/target', ids, 'Of a record of the sandbox. For a new funds recovery it may be left empty.');
  const eventType = field('Event', '/parameters/eventType', events, 'Empty: the next of a usual course.');
  const keyFor = idempotencyKeys();
  reveal();
  return el('section', { class: 'card stack', 'aria-labelledby': 'simulate-heading' },
    el('h2', { id: 'simulate-heading' }, 'Make something happen'),
    status.enabled ? null : el('p', { class: 'notice' }, 'Switch sandbox mode on first.'),
    apiForm({
      fields: [type, seconds, kind, target, eventType],
      action: 'Simulate',
      submit: async () => {
        const body = content();
        const { effects } = await api.createSimulation(body, keyFor([body, status.clock.offsetSeconds]));
        await reload();
        announce(effects.map(({ resource, change }) => `${resource.type.replaceAll('_', ' ')}: ${change}`).join('; ') || 'Done; nothing changed.');
      },
    }));

  function reveal() {
    seconds.element.hidden = types.value !== 'advance_clock';
    kind.element.hidden = types.value !== 'document_expiry';
    target.element.hidden = types.value === 'advance_clock';
    eventType.element.hidden = types.value !== 'funds_recovery_event';
  }

  /** @returns {SimulationCreate} */
  function content() {
    const chosen = /** @type {SimulationCreate['type']} */ (types.value);
    const id = ids.value.trim();
    if (chosen === 'advance_clock') return { type: chosen, parameters: { seconds: Number(spans.value) } };
    if (chosen === 'document_expiry') return { type: chosen, target: { type: kinds.value === 'application' ? 'application' : 'document', id } };
    return {
      type: chosen,
      ...(id !== '' && { target: { type: 'funds_recovery', id } }),
      ...(events.value.trim() !== '' && { parameters: { eventType: events.value.trim() } }),
    };
  }
}
