/** @import { Field } from '../app/field.js' */
import { el } from '../dom.js';
import { field } from '../app/field.js';

const DAY = 86_400_000;

/** @type {readonly (readonly [string, string])[]} */
const CHOICES = [['30', 'In 30 days'], ['90', 'In 90 days'], ['365', 'In a year'], ['never', 'Never'], ['date', 'On a date…']];

/**
 * When a key ends. `value()` is `undefined` as long as the current expiry was not touched.
 * @param {{ preset: string } | { current: string | null }} start
 * @returns {Field & { value: () => string | null | undefined }}
 */
export function expiryField(start) {
  // Counted from here, not from the click: the same choice sent again must be the same request.
  const opened = Date.now();
  const current = 'current' in start ? start.current : undefined;
  const preset = 'preset' in start ? start.preset : current === null ? 'never' : 'date';
  const date = el('input', { type: 'date', 'aria-label': 'Expiry date', min: dateText(opened + DAY), max: dateText(opened + 730 * DAY) });
  if (current) date.value = dateText(Date.parse(current));
  const select = el('select', { name: 'expiresAt', onchange: reveal }, CHOICES.map(([value, label]) => el('option', { value, selected: value === preset }, label)));
  const untouched = `${select.value} ${date.value}`;
  reveal();
  return {
    ...field('Expires', '/expiresAt', select, null, date),
    value: () => (current !== undefined && `${select.value} ${date.value}` === untouched ? undefined : chosen()),
  };

  function reveal() {
    date.hidden = select.value !== 'date';
  }

  function chosen() {
    if (select.value === 'never') return null;
    // The end of the day, as people mean it, where they are. An empty date is left to the service to refuse.
    if (select.value === 'date') return date.value === '' ? '' : new Date(`${date.value}T23:59:59.999`).toISOString();
    return new Date(opened + Number(select.value) * DAY).toISOString();
  }
}

/** The local calendar date. @param {number} time */
function dateText(time) {
  const { year, month, day } = Object.fromEntries(new Intl.DateTimeFormat('en', { year: 'numeric', month: '2-digit', day: '2-digit' })
    .formatToParts(time).map((part) => [part.type, part.value]));
  return `${year}-${month}-${day}`;
}
