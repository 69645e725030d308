/**
 * Runs measured code or load in a separate process. Used by the measurements, so that the load and what is measured do
 * not share a process.
 */
import workerpool from 'workerpool';

/**
 * Runs a file of this folder as a separate process, which shares no thread, heap or compiled code with the measured
 * code.
 */
export function startProgram<Order, Answer>(file: string) {
  const pool = workerpool.pool(file, { workerType: 'process', maxWorkers: 1 });
  return {
    /** Sends one order and waits for the reply. */
    run: async (order: Order): Promise<Answer> => (await pool.exec('run', [order])) as Answer,
    [Symbol.asyncDispose]: async (): Promise<void> => void (await pool.terminate(true)),
  };
}

/** Handles each order in such a file; the process ends when its parent ends. */
export function serve<Order, Answer>(run: (order: Order) => Answer | Promise<Answer>): void {
  workerpool.worker({ run });
}
