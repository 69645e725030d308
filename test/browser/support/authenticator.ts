/** An authenticator app for browser tests. It never gives a code twice, because the service accepts each once. */
import { setTimeout } from 'node:timers/promises';
import { code } from '../../support/authenticator.ts';

const STEP = 30_000;

/** A phone with an authenticator app. The service accepts each code once, and those of the neighbouring steps too. */
export class Authenticator {
  readonly #secret: string;
  #last = 0;

  constructor(secret: string) {
    this.#secret = secret.replaceAll(' ', '');
  }

  /** Returns an unused code; waits if there is none yet. */
  async next(): Promise<string> {
    const now = Math.floor(Date.now() / STEP);
    this.#last = Math.max(this.#last + 1, now - 1);
    if (this.#last > now + 1) await setTimeout((this.#last - 1) * STEP - Date.now());
    return code(this.#secret, new Date(this.#last * STEP));
  }
}
