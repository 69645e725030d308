/** This module is the audit page: the events of the audit log with their filters, the checkpoints and the verification of the chain. */
import { ApiError } from '../app/api.js';
import { apiForm, field } from '../app/form.js';
import { relativeTime } from '../app/format.js';
import { filterRow, pagedList } from '../app/list.js';
import { download } from '../clipboard.js';
import { el, fill } from '../dom.js';
import { Api } from './api.js';
import { eventRow, eventTable } from './events.js';
/** @import { Filter } from '../app/list.js' */
/** @import { Workspace } from '../app/navigation.js' */
/** @import { Schemas } from '../app/types.d.ts' */
/** @import { AuditCheckpoint, AuditVerification } from './api.js' */

const ACTIONS = ['auth.*', 'user.*', 'api_key.*', 'application.*', 'settings.*', 'sandbox.*', 'onboarding.*', 'audit.*', 'tenant.*'];

/** @type {readonly Filter[]} */
const FILTERS = [
  { name: 'action', label: 'Action', placeholder: 'api_key.*', suggestions: ACTIONS },
  { name: 'outcome', label: 'Outcome', choices: [['', 'Any outcome'], ['success', 'Success'], ['denied', 'Denied'], ['failed', 'Failed']] },
  { name: 'from', label: 'From', type: 'date' },
  { name: 'to', label: 'To', type: 'date' },
  { name: 'actorType', label: 'Kind of actor', rare: true, choices: [['', 'Anybody'], ['user', 'User'], ['api_key', 'API key'], ['oauth_client', 'OAuth client'], ['system', 'The service'], ['platform_user', 'Platform staff']] },
  { name: 'actorId', label: 'Actor', placeholder: 'Id or key prefix', rare: true },
  { name: 'resourceType', label: 'Kind of resource', placeholder: 'api_key', rare: true },
  { name: 'resourceId', label: 'Resource', placeholder: 'Id', rare: true },
  { name: 'environment', label: 'Environment', rare: true, choices: [['', 'Both'], ['live', 'Live'], ['sandbox', 'Sandbox']] },
  { name: 'sort', label: 'Order', rare: true, choices: [['-sequence', 'Newest first'], ['sequence', 'Oldest first']] },
];

/**
 * The parameters of the contract. Days are days where the user is; the beginning of an action means all that begin so.
 * @param {Readonly<Record<string, string>>} values
 */
function parametersOf({ action = '', from = '', to = '', ...others }) {
  const trimmed = Object.fromEntries(Object.entries(others).map(([name, value]) => [name, value.trim()]));
  return { ...trimmed, action: action.split(/[\s,]+/).flatMap(withGroup), from: startOf(from, 0), to: startOf(to, 1) };
}

/** @param {string} action */
function withGroup(action) {
  return action === '' || action.endsWith('*') ? [action] : [action, `${action.replace(/\.$/, '')}.*`];
}

/**
 * @param {string} day
 * @param {number} later
 */
function startOf(day, later) {
  const [year, month, date] = day.split('-').map(Number);
  return year === undefined || month === undefined || date === undefined ? '' : new Date(year, month - 1, date + later).toISOString();
}

/** What the service has signed. Whoever keeps a copy can tell later whether the log was rewritten. @param {Api} api */
function checkpointsCard(api) {
  const { element, load } = pagedList({
    list: el('ul', { class: 'sessions checkpoints' }),
    read: (cursor) => api.listAuditCheckpoints(cursor),
    item: checkpointItem,
    empty: () => 'No checkpoint yet. One is made every five minutes when something has happened.',
  });
  load();
  return {
    element: el('section', { class: 'card stack', 'aria-labelledby': 'checkpoints-heading' },
      el('h2', { id: 'checkpoints-heading' }, 'Checkpoints'),
      el('p', { class: 'muted' }, 'Signed statements about the log up to a point. Keep some where the service cannot reach them.'),
      element),
    load,
  };
}

/** @param {AuditCheckpoint} checkpoint */
function checkpointItem(checkpoint) {
  const { treeSize, timestamp, rootHash } = checkpoint;
  return el('li', {},
    el('div', {}, el('strong', {}, `${treeSize.toLocaleString('en-GB')} events`), el('p', { class: 'muted' }, relativeTime(timestamp), ', root ', el('code', {}, `${rootHash.slice(0, 12)}…`))),
    el('button', { type: 'button', class: 'button quiet small', onclick: () => download(`checkpoint-${treeSize}.json`, 'application/json', `${JSON.stringify(checkpoint, null, 2)}\n`) },
      'Download', el('span', { class: 'visually-hidden' }, ` the checkpoint of ${treeSize} events`)));
}

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
function verifyCard(api, verified) {
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
        fill(result, verdict(await api.verifyAuditLog(verifyRequest(text.value.trim()))));
        verified();
      },
    }),
    result,
    el('p', { class: 'hint' }, 'To trust nobody here, export the log and check it elsewhere: ', el('code', {}, 'scripts/verify-audit.mjs'), ' needs the export and the public key, and nothing else.'));
}

/** @param {string} kept @returns {Schemas['AuditVerifyRequest']} */
function verifyRequest(kept) {
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

/** What was done, by whom, and whether the record of it still holds. @param {Workspace} workspace */
export function show(workspace) {
  const api = new Api(workspace.session);
  const rows = el('tbody', {});
  const filters = filterRow(FILTERS, () => load());
  const { element, load } = pagedList({
    list: rows,
    around: eventTable(rows),
    read: (cursor) => api.listAuditEvents(parametersOf(filters.values()), cursor),
    item: (event) => eventRow(event, api),
    empty: () => 'Nothing fits.',
  });
  const checkpoints = checkpointsCard(api);
  load();
  return el('div', { class: 'page' },
    el('div', { class: 'halves' }, verifyCard(api, checkpoints.load), checkpoints.element),
    el('section', { class: 'record-list', 'aria-labelledby': 'events-heading' },
      el('h2', { id: 'events-heading', tabindex: '-1' }, 'Events'),
      filters.element, element));
}
