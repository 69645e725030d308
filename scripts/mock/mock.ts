/**
 * Serves the examples of a contract as an API. Called by `make mock` and by tests of the SDKs. It validates requests
 * like the service, stores nothing and accepts any credential.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { uuidv7 } from '../../server/base/uuid.ts';
import { Problem, PROBLEM_TYPE, problemDocument } from '../../server/contract/problem.ts';
import type { RuntimeContract } from '../../server/contract/pruned-contract.ts';
import { challengeOf } from '../../server/identity/authentication.ts';
import { isJson } from '../../server/request/handler.ts';
import { bodyLimitsOf } from '../../server/request/body-limits.ts';
import { type BodyExpectation, readParameters, receiveBody, validateInput } from '../../server/request/receive.ts';
import { Routes } from '../../server/request/routes.ts';
import { type OperationValidator, Validators } from '../../server/request/validate.ts';
import {
  type Contract,
  type Example,
  type Header,
  type MediaType,
  METHODS,
  type Operation,
  resolve,
  type Response,
} from '../contract/contract.ts';
import { bodyLimits } from '../generate/body-limits.ts';
import { buildModel } from '../generate/build-model.ts';
import { runtimeContract } from '../generate/runtime-contract.ts';

interface MockOperation {
  readonly security: Operation['security'];
  readonly bodyRule: BodyExpectation;
  readonly validator: OperationValidator;
  readonly answers: readonly ExampleResponse[];
}

const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Allow-Methods': '*',
  'Access-Control-Expose-Headers': '*',
};

/**
 * Serves the examples of a contract. It validates requests as the service does, checks only that credentials are
 * present, and stores nothing. For front ends that are built before the service implements an operation.
 */
export function mock(contract: Contract): RequestListener {
  const routes = routesOf(contract);
  return (request, response) => {
    void answer(routes, request)
      .catch((error: unknown) => {
        // An error of one request, such as a client that disconnects, must not end the mock.
        const problem = error instanceof Problem ? error : new Problem('internal_error', { detail: String(error) });
        return { ...problemAnswer(problem), headers: problem.headers };
      })
      .then((shown) => {
        send(response, shown);
      });
  };
}

function routesOf(contract: Contract): Routes<MockOperation> {
  const runtime = JSON.parse(runtimeContract(contract)) as RuntimeContract;
  const validators = new Validators(runtime);
  const limits = bodyLimits(buildModel(contract));
  const routes = new Routes<MockOperation>();
  for (const [path, item] of Object.entries(contract.paths)) {
    for (const method of METHODS) {
      const described = item[method];
      if (described === undefined) continue;
      const { operationId } = described;
      const validator = validators.compile({ operationId, method, path });
      const mediaTypes = Object.keys(runtime.paths[path]?.[method]?.requestBody?.content ?? {});
      routes.add(method.toUpperCase(), path, {
        security: described.security,
        bodyRule: {
          mediaTypes,
          required: validator.bodyRequired,
          fileParts: validator.fileParts,
          limits: bodyLimitsOf(operationId, limits),
        },
        validator,
        answers: exampleResponses(contract, described),
      });
    }
  }
  return routes;
}

async function answer(routes: Routes<MockOperation>, request: IncomingMessage): Promise<ExampleResponse> {
  if (request.method === 'OPTIONS')
    return {
      status: 204,
      mediaType: null,
      name: null,
      body: undefined,
      headers: {},
    };
  // Split by hand, because the URL class throws for some targets that HTTP allows.
  const [path = '', ...search] = (request.url ?? '/').split('?');
  const match = routes.find(path);
  if (match === null) throw new Problem('not_found');
  const operation = match.methods.get(request.method ?? 'GET');
  if (operation === undefined)
    throw new Problem('method_not_allowed').with({ Allow: [...match.methods.keys()].join(', ') });
  const { security, bodyRule, validator, answers } = operation;
  if (
    security.length > 0 &&
    request.headers.authorization === undefined &&
    request.headers['x-api-key'] === undefined
  ) {
    throw new Problem('authentication_required').with(challengeOf({ security }));
  }
  const preference = readPreference(request.headers['prefer']?.toString());
  const wanted = choose(answers, preference);
  if (wanted === null)
    throw new Problem('not_acceptable', { detail: 'The contract shows no such answer of this operation.' });
  // A client that prefers a refusal by `Prefer` need not send an invalid request.
  if (wanted.status < 400) {
    const input = readParameters(validator, request.headers, search.join('?'), match.values);
    validateInput(validator, input, await receiveBody({ request, permit: null, awaitBody: () => undefined }, bodyRule));
  }
  return wanted;
}

