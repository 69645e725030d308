/** @import { Schemas } from '../app/types.d.ts' */
/** @import { Api } from './api.js' */
import { el, fill } from '../dom.js';
import { announce } from '../app/announce.js';
import { apiForm } from '../app/api-form.js';
import { field } from '../app/field.js';
import { idempotencyKeys } from '../app/idempotency.js';
import { eventWords, spoken } from './words.js';

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
      scenario.onTimeout !== 'NONE' && el('p', { class: 'muted' }, `When a limit passes, the directory does: ${spoken(scenario.onTimeout)}.`),
      el('details', {}, el('summary', {}, `${expected.length} events to come`),
        el('ol', { class: 'expected' }, expected.map((eventType) => el('li', {}, eventWords(eventType))))));
  }
}
