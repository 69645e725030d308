import type { IncomingMessage } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import { send } from './answer.ts';
import { clientIpOf } from './client-ip.ts';
import { Exchange } from './exchange.ts';
import type { Logger } from './log.ts';
import type { Metrics } from './metrics.ts';
import { answerOf, unavailable } from './refusal.ts';

export interface EdgeOptions {
  readonly trustedProxyHops: number;
  /** Beyond this many, requests are told to come back: a queue would only make all of them late. */
  readonly mostInFlight: number;
  readonly log: Logger;
  readonly metrics: () => Metrics;
  readonly phase: () => Phase;
}

/** Of the life of the service. While it starts it talks only to itself; while it stops no connection is kept. */
export type Phase = 'starting' | 'ready' | 'stopping';

/** What happens to every request, whoever answers it: an id, a place, a line in the log and an observation. */
export class Edge {
  readonly #options: EdgeOptions;
  readonly #exchanges = new WeakMap<IncomingMessage, Exchange>();
  #inFlight = 0;

  constructor(options: EdgeOptions) {
    this.#options = options;
  }

  readonly #isStopping = (): boolean => this.#options.phase() === 'stopping';

  get inFlight(): number {
    return this.#inFlight;
  }

  exchangeOf(request: IncomingMessage): Exchange {
    const exchange = this.#exchanges.get(request);
    if (exchange === undefined) throw new Error('the request did not come in through the edge');
    return exchange;
  }

  readonly enter = (request: Request, response: Response, next: NextFunction): void => {
    const { trustedProxyHops, mostInFlight, metrics, phase } = this.#options;
    const forwarded = request.headers['x-forwarded-for'] as string | undefined;
    const exchange = new Exchange(request, response, clientIpOf(request.socket.remoteAddress, forwarded, trustedProxyHops), this.#isStopping);
    this.#exchanges.set(request, exchange);
    this.#inFlight++;
    const silent = phase() === 'starting';
    response.once('close', () => {
      this.#inFlight--;
      if (!silent) this.#report(exchange);
    });
    if (this.#inFlight <= mostInFlight) return next();
    metrics().shed();
    const refusal = unavailable('overloaded');
    exchange.label = 'shed';
    exchange.code = refusal.code;
    send(exchange, answerOf(refusal, exchange.requestId));
  };

  /** No query, no body and no names: they carry personal data. */
  #report(exchange: Exchange): void {
    const { log, metrics } = this.#options;
    const { request, response, label, requestId, caller, code, begun } = exchange;
    const milliseconds = performance.now() - begun;
    const status = response.writableFinished ? response.statusCode : 499;
    metrics().observe(label, status, milliseconds / 1000);
    log.info({
      requestId, method: request.method, operation: label, status, ...(code !== null && { code }), ms: Math.round(milliseconds * 10) / 10,
      ...(caller !== null && { tenantId: caller.principal.tenantId, principal: caller.principal.id }),
    }, 'request');
  }
}