function problemAnswer(problem: Problem): Omit<ExampleResponse, 'headers'> {
  return {
    status: problem.status,
    mediaType: PROBLEM_TYPE,
    name: null,
    body: problemDocument(problem, uuidv7()),
  };
}

function send(response: ServerResponse, { status, mediaType, body, headers }: ExampleResponse): void {
  response.writeHead(status, {
    ...CORS,
    'Cache-Control': 'no-store',
    ...headers,
    ...(mediaType !== null && { 'Content-Type': mediaType }),
  });
  // A file has no example, so an empty file is sent.
  response.end(mediaType !== null && isJson(mediaType) ? JSON.stringify(body) : undefined);
}

/** Response that the caller asks for. */
interface Preference {
  readonly status: number | null;
  readonly example: string | null;
}

/**
 * `Prefer: code=422, example=validationFailed` (the form of RFC 7240; the two preferences are those that
 * other mock servers know).
 */
function readPreference(field: string | undefined): Preference {
  const given = new Map(
    (field ?? '').split(',').map((part) => {
      const [name = '', value = ''] = part.trim().split('=', 2);
      return [name.toLowerCase(), value.replace(/^"(.*)"$/, '$1')] as const;
    }),
  );
  const status = Number(given.get('code'));
  return { status: Number.isInteger(status) && status > 0 ? status : null, example: given.get('example') ?? null };
}

/** A response that the contract has an example for. */
interface ExampleResponse {
  readonly status: number;
  /** Null if the status has no body. */
  readonly mediaType: string | null;
  /** Name of the example; null if the contract has no example, as for files. */
  readonly name: string | null;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Returns all responses that the contract has examples for, in the order of the contract: successes come first, because
 * their statuses are lower.
 */
function exampleResponses(contract: Contract, operation: Operation): readonly ExampleResponse[] {
  return Object.entries(operation.responses).flatMap(([code, node]): ExampleResponse[] => {
    const response = resolve<Response>(contract, node);
    const status = Number(code);
    const headers = headersOf(contract, response);
    const contents = Object.entries(response.content ?? {});
    if (contents.length === 0)
      return [
        {
          status,
          mediaType: null,
          name: null,
          body: undefined,
          headers,
        },
      ];
    return contents.flatMap(([mediaType, content]) =>
      examplesOf(contract, content).map(([name, body]) => ({
        status,
        mediaType,
        name,
        body,
        headers,
      })),
    );
  });
}

/** Returns the response that fits the preference; null if the contract has none. */
function choose(answers: readonly ExampleResponse[], { status, example }: Preference): ExampleResponse | null {
  const fits = (answer: ExampleResponse) =>
    (status === null || answer.status === status) && (example === null || answer.name === example);
  return answers.find(fits) ?? null;
}

function examplesOf(contract: Contract, { example, examples }: MediaType): (readonly [string | null, unknown])[] {
  const named = Object.entries(examples ?? {}).map(
    ([name, node]) => [name, resolve<Example>(contract, node).value] as const,
  );
  return named.length > 0 ? named : [[null, example]];
}

function headersOf(contract: Contract, { headers = {} }: Response): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, node]) => {
      const { example } = resolve<Header>(contract, node);
      return example === undefined ? [] : [[name, String(example)]];
    }),
  );
}
