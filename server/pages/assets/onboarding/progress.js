/** @import { Checklist } from './api.js' */
/** @import { Hands } from './page.js' */
import { el } from '../dom.js';
import { askGoLive } from './go-live.js';

/**
 * How far it is, and the way into production at its end.
 * @param {Checklist} checklist
 * @param {Hands} hands
 */
export function progressCard({ tenantStatus, steps, progressPercent, goLiveReady, missingRequired }, hands) {
  const { workspace } = hands;
  const settled = steps.filter(({ status }) => status === 'done' || status === 'dismissed').length;
  const live = tenantStatus !== 'onboarding';
  return el('section', { class: 'card stack', 'aria-labelledby': 'progress-heading' },
    el('header', { class: 'section-header' },
      el('h2', { id: 'progress-heading', tabindex: '-1' }, live ? `${workspace.current.tenant.name} is live` : `${settled} of ${steps.length} steps`),
      el('span', { class: `badge ${live ? 'active' : 'onboarding'}` }, live ? 'Live' : 'In the sandbox')),
    el('progress', { max: 100, value: progressPercent, 'aria-label': 'Progress' }),
    el('p', { class: 'muted' }, live
      ? 'The checklist stays: it shows when a step falls back.'
      : 'Each step is computed from what is really there; nothing is ticked by hand. Until you go live, everything happens in the sandbox.'),
    !live && workspace.may('goLive') && (goLiveReady
      ? el('div', {}, el('button', { type: 'button', class: 'button primary', onclick: () => askGoLive(hands) }, 'Go live'))
      : el('p', { class: 'hint' }, `${missingRequired.length} required ${missingRequired.length === 1 ? 'step is' : 'steps are'} missing before you can go live.`)));
}
