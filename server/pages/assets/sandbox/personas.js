/** @import { Schemas } from '../app/types.d.ts' */
import { copyButton } from '../clipboard.js';
import { el } from '../dom.js';

/** Invented people and companies, and what will come out for them. @param {Schemas['SandboxPersona'][]} personas */
export function personaTable(personas) {
  return el('section', { class: 'stack', 'aria-labelledby': 'personas-heading' },
    el('h2', { id: 'personas-heading' }, 'Who lives in it'),
    el('p', { class: 'muted' }, 'Invented people and companies. Their tax numbers are never issued, and refused outside the sandbox.'),
    el('table', { class: 'table' },
      el('thead', {}, el('tr', {}, ['Name', 'Tax number', 'What comes out'].map((name) => el('th', { scope: 'col' }, name)))),
      el('tbody', {}, personas.map(row))));
}

/** @param {Schemas['SandboxPersona']} persona */
function row({ name, kind, taxId, outcomes, description }) {
  const number = el('code', {}, taxId);
  return el('tr', {},
    el('th', { scope: 'row' }, name, el('span', { class: 'muted' }, kind === 'company' ? 'Company' : 'Person')),
    el('td', { 'data-label': 'Tax number' }, el('span', { class: 'copyable' }, number, copyButton({ text: () => taxId, selectable: () => number, className: 'button quiet small' }))),
    el('td', { 'data-label': 'What comes out' }, el('p', {}, description), el('p', {}, outcomes.map((outcome) => el('code', { class: 'scope' }, outcome)))));
}
