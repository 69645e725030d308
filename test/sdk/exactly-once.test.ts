/** Test of all SDKs with connections that are cut: a call takes effect once. */
import { afterAll, describe, expect, it } from 'vitest';
import { each } from '../support/each.ts';
import { randomOf } from '../support/random.ts';
import { startTestService } from '../support/service.ts';
import { FAULTS, RUN, startFaultProxy, type Fault } from './support/fault-proxy.ts';
import { figure, SEED, SOAK } from './support/figures.ts';
import { grown, rowsOf } from './support/row-counts.ts';
import type { CallInput, Outcome, Sdk } from './support/sdk.ts';
import { everySdk, operation } from './support/sdks.ts';
import { UNSAFE, type Unsafe } from './support/unsafe.ts';

const RUNS = SOAK ? Number(process.env['RUNS'] ?? 1_000) : 8;
const AT_ONCE = 20;
/**
 * A tenant may have a hundred keys, and a caller may invite fifty people a day, including the two of undisturbed calls.
 */
const RUNS_OF_A_TENANT = 40;
/** Maximum number of successive faults, so that a call that may be repeated always succeeds in the end. */
const MOST_FAULTS = 3;

/** Timeout of a call that is not answered. */
const SILENCE = SOAK ? 10_000 : 3_000;

const service = await startTestService({ sabotaged: true, directory: true });
afterAll(() => service.stop());
const proxy = await startFaultProxy(service.url);
const sdks = everySdk();

interface Campaign {
  readonly succeeded: number;
  readonly failures: readonly string[];
  /** Rows beyond those that the same number of undisturbed calls leaves, by table. */
  readonly surplus: ReadonlyMap<string, number>;
}

async function campaign(sdk: Sdk, unsafe: Unsafe): Promise<Campaign> {
  const sum = { failures: new Set<string>(), succeeded: 0, surplus: new Map<string, number>() };
  for (let start = 0; start < RUNS; start += RUNS_OF_A_TENANT) {
    const { failures, succeeded, surplus } = await batch(
      sdk,
      unsafe,
      Math.min(RUNS_OF_A_TENANT, RUNS - start),
      SEED + start,
    );
    sum.succeeded += succeeded;
    for (const failure of failures) sum.failures.add(failure);
    for (const [table, rows] of surplus) sum.surplus.set(table, (sum.surplus.get(table) ?? 0) + rows);
  }
  return { ...sum, failures: [...sum.failures] };
}

async function batch(
  sdk: Sdk,
  { operationId, unrepeated, input }: Unsafe,
  runs: number,
  seed: number,
): Promise<Campaign> {
  const tenant = await service.tenant();
  await service.database.sql('UPDATE tenant SET sandbox_enabled = $2 WHERE id = $1', [
    tenant.id,
    operationId === 'startRecoveryScenario',
  ]);
  const random = randomOf(seed);
  const client = await sdk.open({
    baseUrl: proxy.url,
    apiKey: (await tenant.key(['read', 'write', 'admin']))['X-API-Key']!,
    maxRetries: 8,
    retryBudget: 1e9,
  });
  let started = 0;
  const call = (one: CallInput, faults: readonly Fault[]): Promise<Outcome> => {
    const run = `${sdk.name}-${operationId}-${started++}`;
    proxy.plan(run, faults);
    // Only a call that is not answered may reach its timeout, however busy the machine is.
    return client.call(operation(operationId), one, {
      extraHeaders: { [RUN]: run },
      deadline: 600_000,
      timeout: faults.includes('silence') ? SILENCE : 60_000,
    });
  };
  const undisturbed = async (): Promise<ReadonlyMap<string, number>> => {
    const one = await input(service, tenant);
    const before = await rowsOf(service.database, tenant.id);
    const outcome = await call(one, []);
    if (!outcome.ok) throw new Error(`${operationId} undisturbed: ${outcome.error.message}`);
    return grown(before, await rowsOf(service.database, tenant.id));
  };
  await undisturbed(); // The first call of a tenant may leave rows that no later one does.
  const usual = await undisturbed();
  const waiting: { readonly one: CallInput; readonly faults: readonly Fault[] }[] = [];
  for (let run = 0; run < runs; run++) {
    const faults = Array.from(
      { length: (unrepeated ? 0 : 1) + Math.floor(random() * MOST_FAULTS) },
      () => FAULTS[Math.floor(random() * FAULTS.length)]!,
    );
    waiting.push({ one: await input(service, tenant), faults });
  }
  const before = await rowsOf(service.database, tenant.id);
  const outcomes: Outcome[] = [];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
        outcomes.push(await call(next.one, next.faults));
    }),
  );
  const left = grown(before, await rowsOf(service.database, tenant.id));
  await client.close();
  const names = new Set([...usual.keys(), ...left.keys()]);
  const surplus = [...names]
    .map((name) => [name, (left.get(name) ?? 0) - runs * (usual.get(name) ?? 0)] as const)
    .filter(([, rows]) => rows !== 0);
  const failures = outcomes.flatMap((outcome) =>
    outcome.ok ? [] : [`${outcome.error.name} ${outcome.error.code ?? ''}`.trim()],
  );
  return { succeeded: runs - failures.length, failures: [...new Set(failures)], surplus: new Map(surplus) };
}

describe.concurrent(`a call whose connection is cut before and after it takes effect (seed ${SEED})`, () => {
  for (const unsafe of UNSAFE) {
    it(`takes effect once: ${unsafe.kind}, ${unsafe.operationId}`, async ({ expect }) => {
      const campaigns = await Promise.all(sdks.map(async (sdk) => ({ sdk, ...(await campaign(sdk, unsafe)) })));
      const results = campaigns.map(({ sdk, succeeded }) => `${sdk.name} ${succeeded} succeeded`);
      for (const { sdk, succeeded, failures, surplus } of each(campaigns)) {
        const rows = `${sdk.name}: ${JSON.stringify([...surplus])}, failures ${failures.join(', ')}`;
        if (unsafe.unrepeated) {
          expect(Math.max(0, ...surplus.values()), rows).toBe(0);
          expect(-Math.min(0, ...surplus.values()), rows).toBeLessThanOrEqual((RUNS - succeeded) * 2);
        } else {
          expect(failures, rows).toEqual([]);
          expect([...surplus], rows).toEqual([]);
        }
      }
      figure(
        `exactly once: ${unsafe.kind} (${unsafe.operationId}), ${RUNS} runs each: 0 double rows; ` +
          `${results.join(', ')} (seed ${SEED})`,
      );
    });
  }
});

it('every fault was played', () => {
  figure(`exactly once: faults played: ${[...proxy.played].map(([fault, times]) => `${fault} ${times}`).join(', ')}`);
  expect(new Set(proxy.played.keys())).toEqual(new Set(FAULTS));
});
