/** This module shows the personas of the sandbox and the form that simulates events. */
import { idempotencyKeys, randomKey } from '../app/api.js';
import { announce, openDialog } from '../app/components.js';
import { apiForm, field } from '../app/form.js';
import { copyButton } from '../clipboard.js';
import { el } from '../dom.js';
/** @import { Schemas } from '../app/types.d.ts' */
/** @import { Workspace } from '../app/navigation.js' */
/** @import { Api } from './api.js' */

/**
 * What a card of the sandbox page shows, and how it tells the page of a change.
 * @typedef {object} PageContext
 * @property {Api} api
 * @property {Workspace} workspace
 * @property {Schemas['SandboxStatus']} status
 * @property {(status: Schemas['SandboxStatus']) => void} changed
 * @property {() => Promise<void>} reload
 */

/**
 * Creates an application of a persona and submits it.
 * @param {Schemas['SandboxPersona']} persona
 * @param {PageContext} context
 */
function applyFor(persona, { api, reload }) {
  const [creating, submitting] = [randomKey(), randomKey()];
  openDialog(`Submit an application of ${persona.name}?`, (close) => [
    el('p', {}, 'An application to open an account, with the name, a date of birth and the tax number of the persona. It stays in the sandbox.'),
    apiForm({
      action: 'Submit',
      cancel: close,
      submit: async () => {
        const { id } = await api.submitApplication(await api.createApplication(persona, creating), submitting);
        close();
        await reload();
        announce(`The application of ${persona.name} is submitted: ${id}`);
      },
    }),
  ]);
}

/** Invented people and companies, and what will come out for them. @param {PageContext} context */
export function personaTable(context) {
  const { workspace, status: { enabled, personas } } = context;
  const mayApply = enabled && workspace.may('createApplication') && workspace.may('submitApplication');
  return el('section', { class: 'stack', 'aria-labelledby': 'personas-heading' },
    el('h2', { id: 'personas-heading' }, 'Who lives in it'),
    el('p', { class: 'muted' }, 'Invented people and companies. Their tax numbers are never issued, and refused outside the sandbox.'),
    el('table', { class: 'table' },
      el('thead', {}, el('tr', {}, ['Name', 'Tax number', 'What comes out'].map((name) => el('th', { scope: 'col' }, name)))),
      el('tbody', {}, personas.map((persona) => row(persona, mayApply ? context : null)))));
}

/**
 * @param {Schemas['SandboxPersona']} persona
 * @param {PageContext | null} context with what to apply; null when that is not open
 */
function row(persona, context) {
  const { name, kind, taxId, outcomes, description } = persona;
  const number = el('code', {}, taxId);
  return el('tr', {},
    el('th', { scope: 'row' }, name, el('span', { class: 'muted' }, kind === 'company' ? 'Company' : 'Person'),
      kind === 'person' && context !== null && el('button', { type: 'button', class: 'button quiet small', onclick: () => applyFor(persona, context) }, 'Submit an application', el('span', { class: 'visually-hidden' }, ` of ${name}`))),
    el('td', { 'data-label': 'Tax number' }, el('span', { class: 'copyable' }, number, copyButton({ text: () => taxId, selectable: () => number, className: 'button quiet small' }))),
    el('td', { 'data-label': 'What comes out' }, el('p', {}, description), el('p', {}, outcomes.map((outcome) => el('code', { class: 'scope' }, outcome)))));
}

/** @typedef {Schemas['SimulationCreate']} SimulationCreate */

/** @type {readonly (readonly [SimulationCreate['type'], string])[]} */
const TYPES = [['advance_clock', 'Time passes'], ['document_expiry', 'A document expires'], ['funds_recovery_event', 'A funds recovery goes on']];

/** @type {readonly (readonly [number, string])[]} */
const SPANS = [[3600, 'An hour'], [86_400, 'A day'], [7 * 86_400, 'A week'], [30 * 86_400, '30 days'], [365 * 86_400, 'A year']];

/** Makes something happen that takes time, or other parties, outside the sandbox. @param {PageContext} context */
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
