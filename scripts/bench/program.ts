import workerpool from 'workerpool';

/** A file of this folder as a process of its own, which shares no thread, heap or compiled code with what is measured. */
export function startProgram<Order, Answer>(file: string) {
  const pool = workerpool.pool(file, { workerType: 'process', maxWorkers: 1 });
  return {
    /** Gives one order and waits for its answer. */
    run: async (order: Order): Promise<Answer> => await pool.exec('run', [order]) as Answer,
    [Symbol.asyncDispose]: async (): Promise<void> => void await pool.terminate(true),
  };
}

/** What such a file does with each order; it ends when whoever started it goes away. */
export function serve<Order, Answer>(run: (order: Order) => Answer | Promise<Answer>): void {
  workerpool.worker({ run });
}
