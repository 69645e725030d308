import { DirectoryError } from '../../../providers/directory/index.ts';

const second = 1000;
const first = 60 * second;
const longest = 600 * second;
const unavailable = 30 * second;

/** How long a participant leaves the directory alone after it was told to. */
export class Patience {
  #until = 0;
  #refusals = 0;

  isOver(now: Date): boolean {
    return now.getTime() >= this.#until;
  }

  succeeded(): void {
    this.#refusals = 0;
  }

  /** As long as the directory says; without a word of it a minute, and twice as long each time, up to ten. */
  failed(error: unknown, now: Date): void {
    if (!(error instanceof DirectoryError)) return;
    const told = error.retryAfterSeconds === null ? null : error.retryAfterSeconds * second;
    if (error.kind === 'ServiceUnavailable') this.#until = now.getTime() + (told ?? unavailable);
    if (error.kind === 'RateLimited') {
      this.#until = now.getTime() + (told ?? Math.min(longest, first * 2 ** this.#refusals));
      this.#refusals += 1;
    }
  }
}
