import { el } from '../dom.js';

/**
 * A choice between a few views, shown side by side.
 * @template {string} T
 * @param {string} label
 * @param {readonly (readonly [T, string])[]} choices the first is chosen at the start
 * @param {(choice: T) => void} onchoose
 */
export function segments(label, choices, onchoose) {
  const buttons = choices.map(([value, words], index) =>
    el('button', { type: 'button', 'aria-pressed': String(index === 0), onclick: () => choose(value) }, words));
  return el('div', { class: 'views', role: 'group', 'aria-label': label }, buttons);

  /** @param {T} chosen */
  function choose(chosen) {
    choices.forEach(([value], index) => buttons[index]?.setAttribute('aria-pressed', String(value === chosen)));
    onchoose(chosen);
  }
}
