import { el, fill } from '../dom.js';
import { ApiError } from './api-error.js';

/**
 * Does what a part of a page needs from the service. When it refuses or cannot be reached, the part says so and offers
 * to try again.
 * @param {Element} part
 * @param {() => Promise<void>} load
 */
export async function showFailure(part, load) {
  try {
    await load();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    fill(part, el('p', { class: 'notice error', role: 'alert' }, error.message),
      el('p', {}, el('button', { type: 'button', class: 'button small', onclick: () => showFailure(part, load) }, 'Try again')));
  }
}
