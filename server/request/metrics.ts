/**
 * The metrics of HTTP requests. Created by server/app.ts and used by the endpoint, lifecycle and health. Labels come
 * from the contract only; a label from a request would let callers fill the memory.
 */
import { collectDefaultMetrics, Counter, Gauge, Histogram, type Registry } from 'prom-client';

interface Pool {
  connections(): { total: number; idle: number; waiting: number };
}

interface Load {
  readonly working: number;
  readonly receiving: number;
  readonly waiting: number;
  readonly bodyBytes: number;
}

/** Prometheus metrics. Labels come from the contract only, so their number is bounded. */
export class Metrics {
  readonly registry: Registry;
  readonly #requests: Histogram<'operation' | 'status'>;
  readonly #violations: Counter<'operation' | 'status'>;
  readonly #shed: Counter;
  /** Observation functions by labels, cached because label look-ups are the expensive part of an observation. */
  readonly #observers = new Map<string, (seconds: number) => void>();

  constructor(registry: Registry, load: () => Load, pool: Pool) {
    this.registry = registry;
    const registers = [registry];
    collectDefaultMetrics({ register: registry });
    this.#requests = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from the first byte read to the last byte handed over.',
      labelNames: ['operation', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    });
    this.#violations = new Counter({
      name: 'contract_violations_total',
      help: 'Answers that broke the contract.',
      labelNames: ['operation', 'status'],
      registers,
    });
    this.#shed = new Counter({
      name: 'http_requests_shed_total',
      help: 'Requests refused because too many were running.',
      registers,
    });
    new Gauge({
      name: 'http_requests_in_flight',
      help: 'Requests that are at work.',
      registers,
      collect() {
        this.set(load().working);
      },
    });
    new Gauge({
      name: 'http_requests_receiving',
      help: 'Requests whose body is on its way and has come further than its first kilobyte.',
      registers,
      collect() {
        this.set(load().receiving);
      },
    });
    new Gauge({
      name: 'http_requests_waiting',
      help: 'Requests that wait for work or for an index, and hold no connection to the database.',
      registers,
      collect() {
        this.set(load().waiting);
      },
    });
    new Gauge({
      name: 'http_request_body_bytes',
      help: 'Bytes of request bodies in memory.',
      registers,
      collect() {
        this.set(load().bodyBytes);
      },
    });
    new Gauge({
      name: 'database_connections',
      help: 'Connections of the request pool.',
      labelNames: ['state'],
      registers,
      collect() {
        const { total, idle, waiting } = pool.connections();
        this.set({ state: 'busy' }, total - idle);
        this.set({ state: 'idle' }, idle);
        this.set({ state: 'waiting' }, waiting);
      },
    });
  }

  observe(operation: string, status: number, seconds: number): void {
    const key = `${operation} ${status}`;
    let observe = this.#observers.get(key);
    if (observe === undefined) {
      const child = this.#requests.labels(operation, String(status));
      observe = (value) => child.observe(value);
      this.#observers.set(key, observe);
    }
    observe(seconds);
  }

  violation(operation: string, status: number): void {
    this.#violations.inc({ operation, status: String(status) });
  }

  requestShed(): void {
    this.#shed.inc();
  }
}
