/** Test of deadlines and of the load of an outage, for each SDK. */
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { figure } from './support/figures.ts';
import { json, SLOW, startRecorder } from './support/recorder.ts';
import { everySdk, operation } from './support/sdks.ts';

const sdks = everySdk();
const recorder = await startRecorder();
const input = { path: ['0197f2c8-5b1e-7d3a-a4c2-7e9b0d1f6a21'] };
const get = operation('getApplication');

describe.each(sdks)('the deadline of $name', (sdk) => {
  it.each(Object.keys(SLOW))('ends a call that meets %s, and nothing is sent after it', async (how) => {
    const client = await sdk.open({
      baseUrl: recorder.url,
      apiKey: 'kyc_test_Abcdefgh_secret',
      timeout: 10_000,
      maxRetries: 1_000,
      retryBudget: 1e9,
    });
    // The first call of a client loads code, which may take longer than the deadline.
    recorder.answers(json(200, {}));
    await client.call(get, input);
    recorder.answers(SLOW[how]!);
    const outcome = await client.call(get, input, { deadline: 300 });
    const sent = recorder.arrived.length;
    expect(outcome).toMatchObject({ ok: false });
    // Another call on the same client arrives after everything that the first one might still have sent.
    recorder.answers(json(200, {}));
    await client.call(get, input);
    expect(recorder.arrived).toHaveLength(1);
    expect(sent).toBeGreaterThan(0);
    await client.close();
  });
});

const OUTAGES: Readonly<Record<string, (response: ServerResponse) => void>> = {
  refusals: (response) => {
    response.writeHead(503, { 'retry-after': '0' }).end();
  },
  'broken connections': (response) => {
    response.destroy();
  },
};

describe.each(sdks)('a full outage for $name', (sdk) => {
  it.each(Object.keys(OUTAGES))('of %s costs the service a tenth more than the usual load at most', async (how) => {
    recorder.answers(OUTAGES[how]!);
    const client = await sdk.open({ baseUrl: recorder.url, apiKey: 'kyc_test_Abcdefgh_secret' });
    const calls = 200;
    const outcomes = await client.many(get, input, calls);
    expect(outcomes.filter(({ ok }) => ok)).toEqual([]);
    figure(
      `full outage of ${how}: ${sdk.name}, ${calls} calls: ${recorder.arrived.length} requests ` +
        `(${((recorder.arrived.length / calls) * 100).toFixed(1)} %)`,
    );
    expect(recorder.arrived.length).toBeLessThanOrEqual(calls * 1.1);
    await client.close();
  });
});
