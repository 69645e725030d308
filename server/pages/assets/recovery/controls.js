/** This module holds the controls of the simulated directory: playing a scenario, causing faults and advancing the clock. */
import { ApiError, idempotencyKeys } from '../app/api.js';
import { announce } from '../app/components.js';
import { apiForm, field } from '../app/form.js';
import { moment, preciseMoment } from '../app/format.js';
import { el, fill } from '../dom.js';
import { eventWords, inWords } from './recovery-card.js';
/** @import { Schemas } from '../app/types.d.ts' */
/** @import { Api } from './api.js' */

/** @type {readonly (readonly [NonNullable<Schemas['ScenarioStart']['pace']>, string])[]} */
const PACES = [['realtime', 'While you watch, in two minutes'], ['instant', 'At once'], ['stepped', 'Step by step, with the clock']];

/** @type {readonly (readonly [NonNullable<Schemas['ScenarioStart']['role']>, string])[]} */
const ROLES = [['SENT', 'The payer’s side, which opens it'], ['RECEIVED', 'The receiver’s side']];

/**
 * Has the directory of the sandbox play a scenario.
 * @param {Api} api
 * @param {readonly Schemas['RecoveryScenario'][]} scenarios
 * @param {(run: Schemas['ScenarioRun']) => void} started
 */
export function playCard(api, scenarios, started) {
  const names = el('select', { name: 'scenario', onchange: describe }, scenarios.map(({ name, title }) => el('option', { value: name }, title)));
  const roles = el('select', { name: 'role', onchange: describe });
  const paces = el('select', { name: 'pace' }, PACES.map(([value, words]) => el('option', { value }, words)));
  const amount = el('input', { type: 'text', name: 'amount', inputmode: 'decimal', value: '812.40', autocomplete: 'off', maxlength: 15 });
  const about = el('div', { class: 'stack', 'aria-live': 'polite' });
  const keyFor = idempotencyKeys();
  let played = 0;
  const form = apiForm({
    fields: [field('Scenario', '/scenario', names), field('You are', '/role', roles), field('Amount in reais', '/amount', amount), field('Pace', '/pace', paces)],
    action: 'Play',
    submit: async () => {
      const body = content();
      // Twice the same scenario is wanted twice, but not because an answer was lost.
      const run = await api.startRecoveryScenario(body, keyFor([body, played]));
      played += 1;
      started(run);
      announce(run.fundsRecoveryId === null ? 'The directory has refused to open the recovery, as the scenario has it.' : 'The scenario is played.');
    },
  });
  describe();
  return el('section', { class: 'card stack', 'aria-labelledby': 'play-heading' }, el('h2', { id: 'play-heading' }, 'Play a scenario'), form, about);

  /** @returns {Schemas['ScenarioStart']} */
  function content() {
    return {
      scenario: names.value, role: /** @type {'SENT' | 'RECEIVED'} */ (roles.value), pace: /** @type {'stepped'} */ (paces.value),
      amount: { amount: Math.round(Number(amount.value.replace(',', '.')) * 100), currency: 'BRL' },
    };
  }

  function describe() {
    const scenario = scenarios.find(({ name }) => name === names.value);
    if (scenario === undefined) return;
    const role = roles.value;
    fill(roles, ROLES.filter(([value]) => scenario.roles.includes(value)).map(([value, words]) => el('option', { value, selected: value === role }, words)));
    const expected = roles.value === 'RECEIVED' ? scenario.expectedEventsReceived : scenario.expectedEvents;
    fill(about,
      el('p', { class: 'muted' }, scenario.description),
      scenario.onTimeout !== 'NONE' && el('p', { class: 'muted' }, `When a limit passes, the directory does: ${inWords(scenario.onTimeout)}.`),
      el('details', {}, el('summary', {}, `${expected.length} events to come`),
        el('ol', { class: 'expected' }, expected.map((eventType) => el('li', {}, eventWords(eventType))))));
  }
}

/** @type {readonly Schemas['DirectoryFault']['kind'][]} */
const KINDS = [
  'duplicate_page', 'reversed_page', 'late_notification', 'dropped_notification', 'cursor_invalidated', 'rate_limited', 'unavailable', 'slow', 'truncated',
  'wrong_signature', 'unknown_enum', 'clock_skew',
];

/** Lets something go wrong between the directory and the service: the feed must come out the same. @param {Api} api */
export function faultCard(api) {
  const kinds = el('select', { name: 'kind' }, KINDS.map((kind) => el('option', { value: kind }, inWords(kind))));
  const counts = el('select', { name: 'count' }, [1, 2, 5].map((count) => el('option', { value: count }, count === 1 ? 'Once' : `${count} times`)));
  const keyFor = idempotencyKeys();
  let armed = 0;
  return el('details', { class: 'card' },
    el('summary', {}, 'Let something go wrong'),
    apiForm({
      fields: [field('What', '/kind', kinds, 'The feed must come out the same.'), field('How often', '/count', counts)],
      action: 'Arm',
      submit: async () => {
        const body = { kind: /** @type {Schemas['DirectoryFault']['kind']} */ (kinds.value), count: Number(counts.value) };
        const { remaining } = await api.armDirectoryFault(body, keyFor([body, armed]));
        armed += 1;
        announce(`${inWords(body.kind)}: armed for ${remaining === 1 ? 'the next answer' : `the next ${remaining} answers`}.`);
      },
    }));
}

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
