/**
 * Makes the search of the reference usable by keyboard: it can be reached, has a name, and Enter opens the first hit.
 * Links to the explorer leave the page.
 */
const HIT = '[data-component-name="Search/SearchItem"]';
/** Longer than the pause after which the reference searches. */
const SETTLED_MS = 350;
let typed = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;

name();
new MutationObserver(name).observe(document.documentElement, { childList: true, subtree: true });

function name() {
  for (const trigger of document.querySelectorAll('[data-testid="search-trigger"]:not([role])')) {
    trigger.setAttribute('role', 'button');
    trigger.setAttribute('tabindex', '0');
  }
  for (const field of document.querySelectorAll('input[placeholder^="Search"]:not([aria-label])'))
    field.setAttribute('aria-label', 'Search the reference');
  // The clear button beside the field.
  for (const field of document.querySelectorAll('input[placeholder^="Search"]')) {
    for (const button of field.parentElement?.querySelectorAll('button:not([aria-label])') ?? [])
      button.setAttribute('aria-label', 'Clear the search');
  }
}

addEventListener(
  'input',
  ({ target }) => {
    if (isSearchField(target)) typed = performance.now();
  },
  true,
);

addEventListener(
  'keydown',
  (event) => {
    const { target, key } = event;
    if (!(target instanceof HTMLElement)) return;
    if (target.matches('[data-testid="search-trigger"]') && (key === 'Enter' || key === ' ')) {
      event.preventDefault();
      target.click();
    } else if (
      key === 'Enter' &&
      isSearchField(target) &&
      target instanceof HTMLInputElement &&
      target.value.trim() !== ''
    ) {
      event.preventDefault();
      openFirstHit(target, target.value);
    }
  },
  true,
);

// The reference treats every link of the same origin as one of its own sections and shows the nearest one.
addEventListener(
  'click',
  (event) => {
    if (event.target instanceof Element && event.target.closest('a[href*="/explorer#"]') !== null)
      event.stopPropagation();
  },
  true,
);

/** @param {EventTarget | null} target */
function isSearchField(target) {
  return target instanceof HTMLInputElement && target.placeholder.startsWith('Search');
}

/**
 * Opens the first hit after a pause, because the hits of the last letter may not have arrived. If the text changes
 * meanwhile, nothing is opened.
 * @param {HTMLInputElement} field
 * @param {string} query
 */
function openFirstHit(field, query) {
  clearTimeout(waiting);
  if (!field.isConnected || field.value !== query) return;
  const hit = document.querySelector(HIT);
  if (hit instanceof HTMLElement && performance.now() - typed >= SETTLED_MS) hit.click();
  else
    waiting = setTimeout(() => {
      openFirstHit(field, query);
    }, 50);
}
