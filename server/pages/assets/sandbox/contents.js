/** @import { Schemas } from '../app/types.d.ts' */
/** @import { Parts } from './page.js' */
import { el } from '../dom.js';
import { announce } from '../app/announce.js';
import { apiForm } from '../app/api-form.js';
import { openDialog } from '../app/dialog.js';

/** What the sandbox holds, and its removal. @param {Parts} parts */
export function contentsCard({ api, workspace, status: { counts }, reload }) {
  const total = counts.applications + counts.documents + counts.fundsRecoveryEvents;
  return el('section', { class: 'card stack', 'aria-labelledby': 'contents-heading' },
    el('h2', { id: 'contents-heading' }, 'What it holds'),
    el('dl', { class: 'counts' }, count('Applications', counts.applications), count('Documents', counts.documents), count('Events', counts.fundsRecoveryEvents)),
    workspace.may('deleteSandboxData') && total > 0 && el('button', { type: 'button', class: 'button quiet danger small', onclick: ask }, 'Delete sandbox data'));

  function ask() {
    openDialog('Delete all sandbox data?', (close) => [
      el('p', {}, 'Every sandbox record of your tenant is removed, and its clock returns to real time. Live records and the audit log stay. This cannot be undone.'),
      apiForm({ action: 'Delete sandbox data', danger: true, cancel: close, submit: async () => {
        const { deleted } = await api.deleteSandboxData();
        close();
        await reload();
        announce(summary(deleted));
      } }),
    ]);
  }
}

/** @param {Schemas['SandboxCounts']} deleted */
function summary({ applications, documents, fundsRecoveryEvents }) {
  return `Deleted ${applications} applications, ${documents} documents and ${fundsRecoveryEvents} events of the sandbox.`;
}

/**
 * @param {string} name
 * @param {number} value
 */
function count(name, value) {
  return el('div', {}, el('dt', {}, name), el('dd', {}, value.toLocaleString('en-GB')));
}
