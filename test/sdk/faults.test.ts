/** Test of all SDKs with a table of faults, which must end alike. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { projectContract } from '../../scripts/contract/project.ts';
import { mock } from '../../scripts/mock/mock.ts';
import { SCENARIOS } from './faults.ts';
import { OPERATIONS, type Scenario } from './scenario.ts';
import { examplesOf } from './support/examples.ts';
import { startFaultProxy } from './support/fault-proxy.ts';
import { figure } from './support/figures.ts';
import type { Failure, Sdk } from './support/sdk.ts';
import { everySdk, operation } from './support/sdks.ts';

const service = createServer(mock(projectContract())).listen(0, '127.0.0.1');
await once(service, 'listening');
afterAll(() => {
  service.closeAllConnections();
  service.close();
});
const proxy = await startFaultProxy(`http://127.0.0.1:${(service.address() as AddressInfo).port}`);
const sdks = everySdk();
const AT_ONCE = 8;

/** Returns an address without a listener. */
async function closedAddress(): Promise<string> {
  const gone = createServer().listen(0, '127.0.0.1');
  await once(gone, 'listening');
  const { port } = gone.address() as AddressInfo;
  gone.close();
  await once(gone, 'close');
  return `http://127.0.0.1:${port}`;
}

/** Python names of the classes, if they differ. */
const ALIASES: Readonly<Record<string, string>> = {
  APIConnectionError: 'ConnectionError',
  APITimeoutError: 'TimeoutError',
  APIStatusError: 'ApiError',
};

const credentials = {
  token: { clientId: 'kyc_live_7Hq2ZtK9', clientSecret: 'kyc_live_7Hq2ZtK9_secret' },
  follow: { accessToken: 'token' },
  usual: { apiKey: 'kyc_live_7Hq2ZtK9_secret' },
};

/** Result of one scenario. */
interface Ending {
  readonly ends: Scenario['ends'];
  readonly attempts: number;
  readonly takes: number | undefined;
  /** Idempotency keys that arrived, each once, and the one in the error. */
  readonly keys: readonly (string | null)[];
  readonly errorKey: string | null;
  /** Result of resuming the error's call, and the keys that arrive then. */
  readonly resumed: readonly [ok: boolean, ...keys: (string | null)[]] | null;
}

async function play(sdk: Sdk, { kind, faults, options, closed, takes }: Scenario, number: number): Promise<Ending> {
  const run = `${sdk.name.replace(' ', '-')}-${number}`;
  proxy.plan(run, faults);
  const client = await sdk.open({
    baseUrl: closed ? await closedAddress() : `${proxy.url}/~${run}`,
    ...(kind === 'token' || kind === 'follow' ? credentials[kind] : credentials.usual),
  });
  const called = operation(OPERATIONS[kind]);
  const input = examplesOf(called)[1]!;
  let failure: Failure | null;
  let taken: number | undefined;
  if (kind === 'list' || kind === 'follow') {
    const most = takes || 1;
    const [items, ended] = await (kind === 'follow'
      ? client.follow(called, most)
      : client.walk(called, input, most, options));
    [failure, taken] = [ended, items.length];
  } else {
    const outcome = await client.call(called, input, options);
    failure = outcome.ok ? null : outcome.error;
  }
  const passed = proxy.passages(run);
  const key = failure?.idempotencyKey ?? null;
  let resumed: Ending['resumed'] = null;
  if (key !== null) {
    proxy.plan(run, []);
    const { ok } = await client.resume(key);
    resumed = [ok, ...proxy.passages(run).map((passage) => passage.key)];
  }
  await client.close();
  return {
    ends: failure && [ALIASES[failure.name] ?? failure.name, failure.outcome as 'unknown'],
    attempts: passed.length,
    takes: taken,
    keys: [...new Set(passed.map(({ key }) => key))],
    errorKey: key,
    resumed,
  };
}

/** Plays all scenarios, a few at the same time, because most of the time passes in pauses. */
async function playAll(sdk: Sdk): Promise<Ending[]> {
  const endings: Ending[] = [];
  const waiting = [...SCENARIOS.entries()];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
        endings[next[0]] = await play(sdk, next[1], next[0]);
    }),
  );
  return endings;
}

const endings = new Map(await Promise.all(sdks.map(async (sdk) => [sdk, await playAll(sdk)] as const)));

describe.each(SCENARIOS.map((scenario, number) => ({ ...scenario, number })))(
  '$kind: $name',
  ({ number, kind, ends, attempts, takes }) => {
    it.each(sdks)('ends as the table says for $name', (sdk) => {
      const { keys, errorKey, resumed, ...ending } = endings.get(sdk)![number]!;
      expect(ending).toEqual({ ends, attempts, takes });
      const keyed = kind === 'keyed' || kind === 'upload';
      expect(keys).toEqual(attempts === 0 ? [] : [keyed ? expect.stringMatching(/^.{16,}$/) : null]);
      if (ends !== null) expect([errorKey, resumed]).toEqual(keyed ? [keys[0], [true, keys[0]]] : [null, null]);
    });
  },
);

it('the table has forty scenarios', () => {
  expect(SCENARIOS).toHaveLength(40);
  for (const [number, { name, kind, attempts }] of SCENARIOS.entries()) {
    const cells = sdks.map((sdk) => {
      const { ends, attempts: made } = endings.get(sdk)![number]!;
      return `${ends?.join(' ') ?? 'succeeds'} ${made}`;
    });
    console.log(
      [
        `${kind}: ${name}`.padEnd(52),
        String(attempts).padStart(2),
        ...(new Set(cells).size === 1
          ? [`all alike: ${cells[0]}`]
          : cells.map((cell, index) => `${sdks[index]!.name}: ${cell}`)),
      ].join('  '),
    );
  }
  figure(`fault scenarios: ${SCENARIOS.length}, each played to ${sdks.map(({ name }) => name).join(', ')}`);
});
