/**
 * Health probes, metrics and the public keys. Created by server/app.ts in front of the operations. They work when the
 * service is overloaded, so they are cheap, cached and limited per address, and contain nothing about tenants.
 */
import type { NextFunction, Request, Response } from 'express';
import type { Ed25519Jwk } from '../base/ed25519.ts';
import type { Database } from '../database/index.ts';
import type { StorageWatch } from '../providers/files/index.ts';
import type { RequestLifecycle } from './lifecycle.ts';
import type { Metrics } from './metrics.ts';

interface HealthOptions {
  readonly lifecycle: RequestLifecycle;
  readonly database: Pick<Database, 'ping'>;
  readonly files: Pick<StorageWatch, 'isWritable'>;
  readonly metrics: Metrics;
  readonly jwks: () => { readonly keys: readonly Ed25519Jwk[] };
  /** Returns false before the service is warm and while it drains. */
  readonly isReady: () => boolean;
  /**
   * Conditions that do not keep the service from handling requests but need attention: counts, and nothing about a
   * tenant. Null if there are none.
   */
  readonly details: () => object | null;
}

type Probe = (response: Response) => void | Promise<void>;

/**
 * Returns the middleware for health probes, metrics and the public signing keys. They bypass the overload limit, but
 * each address has a quota. They contain nothing about tenants.
 */
export function health({ lifecycle, database, files, metrics, jwks, isReady, details }: HealthOptions) {
  const ping = coalesced(reachability(database));
  const measure = coalesced(() => metrics.registry.metrics());
  const probes: ReadonlyMap<string, Probe> = new Map(
    Object.entries<Probe>({
      /**
       * Liveness: the event loop is running. An unreachable database does not count, because a restart would not help.
       */
      '/healthz': (response) => report(response, 200, 'alive'),
      /** Readiness: the service can handle requests. */
      '/readyz': async (response) => {
        if (!isReady()) return report(response, 503, 'starting or stopping');
        const [reachable, writable] = await Promise.all([ping(), files.isWritable()]);
        if (!reachable) report(response, 503, 'database unavailable');
        else if (!writable) report(response, 503, 'file storage unavailable');
        else report(response, 200, 'ready', details());
      },
      '/metrics': async (response) => {
        response
          .set({ 'Content-Type': metrics.registry.contentType, 'Cache-Control': 'no-store' })
          .end(await measure());
      },
      '/.well-known/jwks.json': (response) => {
        response.set({ 'Cache-Control': 'public, max-age=300', 'X-Content-Type-Options': 'nosniff' }).json(jwks());
      },
    }),
  );
  // A map look-up instead of a router, because every request of the API passes through this function.
  return (request: Request, response: Response, next: NextFunction): void | Promise<void> => {
    const probe = probes.get(request.url);
    if (probe === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) return next();
    const exchange = lifecycle.exchangeOf(request);
    // Probes are neither logged nor counted: they would hide the requests of clients.
    exchange.isReported = false;
    if (lifecycle.checkAddressQuota(exchange, 'probes')) return probe(response);
  };
}

/** Shares the result of running work with all callers that arrive meanwhile, so that many calls cost as much as one. */
function coalesced<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  return () => (running ??= work().finally(() => (running = null)));
}

/**
 * Time for which a successful ping is reused, so that probes do not queue for the database behind the requests of a
 * busy service.
 */
const REACHABLE_MILLISECONDS = 1000;

/** Returns a reachability check. Failures are not cached, so the service is ready as soon as its database is. */
function reachability(database: HealthOptions['database']): () => Promise<boolean> {
  let answeredAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() - answeredAt < REACHABLE_MILLISECONDS) return true;
    return database.ping().then(
      () => {
        answeredAt = performance.now();
        return true;
      },
      () => false,
    );
  };
}

function report(response: Response, status: number, text: string, details: object | null = null): void {
  response
    .status(status)
    .set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' })
    .json({ status: text, ...(details !== null && { details }) });
}
