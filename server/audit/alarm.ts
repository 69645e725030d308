/**
 * Raises the alarm of operators, by log and metric, if an audit log is found broken. Created when the process starts;
 * called by checkpoints and verification. It never stops the service.
 */
import { Counter, type Registry } from 'prom-client';
import type { Logger } from '../base/log.ts';

/** Alerts the operators by a log line and by a metric if the verification of an audit log fails. */
export class AuditAlarm {
  readonly #failures: Counter<'kind'>;
  readonly #log: Logger;

  constructor(registry: Registry, log: Logger) {
    this.#failures = new Counter({
      name: 'audit_verification_failures_total',
      help: 'Audit logs that were found not to hold.',
      labelNames: ['kind'],
      registers: [registry],
    });
    this.#log = log;
  }

  raise(tenantId: string, { sequence, kind }: { readonly sequence: number; readonly kind: string }): void {
    this.#failures.inc({ kind });
    this.#log.error({ tenantId, sequence, kind }, 'an audit log does not hold');
  }
}
