import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

type Reply<Answer> = { readonly answer: Answer } | { readonly complaint: string };

/** A file of this folder as a process of its own, which shares no thread, heap or compiled code with what is measured. */
export class Program<Order, Answer> {
  readonly #child: ChildProcess;

  constructor(file: string) {
    this.#child = fork(file, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  }

  /** Gives one order and waits for its answer. */
  async run(order: Order): Promise<Answer> {
    const over = new AbortController();
    this.#child.send(order as object, () => {});
    try {
      const reply = await Promise.race([
        once(this.#child, 'message', over).then(([message]) => message as Reply<Answer>),
        once(this.#child, 'exit', over).then((): Reply<Answer> => ({ complaint: `${this.#child.spawnargs.at(-1)} ended unexpectedly` })),
      ]);
      if ('complaint' in reply) throw new Error(reply.complaint);
      return reply.answer;
    } finally {
      // The loser of the race rejects now, which the race has already taken note of.
      over.abort();
    }
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill();
    await ended;
  }
}

/** What such a file does with each order; it ends when whoever started it goes away. */
export function serve<Order, Answer>(carryOut: (order: Order) => Answer | Promise<Answer>): void {
  process.on('message', async (order: Order) => {
    try {
      process.send?.({ answer: await carryOut(order) });
    } catch (error) {
      process.send?.({ complaint: (error as Error).message });
    }
  });
  process.on('disconnect', () => process.exit());
}

/** Runs one order in a process that is needed for nothing else. */
export async function runOnce<Order, Answer>(file: string, order: Order): Promise<Answer> {
  const program = new Program<Order, Answer>(file);
  return program.run(order).finally(() => program.stop());
}

interface Stoppable { stop(): Promise<unknown> }

/** Waits until something has started, and remembers that it must be stopped. */
export type Open = <S extends Stoppable>(starting: S | Promise<S>) => Promise<S>;

/** Stops what the work has opened, the newest first, also when the work fails. */
export async function stopping<T>(work: (open: Open) => Promise<T>): Promise<T> {
  const running: Stoppable[] = [];
  try {
    return await work(async (starting) => {
      const started = await starting;
      running.push(started);
      return started;
    });
  } finally {
    for (const one of running.reverse()) await one.stop();
  }
}
