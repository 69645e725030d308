/** What validating a request and its answer costs in process, as the service does it and as the manual of the middleware says. */
import { readFileSync } from 'node:fs';
import { join, resolve as resolvePath } from 'node:path';
import * as OpenApiValidator from 'express-openapi-validator';
import { operations } from '../../server/contract/generated/operations.ts';
import type { Operation } from '../../server/contract/operation.ts';
import { VALIDATOR_OPTIONS } from '../../server/request/validator-adapter.ts';
import { Routes } from '../../server/request/routes.ts';
import type { RuntimeContract, RuntimeOperation } from '../../server/contract/pruned-contract.ts';
import { Validators, type OperationValidator } from '../../server/request/validate.ts';
import { resolve, type Example, type MediaType, type RequestBody, type Response } from '../contract/contract.ts';
import { readContract } from '../contract/read.ts';
import { alternate, atMost, median, plain, round, type Section } from './figures.ts';
import type { Laboratory } from './laboratory.ts';
import type { Extent } from './main.ts';
import { runOnce, serve } from './program.ts';

export const ROOT = resolvePath(import.meta.dirname, '../..');
export const RUNTIME_CONTRACT = join(ROOT, 'server/contract/generated/contract.runtime.json');
const SIZES = [15, 60, 150];

export interface GrownContract {
  readonly contract: RuntimeContract;
  readonly operations: readonly Operation[];
}

type Contents = Pick<RuntimeContract, 'paths'> & RuntimeContract['components'];

const SCHEMA_REF = '#/components/schemas/';

/** Operations that a cut contract keeps, because they are measured. */
const MEASURED: readonly string[] = ['getApplication', 'createApplication'];

/**
 * The contract as if it had `count` operations: cut down, or with copies of itself under other paths and with schemas
 * of their own. The measured operations stand in the middle, where looking routes up one by one costs the average.
 */
export function growContract(contract: RuntimeContract, count: number): GrownContract {
  const own = Object.values(operations) as readonly Operation[];
  const copies = Array.from({ length: Math.ceil(count / own.length) - 1 }, (_, index) => `copy${index + 1}`);
  const copied = copies.flatMap((name) => own.map((operation) => (
    { ...operation, operationId: `${operation.operationId}_${name}` as Operation['operationId'], path: `/${name}${operation.path}` })));
  const [measured = [], others = []] = [true, false].map((wanted) => [...own, ...copied].filter(({ operationId }) => MEASURED.includes(operationId) === wanted));
  const rest = others.slice(0, count - measured.length);
  const kept = rest.toSpliced(rest.length >> 1, 0, ...measured);
  const versions = [{ paths: contract.paths, schemas: contract.components.schemas }, ...copies.map((name) => copyOf(contract, name))];
  const all: Contents = { paths: Object.assign({}, ...versions.map(({ paths }) => paths)), schemas: Object.assign({}, ...versions.map(({ schemas }) => schemas)) };
  const paths: Record<string, Record<string, RuntimeOperation>> = {};
  for (const { path, method } of kept) (paths[path] ??= {})[method] = all.paths[path]?.[method] as RuntimeOperation;
  return { operations: kept, contract: { ...contract, paths, components: { schemas: all.schemas } } };
}

function copyOf({ paths, components }: RuntimeContract, name: string): Contents {
  const text = JSON.stringify({ paths, schemas: components.schemas }).replaceAll(SCHEMA_REF, `${SCHEMA_REF}${name}.`);
  const copy = JSON.parse(text) as Contents;
  const renamed = <T>(record: Readonly<Record<string, T>>, prefix: string): Record<string, T> => Object.fromEntries(Object.entries(record).map(([key, value]) => [prefix + key, value]));
  return { paths: renamed(copy.paths, `/${name}`), schemas: renamed(copy.schemas, `${name}.`) };
}

/** One exchange as a validator sees it: everything that it may change is made anew for every call. */
interface Sample {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: unknown;
  readonly status: number;
  readonly answer: unknown;
}

/** Finds the operation of the sample and checks both directions; throws what it finds wrong. */
type Candidate = (sample: Sample) => void | Promise<void>;

/** A request and an answer of realistic size: the examples of the contract. */
export function examples(): { readonly create: Record<string, unknown>; readonly application: Record<string, unknown> } {
  const contract = readContract(join(ROOT, 'openapi.yaml'));
  const firstOf = (media: MediaType | undefined): Record<string, unknown> => {
    const [example] = Object.values(media?.examples ?? {});
    if (example === undefined) throw new Error('the contract has no example to measure with');
    return resolve<Example>(contract, example).value as Record<string, unknown>;
  };
  const create = contract.paths['/v1/applications']?.post?.requestBody;
  const read = contract.paths['/v1/applications/{applicationId}']?.get?.responses['200'];
  if (create === undefined || read === undefined) throw new Error('the contract lacks createApplication or getApplication');
  return { create: firstOf(resolve<RequestBody>(contract, create).content['application/json']), application: firstOf(resolve<Response>(contract, read).content?.['application/json']) };
}

/** The service's own validation as its pipeline uses it: look the route up, read the query, check, answer, check. */
function ours({ contract, operations }: GrownContract): Candidate {
  const routes = new Routes<OperationValidator>();
  const validators = new Validators(contract);
  for (const operation of operations) routes.add(operation.method.toUpperCase(), operation.path, validators.compile(operation));
  return ({ method, path, headers, body, status, answer }) => {
    const match = routes.find(path);
    const validator = match?.methods.get(method);
    if (match === null || validator === undefined) throw new Error(`no operation at ${method} ${path}`);
    const params: Record<string, unknown> = {};
    validator.pathParameters.forEach((name, index) => (params[name] = match.values[index]));
    const declared: Record<string, unknown> = {};
    for (const name of validator.headerParameters) if (headers[name] !== undefined) declared[name] = headers[name];
    validator.request({ params, query: validator.query.read(''), headers: declared, body }, method === 'POST' ? 'application/json' : null);
    const violations = validator.response(status, 'application/json', answer);
    if (violations !== null) throw new Error(`the answer breaks the contract: ${JSON.stringify(violations)}`);
  };
}

