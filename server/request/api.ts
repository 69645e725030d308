/**
 * Binds every operation of the contract to its handler at the start, and serves them as one Express middleware. Called
 * by server/app.ts. A missing handler, or a contract that cannot be enforced, stops the start; unknown paths pass on,
 * and a wrong method is answered 405.
 */
import type { NextFunction, Request, Response } from 'express';
import { operations } from '../contract/generated/operations.ts';
import type { Operation, OperationId } from '../contract/operation.ts';
import { Problem } from '../contract/problem.ts';
import type { RuntimeContract } from '../contract/pruned-contract.ts';
import { Endpoint, type EndpointDependencies } from './endpoint.ts';
import type { Handler, Handlers } from './handler.ts';
import { CachedValidators } from './cached-validators.ts';
import type { RequestLifecycle } from './lifecycle.ts';
import { type Methods, Routes } from './routes.ts';
import { type OperationValidator, Validators } from './validate.ts';

type Headers = Readonly<Record<string, string>>;
const NONE: Headers = {};

/**
 * Header fields of every response of a deprecated operation: the date of deprecation (RFC 9745), the date of removal
 * (RFC 8594) and a link to the description of the replacement.
 */
function deprecationHeaders({ deprecation }: Pick<Operation, 'deprecation'>): Headers {
  if (deprecation === null) return NONE;
  return {
    Deprecation: `@${Date.parse(deprecation.since) / 1000}`,
    Sunset: new Date(deprecation.sunset).toUTCString(),
    Link: '</reference>; rel="deprecation"; type="text/html"',
  };
}

/** Thrown if the contract has an operation without a handler. */
export class MissingHandler extends Error {
  override readonly name = 'MissingHandler';

  constructor({ operationId, tag }: Operation) {
    super(
      `${operationId} has no handler: write one in server/modules/<module>/handlers.ts (tag ${tag}); a new module ` +
        'is named in server/app.ts, too. `make types` says which type it must have.',
    );
  }
}

/** Validators of the contracts that this process enforces: tests start hundreds of services with one contract. */
const compiled = new WeakMap<RuntimeContract, ReadonlyMap<string, OperationValidator>>();

function compile(contract: RuntimeContract): ReadonlyMap<string, OperationValidator> {
  const cachedValidators = new CachedValidators(contract);
  const validators = new Validators(contract, cachedValidators);
  const all = new Map(
    Object.values(operations).map((operation) => [operation.operationId, validators.compile(operation)]),
  );
  cachedValidators.store();
  compiled.set(contract, all);
  return all;
}

/**
 * Binds every operation of the contract to its handler and compiles its validators when the service starts. A missing
 * handler or a contract that cannot be enforced stops the service before it listens.
 */
export function bind(
  contract: RuntimeContract,
  handlers: Handlers,
  dependencies: EndpointDependencies,
): Routes<Endpoint> {
  const routes = new Routes<Endpoint>();
  const validators = compiled.get(contract) ?? compile(contract);
  for (const operation of Object.values(operations) as readonly Operation[]) {
    const handler = handlers[operation.operationId] as Handler<OperationId> | undefined;
    if (handler === undefined) throw new MissingHandler(operation);
    routes.add(
      operation.method.toUpperCase(),
      operation.path,
      new Endpoint(operation, validators.get(operation.operationId) as OperationValidator, handler, dependencies),
    );
  }
  for (const path of Object.keys(contract.paths)) routes.methodsAt(path);
  return routes;
}

/**
 * Returns the operations of the contract as one Express middleware, which passes on requests to other paths, and those
 * to operations that do not exist for their caller.
 */
export function api(routes: Routes<Endpoint>, lifecycle: RequestLifecycle) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const exchange = lifecycle.exchangeOf(request);
    const match = routes.find(exchange.path);
    const passOn = (): void => {
      response.setHeader('X-Request-Id', exchange.requestId);
      if (lifecycle.checkAddressQuota(exchange, 'pages')) next();
    };
    if (match === null) return passOn();
    const endpoint = match.methods.get(request.method === 'HEAD' ? 'GET' : request.method);
    if (endpoint !== undefined) {
      const serve = (): void => {
        if (!lifecycle.admit(exchange)) return;
        exchange.deprecation = deprecationHeaders(endpoint.operation);
        void endpoint.serve(exchange, match.values);
      };
      if (!endpoint.isSealed) return serve();
      return void endpoint.isShownTo(exchange).then((isShown) => (isShown ? serve() : passOn()), next);
    }
    // A method that a sealed path does not have must not tell more than the methods that it has.
    if (match.methods.size > 0 && [...match.methods.values()].every(({ isSealed }) => isSealed)) return passOn();
    response.setHeader('X-Request-Id', exchange.requestId);
    if (lifecycle.checkAddressQuota(exchange, 'pages'))
      next(new Problem('method_not_allowed').with({ Allow: allowed(match.methods) }));
  };
}

function allowed(methods: Methods<Endpoint>): string {
  return [...methods.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
}
