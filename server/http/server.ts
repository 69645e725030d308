import { createServer, type RequestListener, type Server } from 'node:http';
import type { Registry } from 'prom-client';
import type { Connections } from './connections.ts';
import type { Logger } from './log.ts';
import { answerUnreadable } from './unreadable.ts';

interface Timeouts {
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly connectionsCheckingInterval: number;
}

/** A head takes ten seconds at most, and a request two minutes. */
const TIMEOUTS: Timeouts = { headersTimeout: 10_000, requestTimeout: 120_000, connectionsCheckingInterval: 1_000 };

/** A server whose connections are looked after. What its parser would refuse without a problem document is left to the handler. */
export function httpServer(handle: RequestListener, connections: Connections, registry: Registry, log: Logger, timeouts = TIMEOUTS): Server {
  const server = createServer({ keepAliveTimeout: 65_000, requireHostHeader: false, ...timeouts });
  // All fields are seen, within 16 KiB, or it could not be told that there are too many.
  server.maxHeadersCount = 0;
  connections.attach(server, handle);
  answerUnreadable(server, connections, registry, log);
  return server;
}
