/** @import { Api, AuditEvent, AuditProof } from './api.js' */
/** @import { Finding } from './verify-proof.js' */
import { el, fill } from '../dom.js';
import { ApiError } from '../app/api-error.js';
import { download } from '../app/download.js';
import { canVerify, verifyProof } from './verify-proof.js';

/**
 * The proof of an event: to be taken away, or checked right here.
 * @param {AuditEvent} event
 * @param {Api} api
 */
export function proofPart(event, api) {
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
      use(await (asked ??= api.getAuditProof(event.id)));
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
      el('ul', { class: 'findings' }, findings.map(finding)),
      el('p', { class: 'hint' }, 'Compare the key with the one that you got from a source you trust: ', el('code', {}, proof.publicKey.kid)));
  }
}

/** @param {Finding} finding */
function finding({ words, holds }) {
  const [mark, word] = holds === null ? ['?', 'cannot be told here'] : holds ? ['✓', 'yes'] : ['✗', 'no'];
  return el('li', { class: holds === true ? 'holds' : holds === false ? 'broken' : '' },
    el('span', { 'aria-hidden': 'true' }, mark), ` ${words}`, el('span', { class: 'visually-hidden' }, `: ${word}`), holds === null && ' (this browser has no Ed25519)');
}