type Middleware = (request: object, response: object, next: (error?: unknown) => void) => unknown;

/** The middleware chain of express-openapi-validator as its manual says, with the options of the service; of Express, only what the chain reads. */
function stock({ contract }: GrownContract): Candidate {
  const options = { ...VALIDATOR_OPTIONS, apiSpec: contract, validateSecurity: false, fileUploader: false };
  const chain = OpenApiValidator.middleware(options as unknown as Parameters<typeof OpenApiValidator.middleware>[0]) as unknown as Middleware[];
  const app = { enabled: () => false, param: () => undefined };
  return ({ method, path, headers, body, status, answer }) => new Promise((done, refuse) => {
    const request = { app, method, path, url: path, originalUrl: path, baseUrl: '', headers: { ...headers }, query: {}, params: {}, body };
    const response = { statusCode: status, headersSent: false, getHeaders: () => ({ 'content-type': 'application/json' }), json: (_: unknown): object => response };
    const step = (index: number): void => {
      const middleware = chain[index];
      if (middleware !== undefined) return void middleware(request, response, (error) => (error === undefined ? step(index + 1) : refuse(error as Error)));
      response.json(answer);
      done();
    };
    step(0);
  });
}

/**
 * CPU time of this thread per call, in microseconds: on a shared machine the clock on the wall also counts what others do.
 * The samples are made beforehand, because a validator may fill defaults into what it is given.
 */
async function microsecondsPerCall(candidate: Candidate, sample: () => Sample, calls: number): Promise<number> {
  const samples = Array.from({ length: calls }, sample);
  const begun = process.threadCpuUsage();
  for (const one of samples) {
    const pending = candidate(one);
    if (pending !== undefined) await pending;
  }
  const { user, system } = process.threadCpuUsage(begun);
  return (user + system) / calls;
}

/** Microseconds of CPU per exchange by `<ours|stock> <GET|POST> <operations>`. */
async function measure({ rounds, calls, stockCalls }: Extent['validation']): Promise<Record<string, number>> {
  const contract = JSON.parse(readFileSync(RUNTIME_CONTRACT, 'utf8')) as RuntimeContract;
  const { create, application } = examples();
  const body = JSON.stringify(create);
  const samples: Record<'GET' | 'POST', () => Sample> = {
    GET: () => ({ method: 'GET', path: `/v1/applications/${String(application['id'])}`, headers: { accept: '*/*' }, body: undefined, status: 200, answer: application }),
    POST: () => ({
      method: 'POST', path: '/v1/applications', body: JSON.parse(body) as unknown, status: 201, answer: application,
      headers: { 'accept': '*/*', 'content-type': 'application/json', 'content-length': String(body.length), 'idempotency-key': '6f1d2c1e-4a55-4a39-9f3b-2d8b0a7c9e10' },
    }),
  };
  const contenders: Record<string, () => Promise<number>> = {};
  for (const size of SIZES) {
    const grown = growContract(contract, size);
    const candidates: Record<string, readonly [Candidate, number]> = { ours: [ours(grown), calls], stock: [stock(structuredClone(grown)), stockCalls] };
    for (const [name, [candidate, times]] of Object.entries(candidates)) {
      for (const [method, sample] of Object.entries(samples)) contenders[`${name} ${method} ${size}`] = () => microsecondsPerCall(candidate, sample, times);
    }
  }
  contenders['JSON.stringify'] = () => microsecondsPerCall(() => void JSON.stringify(application), samples.GET, calls);
  // The first rounds compile: the stock validator its schemas, the engine everything.
  await alternate(2, contenders);
  const results = await alternate(rounds, contenders);
  return Object.fromEntries(Object.entries(results).map(([name, values]) => [name, median(values)]));
}

export async function measureValidation({ extent, say }: Laboratory): Promise<Section[]> {
  say('validation in process …');
  const figures = await runOnce<Extent['validation'], Record<string, number>>(import.meta.filename, extent.validation);
  const of = (who: string, method: string, size: number): number => figures[`${who} ${method} ${size}`] ?? Number.NaN;
  const [smallest = 0, , largest = 0] = SIZES;
  const each = (who: string, method: string): string => `${SIZES.map((size) => round(of(who, method, size))).join(' / ')} µs`;
  return [{
    title: 'Validation in process, request and answer, CPU per exchange', raw: figures,
    rows: [
      ...['GET', 'POST'].flatMap((method) => [
        plain(`${method}, stock middleware, ${SIZES.join(' / ')} operations`, each('stock', method)),
        plain(`${method}, service, ${SIZES.join(' / ')} operations`, each('ours', method)),
        atMost(`${method}, service, ${largest} operations`, of('ours', method, largest), method === 'GET' ? 5 : 10, 'µs'),
        atMost(`${method}, service, ${largest} / ${smallest} operations`, of('ours', method, largest) / of('ours', method, smallest), 1.15, ''),
      ]),
      plain('JSON.stringify of the same answer, for scale', `${round(figures['JSON.stringify'] ?? Number.NaN)} µs`),
    ],
  }];
}

if (import.meta.main) serve(measure);
