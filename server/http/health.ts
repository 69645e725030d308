import { Router, type Response } from 'express';
import type { Database } from '../database/index.ts';
import type { Jwk } from './access-token.ts';
import type { Metrics } from './metrics.ts';

export interface HealthOptions {
  readonly database: Pick<Database, 'ping'>;
  readonly metrics: Metrics;
  readonly jwks: () => { readonly keys: readonly Jwk[] };
  /** False before the service is warm and while it drains. */
  readonly isReady: () => boolean;
}

/** For the machines that watch the service. None of it tells anything about a tenant. */
export function health({ database, metrics, jwks, isReady }: HealthOptions): Router {
  const router = Router({ strict: true, caseSensitive: true });
  const report = (response: Response, status: number, text: string): void =>
    void response.status(status).set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }).json({ status: text });

  /** Alive: the event loop turns. Restarting would not help a database that is away. */
  router.get('/healthz', (_request, response) => report(response, 200, 'alive'));

  /** Ready: send requests here. */
  router.get('/readyz', async (_request, response) => {
    if (!isReady()) return report(response, 503, 'starting or stopping');
    const reachable = await database.ping().then(() => true, () => false);
    return report(response, reachable ? 200 : 503, reachable ? 'ready' : 'database unavailable');
  });

  router.get('/metrics', async (_request, response) => {
    response.set({ 'Content-Type': metrics.registry.contentType, 'Cache-Control': 'no-store' }).end(await metrics.registry.metrics());
  });

  router.get('/.well-known/jwks.json', (_request, response) => {
    response.set({ 'Cache-Control': 'public, max-age=300', 'X-Content-Type-Options': 'nosniff' }).json(jwks());
  });
  return router;
}
