/**
 * Thread of a child process that ends it when an order has taken its processor time. The order blocks the other one.
 */
import { workerData } from 'node:worker_threads';
import { processorTime } from '../processor-time.ts';

/** Words of the memory that both threads share. */
export const [IS_AT_WORK, LIMIT] = [0, 1];
const CHECK_MILLISECONDS = 10;

if (workerData instanceof SharedArrayBuffer) {
  const shared = new Int32Array(workerData);
  for (;;) {
    Atomics.wait(shared, IS_AT_WORK, 0);
    Atomics.wait(shared, IS_AT_WORK, 1, CHECK_MILLISECONDS);
    if (Atomics.load(shared, IS_AT_WORK) === 1 && processorTime() > Atomics.load(shared, LIMIT)) {
      process.kill(process.pid, 'SIGXCPU');
    }
  }
}
