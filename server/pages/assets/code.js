/** This script adds buttons to the code of a page: a copy button for each sample, and tabs for alternative samples. */
import { copyButton } from './clipboard.js';
import { el, uniqueId } from './dom.js';

for (const code of document.querySelectorAll('.code')) dress(/** @type {HTMLElement} */ (code));

/**
 * Puts the samples of one step behind tabs and gives each a copy button (WAI-ARIA tabs pattern, automatic activation).
 * @param {HTMLElement} code
 */
function dress(code) {
  const figures = [...code.querySelectorAll('figure')];
  const copy = copyButton({ text: () => shown().textContent ?? '', selectable: shown });
  if (figures.length < 2) {
    figures[0]?.querySelector('figcaption')?.append(copy);
    return;
  }
  const tabs = figures.map((figure) => {
    figure.id = uniqueId('sample');
    figure.setAttribute('role', 'tabpanel');
    const tab = el(
      'button',
      {
        type: 'button',
        role: 'tab',
        id: `${figure.id}-tab`,
        'aria-controls': figure.id,
        onclick: () => choose(figure),
      },
      figure.dataset.label,
    );
    figure.setAttribute('aria-labelledby', tab.id);
    return tab;
  });
  code.classList.add('joined');
  code.prepend(
    el(
      'div',
      { class: 'bar' },
      el(
        'div',
        {
          class: 'tabs',
          role: 'tablist',
          'aria-label': 'Language',
          onkeydown: move,
        },
        tabs,
      ),
      copy,
    ),
  );
  if (figures[0]) choose(figures[0]);

  /** @param {HTMLElement} chosen */
  function choose(chosen) {
    figures.forEach((figure, index) => {
      figure.hidden = figure !== chosen;
      tabs[index]?.setAttribute('aria-selected', String(figure === chosen));
      tabs[index]?.setAttribute('tabindex', figure === chosen ? '0' : '-1');
    });
  }

  /** @param {KeyboardEvent} event */
  function move(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const next =
      tabs[
        (tabs.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement)) + step + tabs.length) % tabs.length
      ];
    next?.focus();
    next?.click();
  }

  function shown() {
    return code.querySelector('figure:not([hidden]) code') ?? code;
  }
}
