/**
 * Keeps worker threads for a moment after their work. Used by the engine and by reading lists. A thread in use belongs
 * to its caller, who returns or ends it.
 */
import type { Worker } from 'node:worker_threads';

/**
 * Keeps a thread of each kind for a while after its work, because starting one keeps the processors busy for
 * longer than a short list does.
 */
export class IdleThreads<Kind> {
  readonly #start: (kind: Kind) => Worker;
  readonly #milliseconds: number;
  readonly #idle = new Map<Kind, Worker>();

  constructor(start: (kind: Kind) => Worker, milliseconds: number) {
    this.#start = start;
    this.#milliseconds = milliseconds;
  }

  /** Returns an idle or new thread. The caller must return it by `keep` or terminate it. */
  take(kind: Kind): Worker {
    const thread = this.#idle.get(kind) ?? this.#started(kind);
    this.#idle.delete(kind);
    thread.ref();
    return thread;
  }

  /** Keeps an idle thread, unless there is already one of its kind. An idle thread does not keep the process alive. */
  keep(kind: Kind, thread: Worker): void {
    if (this.#idle.has(kind)) return void thread.terminate();
    this.#idle.set(kind, thread);
    thread.unref();
    setTimeout(() => {
      if (this.#idle.get(kind) !== thread) return;
      this.#idle.delete(kind);
      void thread.terminate();
    }, this.#milliseconds).unref();
  }

  #started(kind: Kind): Worker {
    const thread = this.#start(kind);
    // The user of a thread handles its errors; an idle thread has no work that can fail.
    thread.on('error', () => {});
    return thread.once('exit', () => {
      if (this.#idle.get(kind) === thread) this.#idle.delete(kind);
    });
  }
}
