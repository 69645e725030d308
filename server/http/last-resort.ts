import type { NextFunction, Request, Response } from 'express';
import type { Edge } from './edge.ts';
import type { Logger } from './log.ts';
import { Problem } from './problem.ts';
import { defect } from './refusal.ts';

/** For what no part of the service answered. */
export function notFound(edge: Edge) {
  return (request: Request, _response: Response, _next: NextFunction): void => edge.refuse(edge.exchangeOf(request), new Problem('not_found'));
}

/** For errors that nobody caught, of the pages for instance. Express knows an error handler by its four parameters. */
export function failed(edge: Edge, log: Logger) {
  return (error: unknown, request: Request, response: Response, _next: NextFunction): void => {
    const exchange = edge.exchangeOf(request);
    // Express marks errors that are the client's, such as a path that is not percent-encoded.
    const fault = error as { readonly status?: unknown };
    if (fault.status === 400) return edge.refuse(exchange, new Problem('invalid_parameter'));
    log.error({ requestId: exchange.requestId, err: error }, 'a request failed');
    if (response.headersSent) response.destroy();
    else edge.refuse(exchange, defect());
  };
}
