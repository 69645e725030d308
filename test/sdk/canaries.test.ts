/** Test that personal values go through every kind of client without getting into a log or an error. */
import { afterAll, expect, it } from 'vitest';
import { projectContract } from '../../scripts/contract/project.ts';
import type { OperationModel } from '../../scripts/generate/model.ts';
import { Semaphore } from '../../server/base/semaphore.ts';
import { randomOf } from '../support/random.ts';
import { startTestService } from '../support/service.ts';
import { Canaries } from './support/canaries.ts';
import { figure, SEED } from './support/figures.ts';
import { stepOf } from './support/journey.ts';
import type { Outcome, Sdk } from './support/sdk.ts';
import { everySdk, model } from './support/sdks.ts';

const written: string[] = [];
const service = await startTestService({
  sabotaged: true,
  directory: true,
  env: { LOG_LEVEL: 'trace' },
  log: (line) => void written.push(line),
});
afterAll(() => service.stop());
const sdks = everySdk();
const canaries = new Canaries(projectContract(), randomOf(SEED));
const failures: string[] = [];
/**
 * Runs calls about watch lists one client at a time, because lists belong to no tenant and are imported one at a time.
 */
const ofLists = new Semaphore(1);

/**
 * Calls an operation so that it succeeds, then so that it is refused: with bodies that nothing accepts, and again after
 * nothing is left.
 */
async function journey(
  sdk: Sdk,
  operation: OperationModel,
  tenant: Awaited<ReturnType<typeof service.tenant>>,
): Promise<Outcome> {
  const { credential, input } = await stepOf(service, tenant, operation, canaries);
  const client = await sdk.open({
    baseUrl: service.url,
    maxRetries: 0,
    debug: true,
    ...credential,
  });
  const outcome = await client.call(operation, input);
  const [success] = operation.successes;
  if (outcome.ok && success?.schemaName)
    canaries.collect({ $ref: `#/components/schemas/${success.schemaName}` }, outcome.value);
  const tooLong =
    input.body &&
    Object.fromEntries(
      Object.entries(input.body).map(([name, value]) => [
        name,
        typeof value === 'string' ? `${value}!\u0001${value.repeat(200)}` : value,
      ]),
    );
  const withoutForm =
    input.body &&
    Object.fromEntries(
      Object.entries(input.body).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    );
  const refused = [
    await client.call(operation, input),
    ...(tooLong
      ? [
          await client.call(operation, { ...input, body: tooLong }),
          await client.call(operation, { ...input, body: withoutForm! }),
        ]
      : []),
    ...(input.path!.length > 0
      ? [
          await client.call(operation, {
            ...input,
            path: input.path!.map(() => '0197f2c8-5b1e-7d3a-a4c2-7e9b0d1f6a99'),
          }),
        ]
      : []),
  ];
  for (const one of [outcome, ...refused]) if (!one.ok) failures.push(`${operation.operationId}: ${one.error.shown}`);
  await client.close();
  return outcome;
}

it('every operation carries canaries through every kind of client', async () => {
  const refusals = await Promise.all(
    sdks.map(async (sdk) => {
      const tenant = await service.tenant();
      const refused: string[] = [];
      for (const operation of model.operations) {
        const outcome = await (operation.path.startsWith('/v1/admin/screening-lists')
          ? ofLists.run(() => journey(sdk, operation, tenant))
          : journey(sdk, operation, tenant));
        if (!outcome.ok) refused.push(`${sdk.name} ${operation.operationId}: ${outcome.error.message}`);
      }
      return refused;
    }),
  );
  expect(refusals.flat().join('\n')).toBe('');
  expect(failures.length).toBeGreaterThan(model.operations.length);
});

it('no canary is in the SDKs’ logs, the service’s log, the text of errors, or the metrics', async () => {
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  const places = {
    ...Object.fromEntries(sdks.map(({ name, logs }) => [`log of ${name}`, logs.join('\n')])),
    'log of the service': written.join(''),
    'errors': failures.join('\n'),
    'metrics': metrics,
  };
  for (const [place, text] of Object.entries(places)) expect(text.length, place).toBeGreaterThan(1_000);
  expect(
    Object.entries(places).flatMap(([place, text]) => canaries.in(text).map((found) => `${place}: ${found}`)),
  ).toEqual([]);
  const sizes = Object.entries(places).map(([place, text]) => `${place} ${Math.round(text.length / 1_000)} kB`);
  figure(
    `canary scan: 0 of ${canaries.values.size} personal values and secrets found in ${sizes.join(', ')} (seed ${SEED})`,
  );
});

it('a canary that is planted is found', () => {
  const [first] = canaries.values;
  expect(canaries.in(`${written.join('')}{"msg":"hello ${first!}"}`)).toHaveLength(1);
});
