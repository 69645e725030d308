import type { IncomingMessage } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import type { Admission } from './admission.ts';
import { send } from './answer.ts';
import { hasBody } from './body.ts';
import type { Caller } from './caller.ts';
import { clientIpOf, siteOf } from './client-ip.ts';
import type { Connections } from './connections.ts';
import { Exchange } from './exchange.ts';
import type { Logger } from './log.ts';
import { faultOf } from './message-fault.ts';
import type { Metrics } from './metrics.ts';
import { Problem } from './problem.ts';
import { rateLimited, rateLimitHeaders, type RateLimits } from './rate-limit.ts';
import { answerOf } from './refusal.ts';

export interface EdgeOptions {
  readonly trustedProxyHops: number;
  readonly connections: Connections;
  readonly admission: Admission;
  readonly limits: RateLimits;
  /** Requests per minute from one address for what is no operation. */
  readonly quota: number;
  readonly clock: () => Date;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly phase: () => Phase;
  /** Told what was answered to whom, unless the client did not wait for it. */
  readonly onAnswer: (caller: Caller, status: number) => void;
}

/** Of the life of the service. While it starts it talks only to itself; while it stops no connection is kept. */
export type Phase = 'starting' | 'ready' | 'stopping';

/** What happens to every request, whoever answers it: an id, a place, a line in the log and an observation. */
export class Edge {
  readonly #options: EdgeOptions;
  readonly #exchanges = new WeakMap<IncomingMessage, Exchange>();

  constructor(options: EdgeOptions) {
    this.#options = options;
  }

  readonly #isStopping = (): boolean => this.#options.phase() === 'stopping';

  exchangeOf(request: IncomingMessage): Exchange {
    const exchange = this.#exchanges.get(request);
    if (exchange === undefined) throw new Error('the request did not come in through the edge');
    return exchange;
  }

  readonly enter = (request: Request, response: Response, next: NextFunction): void => {
    const { trustedProxyHops, connections, phase } = this.#options;
    const forwarded = request.headers['x-forwarded-for'] as string | undefined;
    const clientIp = clientIpOf(request.socket.remoteAddress, forwarded, trustedProxyHops);
    const connection = connections.of(request.socket);
    connections.move(connection, siteOf(clientIp));
    const fault = faultOf(request);
    const exchange = new Exchange(request, response, connection, clientIp, this.#isStopping);
    this.#exchanges.set(request, exchange);
    const silent = phase() === 'starting';
    response.once('close', () => {
      exchange.place?.leave();
      if (!silent && exchange.isReported) this.#report(exchange);
    });
    if (fault === null) next();
    else this.refuse(exchange, fault);
  };

  /** Takes a place for an operation; false, and the request is answered, when there is none. */
  admit(exchange: Exchange): boolean {
    try {
      exchange.place = this.#options.admission.enter(hasBody(exchange.request), siteOf(exchange.clientIp));
      return true;
    } catch (refusal) {
      if (!(refusal instanceof Problem)) throw refusal;
      exchange.label = 'shed';
      this.refuse(exchange, refusal);
      return false;
    }
  }

  /** What is no operation has quotas too, for each address; false, and the request is answered, when one is used up. */
  meter(exchange: Exchange, name: 'pages' | 'probes'): boolean {
    const { limits, quota, clock, phase } = this.#options;
    if (phase() === 'starting') return true;
    const standing = limits.take({ name, quota, windowSeconds: 60 }, siteOf(exchange.clientIp), clock().getTime());
    for (const [field, value] of Object.entries(rateLimitHeaders([standing]))) exchange.response.setHeader(field, value);
    if (!standing.allowed) this.refuse(exchange, rateLimited(standing));
    return standing.allowed;
  }

  refuse(exchange: Exchange, problem: Problem): void {
    exchange.code = problem.code;
    send(exchange, answerOf(problem, exchange.requestId));
  }

  /** No query, no body and no names: they carry personal data. */
  #report(exchange: Exchange): void {
    const { log, metrics, onAnswer } = this.#options;
    const { request, response, label, requestId, caller, code, begun } = exchange;
    const milliseconds = performance.now() - begun;
    const status = response.writableFinished ? response.statusCode : 499;
    metrics.observe(label, status, milliseconds / 1000);
    if (caller !== null && response.writableFinished) onAnswer(caller, status);
    log.info({
      requestId, method: request.method, operation: label, status, ...(code !== null && { code }), ms: Math.round(milliseconds * 10) / 10,
      ...(caller !== null && { tenantId: caller.principal.tenantId, principal: caller.principal.id }),
    }, 'request');
  }
}
