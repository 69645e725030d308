/**
 * What makes a member protect less than before. The service has the last word: it asks for a fresh second factor. These
 * say it before somebody saves, and a test holds them to the rules of the service.
 * @typedef {(before: unknown, after: unknown) => boolean} Weakens
 */

/** @type {Weakens} */
export const lowered = (before, after) => typeof before === 'number' && typeof after === 'number' && after < before;

/** @type {Weakens} */
export const raised = (before, after) => typeof before === 'number' && typeof after === 'number' && after > before;

/** Nothing stands for no limit. @type {Weakens} */
export const limitRaised = (before, after) => limit(after) > limit(before);

/** @type {Weakens} */
export const dropped = (before, after) => before === true && after === false;

/** @type {Weakens} */
export const granted = (before, after) => before === false && after === true;

/** Persons are shown again. @type {Weakens} */
export const uncovered = (before, after) => before === 'masked' && after !== 'masked';

/** @type {Weakens} */
export const shortened = (before, after) => list(before).some((item) => !list(after).includes(item));

/** An empty list stands for everything. @type {Weakens} */
export const opened = (before, after) => list(before).length > 0 && (list(after).length === 0 || shortened(after, before));

/** Amounts of two currencies cannot be compared. @type {Weakens} */
export const amountRaised = (before, after) => {
  const [was, is] = [amount(before), amount(after)];
  return was !== null && (is === null || is.currency !== was.currency || is.amount > was.amount);
};

/** @param {unknown} value */
function limit(value) {
  return typeof value === 'number' ? value : Number.POSITIVE_INFINITY;
}

/** @param {unknown} value @returns {readonly unknown[]} */
function list(value) {
  return Array.isArray(value) ? value : [];
}

/** @param {unknown} value */
function amount(value) {
  return typeof value === 'object' && value !== null ? /** @type {{ amount: number, currency: string }} */ (value) : null;
}
