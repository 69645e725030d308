/** Test of walking lists with each SDK through faults. */
import { expect, it } from 'vitest';
import { randomOf } from '../support/random.ts';
import { figure, SEED, SOAK } from './support/figures.ts';
import { json, startRecorder } from './support/recorder.ts';
import type { Sdk } from './support/sdk.ts';
import { everySdk, operation } from './support/sdks.ts';

const RUNS = SOAK ? Number(process.env['RUNS'] ?? 10_000) : 50;
const AT_ONCE = 50;
const sdks = everySdk();

type Kind = 'page' | 'empty page' | 429 | 503 | 'broken' | 'half';

const [application] = (operation('listApplications').successes[0]!.example as { items: object[] }).items;

/** A list of numbered items, with the faults of each request. Every walk has an address of its own. */
class List {
  readonly length: number;
  requests = 0;
  readonly #random: () => number;
  readonly #first: number;
  /** Start of each cursor's page: pages never overlap and leave out nothing. */
  readonly #starts = new Map<string, number>();

  constructor(random: () => number) {
    this.#random = random;
    this.length = Math.floor(random() * 30);
    this.#first = 1 + Math.floor(random() * 6);
  }

  kind(): Kind {
    this.requests++;
    const chance = this.#random();
    const faults: readonly Kind[] = [429, 503, 'broken', 'half'];
    if (chance < 0.7) return 'page';
    return chance < 0.8 ? 'empty page' : faults[Math.floor(this.#random() * faults.length)]!;
  }

  page(cursor: string | null, empty: boolean): { items: object[]; cursor: string | null; hasMore: boolean } {
    const start = cursor === null ? 0 : (this.#starts.get(cursor) ?? Number.NaN);
    const end = empty ? start : Math.min(this.length, start + this.#first);
    const next = `c${this.#starts.size}`;
    this.#starts.set(next, end);
    // A list that ends exactly at a page may say so only on an empty one.
    const hasMore = end < this.length || (empty && start < this.length);
    return {
      items: Array.from({ length: end - start }, (_, index) => ({ ...application, externalId: String(start + index) })),
      cursor: hasMore || end > 0 ? next : null,
      hasMore,
    };
  }
}

const recorder = await startRecorder();
const lists = new Map<string, List>();
recorder.answers((response, { target }) => {
  recorder.arrived.length = 0;
  const url = new URL(target, recorder.url);
  const list = lists.get(url.pathname.split('/')[1]!)!;
  const kind = list.kind();
  if (typeof kind === 'number') {
    response.writeHead(kind, { 'retry-after': '0' }).end();
    return;
  }
  if (kind === 'broken') {
    response.destroy();
    return;
  }
  const body = list.page(url.searchParams.get('cursor'), kind === 'empty page');
  if (kind === 'page' || kind === 'empty page') {
    json(200, body)(response, {
      method: '',
      target,
      headers: {},
      body: Buffer.alloc(0),
    });
    return;
  }
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100000' });
  response.write(JSON.stringify(body).slice(0, 10), () => response.destroy());
});

/** Walks one list to its end, by several clients in succession: one takes over if another gives up or is stopped. */
async function walk(
  sdk: Sdk,
  run: number,
): Promise<{ readonly requests: number; readonly resumed: number; readonly items: number }> {
  const random = randomOf(SEED + run);
  const list = new List(random);
  const name = `${sdk.name.replace(' ', '-')}-${run}`;
  lists.set(name, list);
  const client = await sdk.open({
    baseUrl: `${recorder.url}/${name}`,
    apiKey: 'kyc_test_Abcdefgh_secret',
    maxRetries: 2,
    retryBudget: 1e9,
  });
  const seen: string[] = [];
  let cursor: string | null = null;
  let resumed = 0;
  for (let finished = false; !finished; resumed++) {
    const most = 1 + Math.floor(random() * 10);
    const [pages, failure] = await client.walk(
      operation('listApplications'),
      { query: cursor === null ? {} : { cursor } },
      most,
      { deadline: 60_000 },
    );
    for (const page of pages) {
      seen.push(...page.items.map(({ externalId }) => String(externalId)));
      cursor = page.cursor;
    }
    finished = failure === null && pages.at(-1)!.hasMore === false;
    if (resumed > 500) throw new Error(`SEED=${SEED + run}: never ends`);
  }
  await client.close();
  lists.delete(name);
  expect(seen, `SEED=${SEED + run} ${sdk.name}`).toEqual(
    Array.from({ length: list.length }, (_, index) => String(index)),
  );
  return { requests: list.requests, resumed: resumed - 1, items: seen.length };
}

it.each(sdks)(
  '$name walks lists with empty pages, refusals, cuts and resumption, and loses and duplicates nothing',
  async (sdk) => {
    const sums = { requests: 0, resumed: 0, items: 0 };
    let next = 0;
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (next < RUNS) {
          const one = await walk(sdk, next++);
          for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += one[name];
        }
      }),
    );
    expect(next).toBe(RUNS);
    figure(
      `pagination: ${sdk.name}, ${RUNS} walks: ${sums.items} items in ${sums.requests} requests, resumed ` +
        `${sums.resumed} times: 0 lost, 0 doubled (seed ${SEED})`,
    );
  },
);

it.each(sdks)('$name ends a walk if its cursor was issued before, whatever lies between', async (sdk) => {
  const own = await startRecorder();
  for (let circle = 1; circle <= 5; circle++) {
    let page = 0;
    own.answers((response, arrived) =>
      json(200, { items: [], cursor: `c${page++ % circle}`, hasMore: true })(response, arrived),
    );
    const client = await sdk.open({ baseUrl: own.url, apiKey: 'kyc_test_Abcdefgh_secret' });
    const [pages, failure] = await client.walk(operation('listApplications'), {}, 1_000);
    expect(failure?.name).toBe('PaginationError');
    expect(pages.length).toBeLessThanOrEqual(circle + 1);
    await client.close();
  }
});
