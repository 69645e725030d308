/** @import { Schemas } from '../app/types.d.ts' */
/** @import { Api } from './api.js' */
import { el } from '../dom.js';
import { announce } from '../app/announce.js';
import { apiForm } from '../app/api-form.js';
import { field } from '../app/field.js';
import { idempotencyKeys } from '../app/idempotency.js';
import { spoken } from './words.js';

/** @type {readonly Schemas['DirectoryFault']['kind'][]} */
const KINDS = [
  'duplicate_page', 'reversed_page', 'late_notification', 'dropped_notification', 'cursor_invalidated', 'rate_limited', 'unavailable', 'slow', 'truncated',
  'wrong_signature', 'unknown_enum', 'clock_skew',
];

/** Lets something go wrong between the directory and the service: the feed must come out the same. @param {Api} api */
export function faultCard(api) {
  const kinds = el('select', { name: 'kind' }, KINDS.map((kind) => el('option', { value: kind }, spoken(kind))));
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
        announce(`${spoken(body.kind)}: armed for ${remaining === 1 ? 'the next answer' : `the next ${remaining} answers`}.`);
      },
    }));
}
