import * as OpenApiValidator from 'express-openapi-validator';
import { VALIDATOR_OPTIONS } from '../../../server/request/validator-adapter.ts';
import type { Candidate, Sample } from './candidate.ts';
import type { GrownContract } from './grow-contract.ts';

type Middleware = (request: object, response: object, next: (error?: unknown) => void) => unknown;

/** The middleware chain of express-openapi-validator as its manual says, with the options of the service. */
export function stock({ contract }: GrownContract): Candidate {
  const options = { ...VALIDATOR_OPTIONS, apiSpec: contract, validateSecurity: false, fileUploader: false };
  const chain = OpenApiValidator.middleware(options as unknown as Parameters<typeof OpenApiValidator.middleware>[0]) as unknown as Middleware[];
  return (sample) => new Promise((resolve, reject) => {
    const request = requestOf(sample);
    const response = new Response(sample.status);
    const step = (index: number): void => {
      const middleware = chain[index];
      if (middleware !== undefined) {
        middleware(request, response, (error) => (error === undefined ? step(index + 1) : reject(error as Error)));
        return;
      }
      response.json(sample.answer);
      resolve();
    };
    step(0);
  });
}

/** The part of an Express application and request that the middlewares read. */
const app = { enabled: () => false, param: () => undefined };

function requestOf({ method, path, headers, body }: Sample): object {
  return { app, method, path, url: path, originalUrl: path, baseUrl: '', headers: { ...headers }, query: {}, params: {}, body };
}

/** The part of an Express response that the response validator wraps. */
class Response {
  readonly statusCode: number;
  readonly headersSent = false;

  constructor(statusCode: number) {
    this.statusCode = statusCode;
  }

  json(_body: unknown): this {
    return this;
  }

  getHeaders(): Record<string, string> {
    return { 'content-type': 'application/json' };
  }
}
