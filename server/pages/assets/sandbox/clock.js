/** @import { Schemas } from '../app/types.d.ts' */
import { el } from '../dom.js';
import { moment } from '../app/time.js';

/** What time it is in the sandbox. @param {Schemas['SandboxClock']} clock */
export function clockCard({ offsetSeconds, now }) {
  return el('section', { class: 'card stack', 'aria-labelledby': 'clock-heading' },
    el('h2', { id: 'clock-heading' }, 'Its clock'),
    el('p', { class: 'clock' }, moment(now)),
    el('p', { class: 'muted' }, offsetSeconds === 0 ? 'Real time.' : `${span(offsetSeconds)} ahead of real time. Deleting the sandbox data sets it back.`));
}

/** @param {number} seconds */
function span(seconds) {
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor((seconds % 86_400) / 3600);
  const parts = [[days, 'day'], [hours, 'hour'], [days + hours === 0 ? Math.ceil(seconds / 60) : 0, 'minute']];
  return parts.filter(([number]) => number !== 0).map(([number, unit]) => `${number} ${unit}${number === 1 ? '' : 's'}`).join(' and ');
}
