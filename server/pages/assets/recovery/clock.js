/** @import { Schemas } from '../app/types.d.ts' */
/** @import { Api } from './api.js' */
import { el, fill } from '../dom.js';
import { ApiError } from '../app/api-error.js';
import { announce } from '../app/announce.js';
import { idempotencyKeys } from '../app/idempotency.js';
import { moment, preciseMoment } from '../app/time.js';

/** @type {readonly (readonly [Schemas['RunAdvance'], string])[]} */
const JUMPS = [[{ toNextEvent: true }, 'To its next event'], [{ by: 'PT1H' }, 'An hour'], [{ by: 'P1D' }, 'A day'], [{ by: 'PT72H' }, '72 hours'], [{ by: 'P7D' }, 'A week']];

/**
 * The clock of the sandbox, for the run that was started last.
 * @param {Api} api
 * @param {() => void} advanced
 */
export function clockCard(api, advanced) {
  const shown = el('div', { class: 'stack' });
  const message = el('div', { role: 'alert' });
  const keyFor = idempotencyKeys();
  let busy = false;
  draw(null);
  return { element: el('section', { class: 'card stack', 'aria-labelledby': 'clock-heading' }, el('h2', { id: 'clock-heading' }, 'Its clock'), shown, message), show: draw };

  /** @param {Schemas['ScenarioRun'] | null} run */
  function draw(run) {
    if (run === null) return fill(shown, el('p', { class: 'muted' }, 'Play a scenario step by step, and let the time pass here that it takes in the field.'));
    fill(shown,
      el('p', { class: 'clock' }, preciseMoment(run.now)),
      el('p', { class: 'muted' }, run.nextStepAt === null ? 'Nothing more will happen by itself.' : ['Next: ', moment(run.nextStepAt)]),
      el('div', { class: 'jumps' }, JUMPS.filter(([jump]) => jump.toNextEvent === undefined || run.nextStepAt !== null)
        .map(([jump, words]) => el('button', { type: 'button', class: `button small${jump.toNextEvent ? ' primary' : ''}`, onclick: () => advance(run, jump) }, words))));
  }

  /**
   * @param {Schemas['ScenarioRun']} run
   * @param {Schemas['RunAdvance']} jump
   */
  async function advance(run, jump) {
    if (busy) return;
    busy = true;
    fill(message);
    const pressed = /** @type {HTMLElement | null} */ (document.activeElement)?.textContent;
    try {
      const after = await api.advanceRecoveryRun(run.runId, jump, keyFor([run, jump]));
      draw(after);
      // The buttons are new ones; whoever steps with the keyboard goes on where they were.
      (/** @type {HTMLElement[]} */ ([...shown.querySelectorAll('button')]).find((button) => button.textContent === pressed) ?? shown.querySelector('button'))?.focus();
      advanced();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      fill(message, el('p', { class: 'notice error' }, error.message));
      announce('The clock did not move.');
    } finally {
      busy = false;
    }
  }
}
