/**
 * Repairs what the explorer cannot be configured to do: one credential at a time, because the service refuses two;
 * choices and buttons with names; and help in the place of a missing answer. The explorer renders while the reader
 * scrolls, so this runs after each change.
 */
/** Text by which a list of credentials is recognised. */
const CREDENTIAL = 'API key';

/** The last single credential of each list. A new choice replaces it. @type {WeakMap<Element, string>} */
const only = new WeakMap();

let scheduled = 0;
new MutationObserver(() => {
  scheduled ||= requestAnimationFrame(repair);
}).observe(document.documentElement, {
  childList: true,
  subtree: true,
  attributes: true,
  attributeFilter: ['aria-selected'],
});

function repair() {
  scheduled = 0;
  for (const list of document.querySelectorAll('ul[role="listbox"]')) {
    if ([...list.querySelectorAll('li')].some((option) => nameOf(option) === CREDENTIAL)) keepOne(list);
  }
  // A list without a choice has no text, and therefore no accessible name.
  for (const empty of document.querySelectorAll('td button[aria-haspopup="menu"] > span:empty'))
    empty.textContent = 'Select a value';
  // These buttons open an explanation, but their role hides that they are buttons.
  for (const button of document.querySelectorAll('button[role="none"]')) button.removeAttribute('role');
  for (const picture of document.querySelectorAll('.ascii-art')) sayWhatToDo(picture);
}

/** @param {Element} list */
function keepOne(list) {
  if (!(list instanceof HTMLElement)) return;
  if (list.dataset['one'] === undefined) {
    list.dataset['one'] = '';
    list.removeAttribute('aria-multiselectable');
    // The list offers to delete a credential of the contract, with a button inside an option, where no screen reader
    // finds it.
    for (const button of list.querySelectorAll('li button')) button.remove();
    // Three credentials need no search, and one that a search hides could not be replaced.
    for (const search of list.parentElement?.querySelectorAll('input') ?? []) search.readOnly = true;
  }
  const chosen = [...list.querySelectorAll('li[aria-selected="true"]')];
  const before =
    chosen.length > 1 ? (chosen.find((option) => nameOf(option) === only.get(list)) ?? chosen[0]) : undefined;
  if (before instanceof HTMLElement) {
    before.click();
    // A choice closes the list.
    list.parentElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  } else if (chosen[0] !== undefined) only.set(list, nameOf(chosen[0]));
}

/** @param {Element} option */
function nameOf(option) {
  return option.querySelector('div:last-of-type')?.textContent?.trim() ?? '';
}

/** @param {Element} picture */
function sayWhatToDo(picture) {
  const container = picture.parentElement;
  if (container === null || container.querySelector('.no-answer') !== null) return;
  const note = document.createElement('div');
  note.className = 'no-answer';
  for (const [tag, text] of [
    ['strong', 'No answer yet'],
    ['p', 'Enter a credential under Authentication, fill in what is required, and press Send.'],
    ['p', 'What has no tick is not sent. A parameter is ticked as soon as you give it a value.'],
  ]) {
    const element = document.createElement(tag ?? 'p');
    element.textContent = text ?? '';
    note.append(element);
  }
  container.prepend(note);
}
