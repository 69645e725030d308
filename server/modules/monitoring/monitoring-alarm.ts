/**
 * Tells the operators of the platform that monitored applicants cannot be compared: metric, `/readyz` details and log.
 * Created when the process starts; the job `monitoring.check` calls it. Contains counts only, never names.
 */
import { Gauge, type Registry } from 'prom-client';
import type { Log } from '../../base/log.ts';
import { MINUTE_MILLISECONDS } from '../../base/time.ts';
import type { Environment } from '../../contract/operation.ts';
import type { Database } from '../../database/index.ts';
import { forEachTenant } from '../../tasks/store.ts';
import { failedSubjects } from './coverage-store.ts';

/** How long a process exports its last check after another process has taken over. */
const FORGOTTEN_MILLISECONDS = 30 * MINUTE_MILLISECONDS;

/**
 * Warns the operators of the platform about monitored applicants who cannot be compared with lists, for example because
 * a key does not open their record: in metrics, in the details of `/readyz`, and in the log when the failures begin.
 * The coverage of each tenant names the applicants.
 */
export class MonitoringAlarm {
  readonly #failed: Gauge<'env'>;
  readonly #log: Log;
  readonly #clock: () => Date;
  #seen: Readonly<Record<Environment, number>> | null = null;
  #checkedAt = 0;

  constructor(registry: Registry, log: Log, clock: () => Date) {
    const isForgotten = (): boolean => this.#isForgotten();
    this.#failed = new Gauge({
      name: 'monitoring_failed_subjects',
      help: 'Monitored applicants whose last comparison with the lists failed.',
      labelNames: ['env'],
      registers: [registry],
      collect() {
        if (isForgotten()) this.reset();
      },
    });
    this.#log = log;
    this.#clock = clock;
  }

  /** Counts the failed applicants of all open tenants, and returns the sum. */
  async check(database: Database, signal: AbortSignal): Promise<number> {
    const failed = { live: 0, sandbox: 0 };
    for (const environment of ['live', 'sandbox'] as const) {
      failed[environment] = await forEachTenant(database, signal, async ({ id: tenantId }) => {
        const count = await database.transaction({ tenantId, readOnly: true }, (tx) => failedSubjects(tx, environment));
        if (count > 0 && (this.#seen?.[environment] ?? 0) === 0)
          this.#log.error(
            { tenantId, env: environment, count },
            'monitored applicants cannot be compared with the lists',
          );
        return count;
      });
      this.#failed.set({ env: environment }, failed[environment]);
    }
    this.#seen = failed;
    this.#checkedAt = this.#clock().getTime();
    return failed.live + failed.sandbox;
  }

  /** Details of `/readyz` beyond readiness. Null if there are no failures, and in a process that does not check. */
  get details(): object | null {
    if (this.#isForgotten() || this.#seen === null || Object.values(this.#seen).every((count) => count === 0))
      return null;
    return { monitoring: { failedSubjects: this.#seen } };
  }

  #isForgotten(): boolean {
    return this.#clock().getTime() - this.#checkedAt > FORGOTTEN_MILLISECONDS;
  }
}
