import express, { type Express } from 'express';
import type { Registry } from 'prom-client';
import { registry } from './contract/handlers.ts';
import { admin } from './groups/admin/index.ts';
import { applications } from './groups/applications/index.ts';
import { audit } from './groups/audit/index.ts';
import { auth, stepUpVerifier } from './groups/auth/index.ts';
import { fundsRecovery } from './groups/funds-recovery/index.ts';
import { oauth } from './groups/oauth/index.ts';
import { onboarding } from './groups/onboarding/index.ts';
import { sandbox } from './groups/sandbox/index.ts';
import { settings } from './groups/settings/index.ts';
import { users } from './groups/users/index.ts';
import { Admission } from './http/admission.ts';
import { api } from './http/api.ts';
import { bind } from './http/bind.ts';
import type { Connections } from './http/connections.ts';
import { Denials } from './http/denials.ts';
import { Edge, type Phase } from './http/edge.ts';
import { health } from './http/health.ts';
import { Idempotency } from './http/idempotency.ts';
import type { KeyActivity } from './http/key-use.ts';
import { failed, notFound } from './http/last-resort.ts';
import { Metrics } from './http/metrics.ts';
import { RateLimits } from './http/rate-limit.ts';
import { Security } from './http/security.ts';
import type { RuntimeContract } from './http/slim-contract.ts';
import { pagesRouter } from './pages/index.ts';
import { StorageWatch } from './providers/files/index.ts';
import type { Services } from './services.ts';

export interface AppOptions {
  readonly services: Services;
  readonly contract: RuntimeContract;
  /** Where the metrics of the process are kept. */
  readonly metricsRegistry: Registry;
  readonly connections: Connections;
  readonly keyActivity: KeyActivity;
  readonly phase: () => Phase;
  /** Where the documentation build puts its files. */
  readonly documentsDir: string;
}

/** How many requests one database connection can have behind it before waiting in line is worse than coming back. */
const REQUESTS_PER_CONNECTION = 25;
/** Whoever is still sending costs little, so there may be more of them. */
const SENDERS_PER_REQUEST = 4;

/**
 * The whole way of a request, top to bottom. What happens between the route and the handler of an operation
 * (credential → permission and quota → parameters → media types → body → contract → second factor → idempotency → handler →
 * contract → audit and COMMIT → answer) stands in `http/endpoint.ts` and `http/transact.ts`.
 */
export function createApp({ services, contract, metricsRegistry, connections, keyActivity, phase, documentsDir }: AppOptions): Express {
  const { config, database, tokens, apiKeys, credentials, clock, log, secrets, mail, mailer, failures } = services;
  const mostWorking = config.databasePoolSize * REQUESTS_PER_CONNECTION;
  const capacity = { working: mostWorking, receiving: mostWorking * SENDERS_PER_REQUEST, bodyBytes: config.bodyMemoryMebibytes * 1024 * 1024 };
  const admission = new Admission(capacity, () => metrics.shed());
  const metrics = new Metrics(metricsRegistry, () => admission.load, database);
  const limits = new RateLimits();
  const edge = new Edge({
    trustedProxyHops: config.trustProxyHops, connections, admission, limits, quota: config.rateLimits.pages, clock, log, phase, metrics,
    onAnswer: (caller, status) => keyActivity.answered(caller, status),
  });

  const handlers = registry({
    ...admin(services), ...applications(services), ...audit(services), ...auth(services), ...fundsRecovery(services), ...oauth(services),
    ...onboarding(services), ...sandbox(services), ...settings(services), ...users(services),
  });
  const routes = bind(contract, handlers, {
    config, database, clock, log, metrics, limits,
    security: new Security({ tokens, keys: apiKeys, credentials, failures, clock, onKeyUse: (caller, ip) => keyActivity.accepted(caller, ip) }),
    denials: new Denials(database, clock, log),
    idempotency: new Idempotency(secrets),
    verifyStepUp: stepUpVerifier(services),
  });

  const app = express();
  for (const setting of ['x-powered-by', 'etag', 'query parser']) app.disable(setting);
  for (const setting of ['strict routing', 'case sensitive routing']) app.enable(setting);

  app.use(edge.enter);
  app.use(health({ edge, database, files: new StorageWatch(services.files, metricsRegistry, log), metrics, isReady: () => phase() === 'ready', jwks: () => tokens.jwks() }));
  app.use(api(routes, edge));
  app.use(pagesRouter({
    contractDir: documentsDir, publicInfo: { publicUrl: config.publicUrl, demo: config.demo },
    outbox: config.demo && mailer === null ? () => mail.recent(database) : null,
  }));
  app.use(notFound(edge));
  app.use(failed(edge, log));
  return app;
}
