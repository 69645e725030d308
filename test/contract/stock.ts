/**
 * The middleware of express-openapi-validator as its manual shows it. Used by eov-conformance.test.ts as the reference
 * for our validators.
 */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import express, { type NextFunction, type Request, type Response } from 'express';
import OpenApiValidator from 'express-openapi-validator';
import type { ContractNode, RuntimeContract, RuntimeOperation } from '../../server/contract/pruned-contract.ts';
import { VALIDATOR_OPTIONS } from '../../server/request/validator-adapter.ts';
import { runtimeContract } from './runtime-contract.ts';

type Options = Parameters<typeof OpenApiValidator.middleware>[0];

/** Verdict on a request, or on its response if the response is invalid. */
export type Verdict = 'accepted' | 'refused' | 'failed';

export interface StockRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface StockOperation {
  readonly path: string;
  readonly method: string;
  /** Statuses of the responses that it is asked about. */
  readonly statuses: ReadonlySet<number>;
}

export interface Stock {
  /** Response to the next request that is accepted. */
  answer: { readonly status: number; readonly body: unknown };
  ask(request: StockRequest): Promise<Verdict>;
}

/**
 * Creates the middleware as its manual shows, with the same options, on the same contract reduced to these operations
 * and responses, because it compiles the whole contract, used or not.
 */
export function stockOf(operations: readonly StockOperation[]): Stock {
  const app = express();
  app.enable('strict routing');
  app.enable('case sensitive routing');
  app.disable('etag');
  app.use(
    express.json({ strict: false, type: ['application/json', 'application/*+json'] }),
    express.urlencoded({ extended: false }),
  );
  app.use(
    OpenApiValidator.middleware({
      ...VALIDATOR_OPTIONS,
      apiSpec: contractOf(operations),
      validateSecurity: false,
      serDes: [],
      fileUploader: {},
    } as unknown as Options),
  );
  const stock = { answer: { status: 200, body: {} as unknown } };
  app.use(
    (_request: Request, response: Response) =>
      void response.status(stock.answer.status).set('X-Verdict', 'accepted').json(stock.answer.body),
  );
  app.use(
    (error: { status?: number }, _request: Request, response: Response, _next: NextFunction) =>
      void response
        .set('X-Verdict', (error.status ?? 500) < 500 ? 'refused' : 'failed')
        .status(error.status ?? 500)
        .end(),
  );
  return Object.assign(stock, { ask: (request: StockRequest) => ask(app, request) });
}

/** Passes the request to the application without a connection, which would cost more than the validation. */
function ask(app: express.Express, { method, url, headers, body }: StockRequest): Promise<Verdict> {
  return new Promise((resolve) => {
    const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
    const request = Object.assign(new IncomingMessage(new Socket()), {
      method,
      url,
      httpVersion: '1.1',
      complete: true,
      headers: {
        host: 'localhost',
        ...Object.fromEntries(named),
        ...(body !== null && { 'content-length': String(Buffer.byteLength(body)) }),
      },
    });
    if (body !== null) request.push(body);
    request.push(null);
    const response = new ServerResponse(request);
    response.end = () => {
      resolve(response.getHeader('X-Verdict') as Verdict);
      return response;
    };
    app(request, response);
  });
}

/**
 * Returns the contract reduced to these operations and the schemas that they reach, because the package traverses its
 * whole document for each response that it compiles.
 */
function contractOf(operations: readonly StockOperation[]): RuntimeContract {
  const {
    paths: described,
    components: { schemas: all },
    ...rest
  } = runtimeContract();
  const paths: Record<string, Record<string, RuntimeOperation>> = {};
  const schemas: Record<string, ContractNode> = {};
  for (const { path, method, statuses } of operations) {
    const operation = described[path]?.[method] as RuntimeOperation;
    const responses = Object.fromEntries(
      Object.entries(operation.responses).filter(([status]) => statuses.has(Number(status))),
    );
    paths[path] = { ...paths[path], [method]: { ...operation, responses } };
  }
  const reach = (node: unknown): void => {
    for (const [, name = ''] of JSON.stringify(node).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (name in schemas) continue;
      // Without a mapping, which Ajv does not accept, the package takes the name of a schema for the value of its
      // discriminator. The verdict is the same without a discriminator, because its value is constant in each variant.
      const { discriminator: _, ...schema } = all[name]!;
      schemas[name] = schema;
      reach(schema);
    }
  };
  reach(paths);
  return { ...rest, paths, components: { schemas } };
}
