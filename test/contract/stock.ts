import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express, { type NextFunction, type Request, type Response } from 'express';
import OpenApiValidator from 'express-openapi-validator';
import { VALIDATOR_OPTIONS } from '../../server/request/validator-adapter.ts';
import { runtimeContract } from './runtime-contract.ts';

type Options = Parameters<typeof OpenApiValidator.middleware>[0];

export interface Stock {
  readonly url: string;
  /** What the next request that is accepted is answered with. */
  answer: { readonly status: number; readonly body: unknown };
  close(): void;
}

/** The package as its manual shows it, with the same options, on the same contract. */
export async function startStock(): Promise<Stock> {
  const app = express();
  app.enable('strict routing');
  app.enable('case sensitive routing');
  app.use(express.json({ strict: false, type: ['application/json', 'application/*+json'] }), express.urlencoded({ extended: false }));
  app.use(OpenApiValidator.middleware({ ...VALIDATOR_OPTIONS, apiSpec: runtimeContract(), validateSecurity: false, serDes: [], fileUploader: {} } as unknown as Options));
  const stock = { answer: { status: 200, body: {} as unknown } };
  app.use((_request: Request, response: Response) => void response.status(stock.answer.status).set('X-Verdict', 'accepted').json(stock.answer.body));
  app.use((error: { status?: number }, _request: Request, response: Response, _next: NextFunction) => void response.set('X-Verdict', (error.status ?? 500) < 500 ? 'refused' : 'failed').status(error.status ?? 500).end());
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(stock, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => void server.close() });
}
