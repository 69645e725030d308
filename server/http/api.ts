import type { NextFunction, Request, Response } from 'express';
import { deprecationHeaders } from './deprecation.ts';
import type { Edge } from './edge.ts';
import type { Endpoint } from './endpoint.ts';
import { Problem } from './problem.ts';
import type { Methods, Routes } from './routes.ts';

/** The operations of the contract as one Express middleware; what is at no path of the contract is passed on. */
export function api(routes: Routes<Endpoint>, edge: Edge) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const exchange = edge.exchangeOf(request);
    const match = routes.find(exchange.path);
    if (match === null) {
      response.setHeader('X-Request-Id', exchange.requestId);
      return edge.meter(exchange, 'pages') ? next() : undefined;
    }
    const endpoint = match.methods.get(request.method === 'HEAD' ? 'GET' : request.method);
    if (endpoint !== undefined) {
      if (!edge.admit(exchange)) return;
      exchange.deprecation = deprecationHeaders(endpoint.operation);
      return void endpoint.serve(exchange, match.values);
    }
    if (edge.meter(exchange, 'pages')) edge.refuse(exchange, new Problem('method_not_allowed').with({ Allow: allowed(match.methods) }));
  };
}

function allowed(methods: Methods<Endpoint>): string {
  return [...methods.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
}
