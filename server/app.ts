/**
 * Puts the service together: middlewares, routes and the objects of the request layer. Called by server/start.ts. The
 * order of the middlewares is a security property: what comes first sees requests that nothing has checked yet.
 */
import { join } from 'node:path';
import express, { type Express } from 'express';
import type { Registry } from 'prom-client';
import type { RuntimeContract } from './contract/pruned-contract.ts';
import { Authenticator } from './identity/authentication.ts';
import type { KeyActivity } from './identity/key-usage.ts';
import { RateLimiter } from './identity/rate-limit.ts';
import { authenticationDependencies } from './modules/login-throttle/index.ts';
import { SandboxFollower } from './modules/recovery-ingestion/index.ts';
import { stepUpVerifier } from './modules/second-factor/index.ts';
import { dues, handlersOf, work } from './modules.ts';
import { createPages } from './pages/router.ts';
import { StorageWatch } from './providers/files/index.ts';
import { Admission } from './request/admission.ts';
import { api, bind } from './request/api.ts';
import { AccessDenialAudit } from './request/authorize.ts';
import type { ConnectionRegistry } from './request/connections.ts';
import { registry } from './request/handler.ts';
import { health } from './request/health.ts';
import { Idempotency } from './request/idempotency.ts';
import { errorHandler, notFoundHandler, RequestLifecycle, type ServicePhase } from './request/lifecycle.ts';
import { Metrics } from './request/metrics.ts';
import type { AppServices } from './services.ts';

interface AppOptions {
  readonly services: AppServices;
  readonly contract: RuntimeContract;
  /** Registry of the metrics of the process. */
  readonly metricsRegistry: Registry;
  readonly connections: ConnectionRegistry;
  readonly keyActivity: KeyActivity;
  readonly phase: () => ServicePhase;
  /** Folder of the files from the documentation build. */
  readonly documentsDir: string;
  /** Folder of the built dashboard. */
  readonly dashboardDir: string;
}

/**
 * Maximum number of requests in progress for each database connection; beyond that, a client is served sooner if it
 * repeats the request.
 */
const REQUESTS_PER_CONNECTION = 25;
/** Factor for requests whose body is still arriving, and for those that wait for work: both cost little. */
const IDLE_PER_REQUEST = 4;

/**
 * Assembles the service: every request passes these middlewares from top to bottom. The steps between the route and the
 * handler of an operation (credential → permission and quota → parameters → media types → body → contract → second
 * factor → idempotency → handler → contract → audit and COMMIT → response) are in `request/endpoint.ts` and
 * `request/transact.ts`.
 */
export function createApp({
  services,
  contract,
  metricsRegistry,
  connections,
  keyActivity,
  phase,
  documentsDir,
  dashboardDir,
}: AppOptions): Express {
  const { config, database, tokens, apiKeys, credentials, clock, log, secrets, mail, mailer, failures } = services;
  const maxWorking = config.databasePoolSize * REQUESTS_PER_CONNECTION;
  const capacity = {
    working: maxWorking,
    receiving: maxWorking * IDLE_PER_REQUEST,
    waiting: maxWorking * IDLE_PER_REQUEST,
    bodyBytes: config.bodyMemoryMebibytes * 1024 * 1024,
  };
  const admission = new Admission(capacity, () => metrics.requestShed());
  const metrics = new Metrics(metricsRegistry, () => admission.load, database);
  const limits = new RateLimiter();
  const lifecycle = new RequestLifecycle({
    trustedProxyHops: config.trustProxyHops,
    connections,
    admission,
    limits,
    quota: config.rateLimits.pages,
    clock,
    log,
    phase,
    metrics,
    onResponse: (caller, status) => keyActivity.answered(caller, status),
  });

  const authentication = authenticationDependencies(services);
  const handlers = registry(
    handlersOf({
      ...services,
      authentication,
      follower: new SandboxFollower(services),
      dues,
      work,
    }),
  );
  const routes = bind(contract, handlers, {
    config,
    database,
    clock,
    log,
    metrics,
    limits,
    security: new Authenticator({
      tokens,
      keys: apiKeys,
      credentials,
      failures,
      clock,
      onKeyUse: (caller, ip) => keyActivity.accepted(caller, ip),
    }),
    denials: new AccessDenialAudit(database, clock, log),
    idempotency: new Idempotency(secrets),
    cursors: services.cursors,
    verifyStepUp: stepUpVerifier(authentication),
  });

  const pages = createPages({
    contractDir: documentsDir,
    guidesDir: join(documentsDir, '../guides'),
    dashboardDir,
    publicInfo: { publicUrl: config.publicUrl, demo: config.demo },
    outbox: config.demo && mailer === null ? () => mail.recent(database) : null,
  });

  const app = express();
  for (const setting of ['x-powered-by', 'etag', 'query parser']) app.disable(setting);
  for (const setting of ['strict routing', 'case sensitive routing']) app.enable(setting);

  app.use(lifecycle.middleware);
  app.use(
    health({
      lifecycle,
      database,
      files: new StorageWatch(services.files, metricsRegistry, log),
      metrics,
      isReady: () => phase() === 'ready',
      jwks: () => tokens.jwks(),
      details: () => services.monitoringAlarm.details,
    }),
  );
  app.use(api(routes, lifecycle));
  app.use(pages.router);
  app.use(notFoundHandler);
  app.use(errorHandler(lifecycle, log, pages.showRefusal));
  return app;
}
