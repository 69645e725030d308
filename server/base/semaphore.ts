/**
 * Lets a few tasks run at once while others wait in order. Used for password hashing and for polling the directory.
 * Beyond the queue's limit it throws instead of waiting.
 */

/** Maximum number of waiting tasks, and the error of a task that finds the queue full. */
interface QueueLimit {
  readonly maxWaiting: number;
  readonly refusal: () => Error;
}

/**
 * A counting semaphore: runs a few tasks at once while the others wait in the order of their arrival. A limit bounds
 * the number of waiting tasks.
 */
export class Semaphore {
  readonly #permits: number;
  readonly #limit: QueueLimit | null;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(permits: number, limit: QueueLimit | null = null) {
    this.#permits = permits;
    this.#limit = limit;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running === this.#permits) {
      if (this.#waiting.length === this.#limit?.maxWaiting) throw this.#limit.refusal();
      await new Promise<void>((admit) => this.#waiting.push(admit));
    } else this.#running++;
    try {
      return await task();
    } finally {
      // The permit passes directly to the next task in the queue, so that no task that arrives now can overtake it.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running--;
      else next();
    }
  }
}
