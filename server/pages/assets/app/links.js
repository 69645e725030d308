import { el } from '../dom.js';
import { isInside } from './routes.js';

/** Links between the pages of the dashboard stay in this document. @param {(path: string) => void} go */
export function followLinks(go) {
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (link.origin !== location.origin || link.target !== '' || link.hasAttribute('download') || link.hash !== '' || !isInside(link.pathname)) return;
    event.preventDefault();
    go(link.pathname);
  });
}

/**
 * The links of the site's header lead to other documents. While somebody is signed in they open beside this one, which
 * holds the session in its memory.
 * @param {boolean} elsewhere
 */
export function openElsewhere(elsewhere) {
  for (const link of document.querySelectorAll('.site-header a')) {
    if (!(link instanceof HTMLAnchorElement) || isInside(link.pathname)) continue;
    link.querySelector('.new-tab')?.remove();
    link.removeAttribute('target');
    if (!elsewhere) continue;
    link.target = '_blank';
    link.append(newTab());
  }
}

/**
 * A link that keeps this document open, wherever it leads.
 * @param {string} href
 * @param {string} words
 */
export function safeLink(href, words) {
  const inside = URL.canParse(href, location.href) && new URL(href, location.href).origin === location.origin && isInside(new URL(href, location.href).pathname);
  return inside ? el('a', { href }, words) : el('a', { href, target: '_blank', rel: 'noopener' }, words, newTab());
}

function newTab() {
  return el('span', { class: 'visually-hidden new-tab' }, ' (opens in a new tab)');
}
