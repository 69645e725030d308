import type { NextFunction, Request, Response } from 'express';
import type { Ed25519Jwk } from '../base/ed25519.ts';
import type { Database } from '../database/index.ts';
import type { StorageWatch } from '../providers/files/index.ts';
import type { RequestLifecycle } from './lifecycle.ts';
import type { Metrics } from './metrics.ts';

export interface HealthOptions {
  readonly edge: RequestLifecycle;
  readonly database: Pick<Database, 'ping'>;
  readonly files: Pick<StorageWatch, 'isWritable'>;
  readonly metrics: Metrics;
  readonly jwks: () => { readonly keys: readonly Ed25519Jwk[] };
  /** False before the service is warm and while it drains. */
  readonly isReady: () => boolean;
}

type Probe = (response: Response) => void | Promise<void>;

/** For the machines that watch the service; answered even when it has too much to do. None of it tells of a tenant. */
export function health({ edge, database, files, metrics, jwks, isReady }: HealthOptions) {
  const ping = coalesced(() => database.ping().then(() => true, () => false));
  const measure = coalesced(() => metrics.registry.metrics());
  const probes: Readonly<Record<string, Probe>> = {
    /** Alive: the event loop turns. Restarting would not help a database that is away. */
    '/healthz': (response) => report(response, 200, 'alive'),
    /** Ready: send requests here. */
    '/readyz': async (response) => {
      if (!isReady()) return report(response, 503, 'starting or stopping');
      const [reachable, writable] = await Promise.all([ping(), files.isWritable()]);
      if (!reachable) report(response, 503, 'database unavailable');
      else if (!writable) report(response, 503, 'file storage unavailable');
      else report(response, 200, 'ready');
    },
    '/metrics': async (response) => {
      response.set({ 'Content-Type': metrics.registry.contentType, 'Cache-Control': 'no-store' }).end(await measure());
    },
    '/.well-known/jwks.json': (response) => {
      response.set({ 'Cache-Control': 'public, max-age=300', 'X-Content-Type-Options': 'nosniff' }).json(jwks());
    },
  };
  // A look-up and not a router, because every request of the API passes by.
  return (request: Request, response: Response, next: NextFunction): void | Promise<void> => {
    const probe = Object.hasOwn(probes, request.url) ? probes[request.url] : undefined;
    if (probe === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) return next();
    const exchange = edge.exchangeOf(request);
    exchange.isReported = false;
    if (edge.checkAddressQuota(exchange, 'probes')) return probe(response);
  };
}

/** Whoever asks while somebody else is waiting for the answer gets the same one, so that many who ask cost as much as one. */
function coalesced<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  return () => (running ??= work().finally(() => (running = null)));
}

function report(response: Response, status: number, text: string): void {
  response.status(status).set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }).json({ status: text });
}
