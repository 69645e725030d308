/** @import { Schemas } from '../app/types.d.ts' */
/** @import { Api, AuditVerification } from './api.js' */
import { el, fill } from '../dom.js';
import { ApiError } from '../app/api-error.js';
import { apiForm } from '../app/api-form.js';
import { field } from '../app/field.js';

/** What is wrong at the first place where a log does not hold. @type {Readonly<Record<string, string>>} */
const KINDS = {
  gap: 'An event is missing',
  hash_mismatch: 'The event is not what was hashed',
  link_broken: 'The event does not continue the one before',
  root_mismatch: 'The root of the tree is not the recorded one',
  checkpoint_mismatch: 'A signed checkpoint says something else',
};

/**
 * Lets the service walk the whole log.
 * @param {Api} api
 * @param {() => void} verified
 */
export function verifyCard(api, verified) {
  const result = el('div', { 'aria-live': 'polite' });
  const text = el('textarea', { name: 'trustedCheckpoint', rows: 3, spellcheck: 'false', autocomplete: 'off' });
  const trusted = field('A checkpoint that you kept', '/trustedCheckpoint', text, 'As JSON. May be left empty: then the log is compared with its own checkpoints only.');
  return el('section', { class: 'card stack', 'aria-labelledby': 'verify-heading' },
    el('h2', { id: 'verify-heading' }, 'Verify the log'),
    el('p', { class: 'muted' }, 'Walks every link, computes every hash again, and compares with every signed checkpoint.'),
    apiForm({
      fields: [trusted],
      content: [el('details', {}, el('summary', {}, 'Compare with a checkpoint that you kept'), trusted.element)],
      action: 'Verify now',
      submit: async () => {
        fill(result);
        fill(result, verdict(await api.verifyAuditLog(request(text.value.trim()))));
        verified();
      },
    }),
    result,
    el('p', { class: 'hint' }, 'To trust nobody here, export the log and check it elsewhere: ', el('code', {}, 'scripts/verify-audit.mjs'), ' needs the export and the public key, and nothing else.'));
}

/** @param {string} kept @returns {Schemas['AuditVerifyRequest']} */
function request(kept) {
  if (kept === '') return {};
  try {
    const { treeSize, rootHash } = JSON.parse(kept);
    return { trustedCheckpoint: { treeSize, rootHash } };
  } catch {
    throw new ApiError(null, 'The checkpoint is not JSON. Paste the whole file that you kept.');
  }
}

/** @param {AuditVerification} verification */
function verdict({ valid, checked, checkpointsChecked, firstFailure, durationMs }) {
  const amount = `${checked.toLocaleString('en-GB')} events and ${checkpointsChecked.toLocaleString('en-GB')} checkpoints, in ${durationMs.toLocaleString('en-GB')} ms.`;
  if (valid) return el('div', { class: 'notice good' }, el('strong', {}, 'The log holds. '), `Checked ${amount}`);
  return el('div', { class: 'notice error' }, el('strong', {}, 'The log does not hold. '),
    firstFailure && `${KINDS[firstFailure.kind] ?? firstFailure.kind}, at event ${firstFailure.sequence}. `,
    firstFailure && el('code', {}, firstFailure.kind), ` Checked ${amount}`);
}
