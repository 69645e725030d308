import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { uuidv7 } from '../../server/database/uuid.ts';
import { limitsOf } from '../../server/http/body-limits.ts';
import { challengeOf } from '../../server/http/challenge.ts';
import { isJson } from '../../server/http/outcome.ts';
import { Problem } from '../../server/http/problem.ts';
import { PROBLEM_TYPE, problemDocument } from '../../server/http/problem-document.ts';
import { readParameters, validateInput } from '../../server/http/read-input.ts';
import { receive, type BodyRule } from '../../server/http/received.ts';
import { Routes } from '../../server/http/routes.ts';
import type { RuntimeContract } from '../../server/http/slim-contract.ts';
import { Validators, type OperationValidator } from '../../server/http/validate.ts';
import { bodyLimits } from '../generate/body-limits.ts';
import { buildModel } from '../generate/build-model.ts';
import { METHODS, type Contract, type Operation } from '../generate/contract.ts';
import { runtimeContract } from '../generate/runtime-contract.ts';
import { readPreference } from './prefer.ts';
import { choose, shownAnswers, type Shown } from './shown.ts';

interface Stand {
  readonly security: Operation['security'];
  readonly bodyRule: BodyRule;
  readonly validator: OperationValidator;
  readonly answers: readonly Shown[];
}

const CORS = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*', 'Access-Control-Allow-Methods': '*', 'Access-Control-Expose-Headers': '*' };

/**
 * Serves a contract by its examples: requests are judged as the service judges them, credentials only by their presence, and
 * nothing is kept. For front ends that are built before the service can answer them.
 */
export function mock(contract: Contract): RequestListener {
  const routes = standsOf(contract);
  return (request, response) => {
    void answer(routes, request).catch((error: unknown) => {
      // A client that went away in the middle, for example: the next one is to be answered.
      const problem = error instanceof Problem ? error : new Problem('internal_error', { detail: String(error) });
      return { ...problemAnswer(problem), headers: problem.headers };
    }).then((shown) => { send(response, shown); });
  };
}

function standsOf(contract: Contract): Routes<Stand> {
  const runtime = JSON.parse(runtimeContract(contract)) as RuntimeContract;
  const validators = new Validators(runtime);
  const limits = bodyLimits(buildModel(contract));
  const routes = new Routes<Stand>();
  for (const [path, item] of Object.entries(contract.paths)) {
    for (const method of METHODS) {
      const described = item[method];
      if (described === undefined) continue;
      const { operationId } = described;
      const validator = validators.compile({ operationId, method, path });
      const mediaTypes = Object.keys(runtime.paths[path]?.[method]?.requestBody?.content ?? {});
      routes.add(method.toUpperCase(), path, {
        security: described.security,
        bodyRule: { mediaTypes, required: validator.bodyRequired, fileField: validator.fileField, limits: limitsOf(operationId, limits) },
        validator,
        answers: shownAnswers(contract, described),
      });
    }
  }
  return routes;
}

async function answer(routes: Routes<Stand>, request: IncomingMessage): Promise<Shown> {
  if (request.method === 'OPTIONS') return { status: 204, mediaType: null, name: null, body: undefined, headers: {} };
  // Not by the URL class, which throws for targets that HTTP lets through.
  const [path = '', ...search] = (request.url ?? '/').split('?');
  const match = routes.find(path);
  if (match === null) throw new Problem('not_found');
  const stand = match.methods.get(request.method ?? 'GET');
  if (stand === undefined) throw new Problem('method_not_allowed').with({ Allow: [...match.methods.keys()].join(', ') });
  const { security, bodyRule, validator, answers } = stand;
  if (security.length > 0 && request.headers.authorization === undefined && request.headers['x-api-key'] === undefined) {
    throw new Problem('authentication_required').with(challengeOf({ security }));
  }
  const preference = readPreference(request.headers['prefer']?.toString());
  const wanted = choose(answers, preference);
  if (wanted === null) throw new Problem('not_acceptable', { detail: 'The contract shows no such answer of this operation.' });
  // Whoever asks for a refusal need not provoke it.
  if (wanted.status < 400) {
    const input = readParameters(validator, request.headers, search.join('?'), match.values);
    validateInput(validator, input, await receive({ request, place: null, awaitBody: () => undefined }, bodyRule));
  }
  return wanted;
}

function problemAnswer(problem: Problem): Omit<Shown, 'headers'> {
  return { status: problem.status, mediaType: PROBLEM_TYPE, name: null, body: problemDocument(problem, uuidv7()) };
}

function send(response: ServerResponse, { status, mediaType, body, headers }: Shown): void {
  response.writeHead(status, { ...CORS, 'Cache-Control': 'no-store', ...headers, ...(mediaType !== null && { 'Content-Type': mediaType }) });
  // A file has no example; an empty one is a file, too.
  response.end(mediaType !== null && isJson(mediaType) ? JSON.stringify(body) : undefined);
}
