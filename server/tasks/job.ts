/** Type of a periodic job, and the metrics of all jobs. Used by all modules with jobs and by the scheduler. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { MailOutcome } from '../providers/mail/index.ts';
import type { Services } from '../request/services.ts';

/** Outcome of a round; `elsewhere` means that another process held the lock. */
type RoundOutcome = 'success' | 'failure' | 'elsewhere';

/** Metrics of jobs. Labels are the names of jobs and of mail templates, so their number is bounded. */
export class JobMetrics {
  readonly #runs: Counter<'job' | 'outcome'>;
  readonly #items: Counter<'job'>;
  readonly #duration: Histogram<'job'>;
  readonly #lastSuccess: Gauge<'job'>;
  readonly #mail: Counter<'template' | 'outcome'>;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#runs = new Counter({
      name: 'job_runs_total',
      help: 'Rounds of periodic work.',
      labelNames: ['job', 'outcome'],
      registers,
    });
    this.#items = new Counter({
      name: 'job_items_total',
      help: 'What the rounds have done: letters sent, rows removed.',
      labelNames: ['job'],
      registers,
    });
    this.#duration = new Histogram({
      name: 'job_duration_seconds',
      help: 'Time of a round.',
      labelNames: ['job'],
      buckets: [0.01, 0.1, 1, 10, 60],
      registers,
    });
    this.#lastSuccess = new Gauge({
      name: 'job_last_success_timestamp_seconds',
      help: 'When a round last succeeded in this process.',
      labelNames: ['job'],
      registers,
    });
    this.#mail = new Counter({
      name: 'mail_attempts_total',
      help: 'Attempts to deliver a letter.',
      labelNames: ['template', 'outcome'],
      registers,
    });
  }

  ran(job: string, outcome: RoundOutcome, seconds: number, items = 0): void {
    this.#runs.inc({ job, outcome });
    if (outcome === 'elsewhere') return;
    this.#duration.observe({ job }, seconds);
    if (outcome === 'failure') return;
    this.#items.inc({ job }, items);
    this.#lastSuccess.setToCurrentTime({ job });
  }

  mail(outcome: MailOutcome, template: string): void {
    this.#mail.inc({ template, outcome });
  }
}

/** Services that the scheduler itself uses; a job may need more. */
export type JobServices = Pick<Services, 'database' | 'log' | 'clock'>;

interface JobRound<S extends JobServices> {
  readonly services: S;
  readonly metrics: JobMetrics;
  /** Aborted if the service stops or the lock is lost; the next round does the remaining work. */
  readonly signal: AbortSignal;
}

/** Periodic work that only one process does at a time. */
export interface Job<S extends JobServices = JobServices> {
  readonly name: string;
  readonly everySeconds: number;
  /**
   * Runs one round and resolves with the number of processed items. After a failure the next round tries again, so each
   * step must be complete in itself.
   */
  readonly run: (round: JobRound<S>) => Promise<number>;
}
