import type { NextFunction, Request, Response } from 'express';
import { send } from './answer.ts';
import { deprecationHeaders } from './deprecation.ts';
import type { Edge } from './edge.ts';
import type { Endpoint } from './endpoint.ts';
import { Problem } from './problem.ts';
import { answerOf } from './refusal.ts';
import type { Methods, Routes } from './routes.ts';

/** The operations of the contract as one Express middleware; what is at no path of the contract is passed on. */
export function api(routes: Routes<Endpoint>, edge: Edge) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const exchange = edge.exchangeOf(request);
    const match = routes.find(exchange.path);
    if (match === null) {
      response.setHeader('X-Request-Id', exchange.requestId);
      return next();
    }
    const endpoint = match.methods.get(request.method === 'HEAD' ? 'GET' : request.method);
    if (endpoint !== undefined) {
      exchange.deprecation = deprecationHeaders(endpoint.operation);
      return void endpoint.serve(exchange, match.values);
    }
    const refusal = new Problem('method_not_allowed').with({ Allow: allowed(match.methods) });
    exchange.code = refusal.code;
    send(exchange, answerOf(refusal, exchange.requestId));
  };
}

function allowed(methods: Methods<Endpoint>): string {
  return [...methods.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
}
