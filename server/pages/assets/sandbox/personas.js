/** @import { Schemas } from '../app/types.d.ts' */
/** @import { Parts } from './page.js' */
import { copyButton } from '../clipboard.js';
import { el } from '../dom.js';
import { applyFor } from './apply.js';

/** Invented people and companies, and what will come out for them. @param {Parts} parts */
export function personaTable(parts) {
  const { workspace, status: { enabled, personas } } = parts;
  const mayApply = enabled && workspace.may('createApplication') && workspace.may('submitApplication');
  return el('section', { class: 'stack', 'aria-labelledby': 'personas-heading' },
    el('h2', { id: 'personas-heading' }, 'Who lives in it'),
    el('p', { class: 'muted' }, 'Invented people and companies. Their tax numbers are never issued, and refused outside the sandbox.'),
    el('table', { class: 'table' },
      el('thead', {}, el('tr', {}, ['Name', 'Tax number', 'What comes out'].map((name) => el('th', { scope: 'col' }, name)))),
      el('tbody', {}, personas.map((persona) => row(persona, mayApply ? parts : null)))));
}

/**
 * @param {Schemas['SandboxPersona']} persona
 * @param {Parts | null} parts with what to apply; null when that is not open
 */
function row(persona, parts) {
  const { name, kind, taxId, outcomes, description } = persona;
  const number = el('code', {}, taxId);
  return el('tr', {},
    el('th', { scope: 'row' }, name, el('span', { class: 'muted' }, kind === 'company' ? 'Company' : 'Person'),
      kind === 'person' && parts !== null && el('button', { type: 'button', class: 'button quiet small', onclick: () => applyFor(persona, parts) }, 'Submit an application', el('span', { class: 'visually-hidden' }, ` of ${name}`))),
    el('td', { 'data-label': 'Tax number' }, el('span', { class: 'copyable' }, number, copyButton({ text: () => taxId, selectable: () => number, className: 'button quiet small' }))),
    el('td', { 'data-label': 'What comes out' }, el('p', {}, description), el('p', {}, outcomes.map((outcome) => el('code', { class: 'scope' }, outcome)))));
}
