import { ApiError } from '../app/api-error.js';

/** While something is being played, and while nobody has done anything for a while. */
const SOON_MS = 1500;
const LATER_MS = 10_000;
const LIVELY_MS = 120_000;

/**
 * Looks again and again until the user leaves the page: often after something was done here, seldom otherwise, and not
 * while the page is hidden.
 * @param {() => Promise<void>} look
 * @param {AbortSignal} leaving
 * @param {(error: ApiError | null) => void} told why nothing can be seen; null once it can
 */
export function watch(look, leaving, told) {
  let livelyUntil = 0;
  let wake = () => {};
  void follow();
  leaving.addEventListener('abort', () => wake(), { once: true });
  return {
    /** Something was done: what follows from it is worth seeing at once. */
    stir: () => {
      livelyUntil = Date.now() + LIVELY_MS;
      wake();
    },
  };

  async function follow() {
    while (!leaving.aborted) {
      const wait = await once();
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, wait);
        wake = () => { clearTimeout(timer); resolve(null); };
      });
    }
  }

  /** @returns how long to wait for the next look */
  async function once() {
    if (document.hidden) return SOON_MS;
    try {
      await look();
      told(null);
      return Date.now() < livelyUntil ? SOON_MS : LATER_MS;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      told(error);
      return (error.problem?.retryAfter ?? 0) * 1000 + LATER_MS;
    }
  }
}
