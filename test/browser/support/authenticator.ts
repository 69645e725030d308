import { setTimeout } from 'node:timers/promises';
import { code } from '../../support/authenticator.ts';

const STEP = 30_000;

/** A telephone with an authenticator app. The service takes each code once, and those of the neighbouring steps too. */
export class Authenticator {
  readonly #secret: string;
  #last = 0;

  constructor(secret: string) {
    this.#secret = secret.replaceAll(' ', '');
  }

  /** A code that was not used before; waits when there is none yet. */
  async next(): Promise<string> {
    const now = Math.floor(Date.now() / STEP);
    this.#last = Math.max(this.#last + 1, now - 1);
    if (this.#last > now + 1) await setTimeout((this.#last - 1) * STEP - Date.now());
    return code(this.#secret, new Date(this.#last * STEP));
  }
}
