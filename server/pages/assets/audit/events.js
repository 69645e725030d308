/** This module shows the events of the audit log as a table, each with its details and its inclusion proof. */
import { ApiError } from '../app/api.js';
import { fact, openDialog } from '../app/components.js';
import { preciseMoment } from '../app/format.js';
import { download } from '../clipboard.js';
import { el, fill } from '../dom.js';
import { canVerify, verifyProof } from './verify-proof.js';
/** @import { Api, AuditEvent, AuditProof } from './api.js' */
/** @import { Finding } from './verify-proof.js' */

/**
 * The proof of an event: to be taken away, or checked right here.
 * @param {AuditEvent} event
 * @param {Api} api
 */
function proofPart(event, api) {
  const result = el('div', { class: 'stack', 'aria-live': 'polite' });
  /** The same proof for both buttons, so that what was checked is what is taken away. @type {Promise<AuditProof> | null} */
  let asked = null;
  let waiting = 0;
  return el('section', { class: 'stack', 'aria-label': 'Proof' },
    el('h3', {}, 'Proof'),
    el('p', { class: 'muted' }, 'The way from this event to a signed checkpoint. Whoever holds the event, the proof and the public key needs to trust nobody.'),
    el('div', { class: 'buttons start' },
      el('button', { type: 'button', class: 'button', onclick: () => withProof(verify) }, 'Verify in this browser'),
      el('button', { type: 'button', class: 'button', onclick: () => withProof(save) }, 'Download the proof')),
    result);

  /** @param {(proof: AuditProof) => void} use */
  async function withProof(use) {
    clearTimeout(waiting);
    fill(result);
    try {
      use(await (asked ??= api.getAuditEventProof(event.id)));
    } catch (error) {
      asked = null;
      if (!(error instanceof ApiError)) throw error;
      fill(result, error.code === 'not_checkpointed_yet' ? wait(use, error.problem?.retryAfter ?? 10) : el('p', { class: 'notice error', role: 'alert' }, error.message));
    }
  }

  /**
   * The newest events wait for their checkpoint, which the service does not make at every whim. Asked again by itself, as
   * long as the user looks on.
   * @param {(proof: AuditProof) => void} use
   * @param {number} seconds
   */
  function wait(use, seconds) {
    waiting = window.setTimeout(() => { if (result.isConnected) withProof(use); }, seconds * 1000);
    return el('p', { class: 'notice' }, `The event is not covered by a checkpoint yet. Asking again in ${seconds} seconds…`);
  }

  /** @param {AuditProof} proof */
  function save(proof) {
    download(`audit-proof-${event.sequence}.json`, 'application/json', `${JSON.stringify({ event, proof }, null, 2)}\n`);
  }

  /** @param {AuditProof} proof */
  async function verify(proof) {
    if (!canVerify()) {
      fill(result, el('p', { class: 'notice warning' }, 'Browsers verify on a secure connection only. Open this page over HTTPS, or download the proof.'));
      return;
    }
    const findings = await verifyProof(event, proof);
    const holds = findings.every((finding) => finding.holds === true);
    const broken = findings.some((finding) => finding.holds === false);
    fill(result,
      el('p', { class: `notice ${broken ? 'error' : holds ? 'good' : 'warning'}` },
        broken ? 'The proof does not hold.' : holds ? 'The proof holds.' : 'As far as this browser can tell, the proof holds.'),
      el('ul', { class: 'findings' }, findings.map(findingItem)),
      el('p', { class: 'hint' }, 'Compare the key with the one that you got from a source you trust: ', el('code', {}, proof.publicKey.kid)));
  }
}

/** @param {Finding} finding */
function findingItem({ words, holds }) {
  const [mark, word] = holds === null ? ['?', 'cannot be told here'] : holds ? ['✓', 'yes'] : ['✗', 'no'];
  return el('li', { class: holds === true ? 'holds' : holds === false ? 'broken' : '' },
    el('span', { 'aria-hidden': 'true' }, mark), ` ${words}`, el('span', { class: 'visually-hidden' }, `: ${word}`), holds === null && ' (this browser has no Ed25519)');
}

/**
 * Everything about one event, and its proof.
 * @param {AuditEvent} event
 * @param {Api} api
 */
function showEvent(event, api) {
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
      changes.length === 0 ? el('p', { class: 'muted' }, 'None.') : el('ul', { class: 'changes' }, changes.map(changeItem))),
    proofPart(event, api),
  ], { wide: true });
}

/** One step of a JSON Patch. @param {AuditEvent['changes'][number]} change */
function changeItem({ op, path, value }) {
  return el('li', {}, el('span', { class: 'op' }, op), ' ', el('code', {}, path), value !== undefined && [' ', el('code', { class: 'value' }, JSON.stringify(value))]);
}

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
function outcomeBadge({ outcome }) {
  return el('span', { class: `badge ${outcome}` }, { success: 'Success', denied: 'Denied', failed: 'Failed' }[outcome] ?? outcome);
}
