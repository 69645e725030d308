import type { Worker } from 'node:worker_threads';

/** Keeps a thread of each kind for a while after its work, because starting one keeps the processors busy for longer than a short list does. */
export class IdleThreads<Kind> {
  readonly #start: (kind: Kind) => Worker;
  readonly #milliseconds: number;
  readonly #idle = new Map<Kind, Worker>();

  constructor(start: (kind: Kind) => Worker, milliseconds: number) {
    this.#start = start;
    this.#milliseconds = milliseconds;
  }

  /** A thread that has nothing else to do. Whoever takes it gives it back by `keep`, or terminates it. */
  take(kind: Kind): Worker {
    const thread = this.#idle.get(kind) ?? this.#started(kind);
    this.#idle.delete(kind);
    thread.ref();
    return thread;
  }

  /** Keeps the thread, unless there is one of its kind already. It keeps no process alive. */
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
    // Whoever works with it hears of an error; an idle thread has nothing to fail with.
    thread.on('error', () => {});
    return thread.once('exit', () => {
      if (this.#idle.get(kind) === thread) this.#idle.delete(kind);
    });
  }
}
