import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Measurement, Plan, Report } from './plan.ts';

/** A load generator in a process of its own, so that it does not share a thread with what it measures. */
export class LoadGenerator {
  readonly #child: ChildProcess = fork(fileURLToPath(new URL('./worker.ts', import.meta.url)), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });

  async run(plan: Plan): Promise<Measurement> {
    const ended = new AbortController();
    const answered = once(this.#child, 'message', ended) as Promise<[Report]>;
    const died = once(this.#child, 'exit', ended).then((): never => { throw new Error('the load generator ended unexpectedly'); });
    // Whichever of the two loses is aborted below.
    answered.catch(() => {});
    died.catch(() => {});
    this.#child.send(plan);
    try {
      const [report] = await Promise.race([answered, died]);
      if ('complaint' in report) throw new Error(report.complaint);
      return report.measurement;
    } finally {
      ended.abort();
    }
  }

  stop(): void {
    this.#child.disconnect();
  }
}
