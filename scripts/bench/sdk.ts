/**
 * Compares the cost of a call with an SDK and with the bare HTTP library on loopback, and measures how late a deadline
 * ends a call. Used by main.ts.
 */
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ComplianceOnboarding } from '../../sdks/typescript/src/index.ts';
import { SLOW } from '../../test/sdk/support/recorder.ts';
import type { Extent } from './extent.ts';
import { alternate, amount, median, round, type Row, type Section } from './figures.ts';
import type { Laboratory } from './laboratory.ts';
import { serve, startProgram } from './program.ts';
import { examples, ROOT } from './validation.ts';

const KEY = 'kyc_test_Abcdefgh_secret';
const ID = '0197f2c8-5b1e-7d3a-a4c2-7e9b0d1f6a21';

/**
 * Parameters of a measurement: the number of calls in each round, and deadlines for each kind of slowness, whose number
 * is the first segment of an address.
 */
type Order = Extent['sdk'] &
  Readonly<Record<'url' | 'key' | 'id', string>> & { readonly rounds: number; readonly slow: readonly string[] };

/**
 * Microseconds per call, by round, and milliseconds by which calls ended later than a bare timer with the same
 * deadline.
 */
interface Figures {
  readonly cost: Readonly<Record<'raw' | 'sdk', readonly number[]>>;
  readonly late: Readonly<Record<string, readonly number[]>>;
}

/** Measures the TypeScript SDK as python_client.py measures the Python SDK. */
async function measureTypeScript({
  url,
  key: apiKey,
  id,
  rounds,
  calls,
  deadlines,
  slow: ways,
}: Order): Promise<Figures> {
  const client = new ComplianceOnboarding({ baseUrl: url, apiKey });
  const timed = (work: () => PromiseLike<unknown>) => async (): Promise<number> => {
    const begun = performance.now();
    for (let call = 0; call < calls; call++) await work();
    return ((performance.now() - begun) / calls) * 1_000;
  };
  const contenders = {
    raw: timed(async () => (await fetch(`${url}/v1/applications/${id}`, { headers: { 'X-API-Key': apiKey } })).json()),
    sdk: timed(() => client.applications.get(id)),
  };
  await alternate(1, contenders);
  const cost = await alternate(rounds, contenders);
  const late: Record<string, number[]> = {};
  for (const [index, slow] of ways.entries()) {
    const slowly = new ComplianceOnboarding({
      baseUrl: `${url}/${index}`,
      apiKey,
      timeout: 10_000,
      maxRetries: 1_000,
      retryBudget: Infinity,
    });
    late[slow] = [];
    for (let turn = 0; turn < deadlines; turn++) {
      const deadline = 100 + (turn % 5) * 20;
      // On a busy machine every timer is late, so the delay beyond that of a bare timer counts.
      const bare = new Promise<number>((resolve) => {
        setTimeout(() => resolve(performance.now()), deadline);
      });
      const ended = slowly.applications
        .get(id, { deadline })
        .catch(() => undefined)
        .then(() => performance.now());
      late[slow].push((await ended) - (await bare));
    }
  }
  return { cost, late };
}

export async function measureSdks({ extent: { rounds, sdk }, say }: Laboratory): Promise<Section[]> {
  say('SDKs …');
  const body = Buffer.from(JSON.stringify(examples().application));
  await using server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    request.resume();
    const slow = Object.values(SLOW)[Number(request.url?.split('/')[1])];
    if (slow === undefined)
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
    else slow(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const order: Order = {
    ...sdk,
    rounds,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key: KEY,
    id: ID,
    slow: Object.keys(SLOW),
  };
  await using program = startProgram<Order, Figures>(import.meta.filename);
  const typescript = await program.run(order);
  const env = { ...process.env, PYTHONPATH: join(ROOT, 'sdks/python/src') };
  const { stdout } = await promisify(execFile)(
    join(ROOT, '.venv/bin/python'),
    [join(import.meta.dirname, 'python_client.py'), JSON.stringify(order)],
    { env },
  );
  const both = JSON.parse(stdout) as Record<'sync' | 'async', Figures>;
  const raw = { 'TypeScript': typescript, 'Python, synchronous': both.sync, 'Python, asynchronous': both.async };
  return [
    {
      title:
        'SDKs: a call beside the bare HTTP library on loopback, and how much later than a bare ' +
        'timer a deadline ends a call',
      raw,
      rows: Object.entries(raw).flatMap(([name, { cost, late }]): Row[] => {
        const [bare, own] = [median(cost.raw), median(cost.sdk)];
        return [
          [
            `${name}: one call after the other`,
            amount(own, `µs, bare ${round(bare)} µs: ${round(own - bare)} µs more`),
          ],
          ...Object.entries(late).map(([slow, times]): Row => {
            const most = Math.max(...times);
            return [
              `${name}: late, ${slow}`,
              amount(most, '', `${round(median(times))} ms, most ${round(most)} ms`),
              '≤ 50 ms',
            ];
          }),
        ];
      }),
    },
  ];
}

if (import.meta.main) serve(measureTypeScript);
