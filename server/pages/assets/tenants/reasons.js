/** @import { Schemas } from '../app/types.d.ts' */

/** @type {readonly (readonly [Schemas['TenantStatusUpdate']['reasonCode'], string])[]} */
export const REASONS = [
  ['security_incident', 'Security incident'], ['terms_violation', 'Breach of the terms'], ['payment_overdue', 'Payment overdue'],
  ['regulator_order', 'Order of a regulator'], ['customer_request', 'Wish of the customer'], ['resolved', 'Resolved'], ['other', 'Other'],
];

/** @param {string} code */
export function reasonWords(code) {
  return REASONS.find(([reason]) => reason === code)?.[1] ?? code;
}
