/**
 * Measures the in-process cost of validating a request and its response as the contract grows. Used by main.ts and
 * other measurements.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operations } from '../../server/contract/generated/operations.ts';
import type { Operation, OperationId } from '../../server/contract/operation.ts';
import type { RuntimeContract, RuntimeOperation } from '../../server/contract/pruned-contract.ts';
import { Routes } from '../../server/request/routes.ts';
import { type OperationValidator, Validators } from '../../server/request/validate.ts';
import { exampleBodies } from '../../test/support/contract.ts';
import { readContract } from '../contract/read.ts';
import { alternate, amount, cpuPerCall, median, type Row, type Section } from './figures.ts';
import type { Laboratory } from './laboratory.ts';

export const ROOT = join(import.meta.dirname, '../..');
/** Number of operations that the contract is planned to have. */
export const GROWN_TO = 230;
const SIZES = [15, 60, GROWN_TO];
const METHODS = ['GET', 'POST'] as const;
type Method = (typeof METHODS)[number];

const SCHEMA_REF = '#/components/schemas/';

/**
 * Returns the contract as if it had `count` operations: cut down, or with copies of itself under other paths and with
 * separate schemas. The measured operations are in the middle, where a linear look-up of routes has its average cost.
 */
export function growContract(count: number): {
  readonly contract: RuntimeContract;
  readonly operations: readonly Operation[];
} {
  const text = readFileSync(join(ROOT, 'server/contract/generated/contract.runtime.json'), 'utf8');
  const contract = JSON.parse(text) as RuntimeContract;
  const own = Object.values(operations) as readonly Operation[];
  const schemas = { ...contract.components.schemas };
  const all = own.map((operation) => ({ operation, described: contract.paths[operation.path]?.[operation.method] }));
  for (let number = 1; all.length < count; number++) {
    const name = `copy${number}`;
    const copy = JSON.parse(text.replaceAll(SCHEMA_REF, `${SCHEMA_REF}${name}.`)) as RuntimeContract;
    for (const [schema, described] of Object.entries(copy.components.schemas)) schemas[`${name}.${schema}`] = described;
    for (const operation of own) {
      const { operationId, path, method } = operation;
      all.push({
        operation: { ...operation, operationId: `${operationId}_${name}` as OperationId, path: `/${name}${path}` },
        described: copy.paths[path]?.[method],
      });
    }
  }
  const isMeasured = ({ operation }: (typeof all)[number]): boolean =>
    ['getApplication', 'createApplication'].includes(operation.operationId);
  const measured = all.filter(isMeasured);
  const rest = all.filter((one) => !isMeasured(one)).slice(0, count - measured.length);
  const kept = rest.toSpliced(rest.length >> 1, 0, ...measured);
  const paths: Record<string, Record<string, RuntimeOperation>> = {};
  for (const {
    operation: { path, method },
    described,
  } of kept)
    (paths[path] ??= {})[method] = described as RuntimeOperation;
  return {
    operations: kept.map(({ operation }) => operation),
    contract: { ...contract, paths, components: { schemas } },
  };
}

/** Returns a request and a response of realistic size: the examples of the contract. */
export function examples(): {
  readonly create: Record<string, unknown>;
  readonly application: Record<string, unknown>;
} {
  const [create] = exampleBodies(operations.createApplication);
  const application = readContract(join(ROOT, 'openapi.yaml')).components.examples?.['ApplicationInReview']?.value as
    | Record<string, unknown>
    | undefined;
  if (create === undefined || application === undefined) throw new Error('the contract has no example to measure with');
  return { create: create.value, application };
}

type Exchange = (sample: { readonly headers: Record<string, string>; readonly body: unknown }) => void;

/**
 * Runs the service's validation as its pipeline does: find the route, read the query, check the request, respond, check
 * the response. Throws on any error found.
 */
function exchanges(
  { contract, operations }: ReturnType<typeof growContract>,
  application: Record<string, unknown>,
): Readonly<Record<Method, Exchange>> {
  const routes = new Routes<OperationValidator>();
  const validators = new Validators(contract);
  for (const operation of operations)
    routes.add(operation.method.toUpperCase(), operation.path, validators.compile(operation));
  const exchange =
    (method: Method, path: string, status: number): Exchange =>
    ({ headers, body }) => {
      const match = routes.find(path);
      const validator = match?.methods.get(method);
      if (match === null || validator === undefined) throw new Error(`no operation at ${method} ${path}`);
      const params: Record<string, unknown> = {};
      validator.pathParameters.forEach((name, index) => (params[name] = match.values[index]));
      const declared: Record<string, unknown> = {};
      for (const name of validator.headerParameters) if (headers[name] !== undefined) declared[name] = headers[name];
      validator.request(
        {
          params,
          query: validator.query.read(''),
          headers: declared,
          body,
        },
        method === 'POST' ? 'application/json' : null,
      );
      const violations = validator.response(status, 'application/json', application);
      if (violations !== null) throw new Error(`the answer breaks the contract: ${JSON.stringify(violations)}`);
    };
  return {
    GET: exchange('GET', `/v1/applications/${String(application['id'])}`, 200),
    POST: exchange('POST', '/v1/applications', 201),
  };
}

export async function measureValidation({ extent: { rounds, validations }, say }: Laboratory): Promise<Section[]> {
  say('validation in process …');
  const { create, application } = examples();
  const body = JSON.stringify(create);
  const samples = {
    GET: () => ({ headers: { accept: '*/*' }, body: undefined }),
    POST: () => ({
      headers: {
        'accept': '*/*',
        'content-type': 'application/json',
        'idempotency-key': '6f1d2c1e-4a55-4a39-9f3b-2d8b0a7c9e10',
      },
      body: JSON.parse(body) as unknown,
    }),
  };
  const contenders = Object.fromEntries(
    SIZES.flatMap((size) => {
      const own = exchanges(growContract(size), application);
      return METHODS.map(
        (method) => [`${method} ${size}`, () => cpuPerCall(validations, samples[method], own[method])] as const,
      );
    }),
  );
  // The engine compiles during the first rounds.
  await alternate(2, contenders);
  const raw = await alternate(rounds, contenders);
  const [smallest = 0, , largest = 0] = SIZES;
  return [
    {
      title: 'Validation in process, request and answer, CPU per exchange',
      raw,
      rows: METHODS.flatMap((method): Row[] => {
        const of = (size: number): number => median(raw[`${method} ${size}`] ?? []);
        return [
          ...SIZES.slice(0, -1).map((size): Row => [`${method}, ${size} operations`, amount(of(size), 'µs')]),
          [`${method}, ${largest} operations`, amount(of(largest), 'µs'), method === 'GET' ? '≤ 5 µs' : '≤ 10 µs'],
          [`${method}, ${largest} / ${smallest} operations`, amount(of(largest) / of(smallest), ''), '≤ 1.15'],
        ];
      }),
    },
  ];
}
