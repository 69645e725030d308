/** Random tests of following a feed, compared with a model: no event is lost. */
import { expect, it } from 'vitest';
import { ComplianceOnboarding } from '../src/index.ts';
import { FeedModel } from './support/feed-model.ts';
import { Random } from './support/random.ts';

const RUNS = process.env['SOAK'] === 'true' ? 10_000 : 100;
const SEED = Number(process.env['SEED'] ?? 20261121);

class Crash extends Error {}

/** How a process goes on after the one before it died. */
type Memory = 'cursor saved with each page' | 'cursor saved at the end' | 'none';

/** Follows one random feed to its end through random faults, crashes and stops. */
async function follow(seed: number): Promise<{
  events: number;
  requests: number;
  crashes: number;
  doubles: number;
}> {
  const random = new Random(seed);
  const model = new FeedModel(random, { events: random.upTo(40) });
  const client = new ComplianceOnboarding({ baseUrl: 'http://feed.invalid', accessToken: 'token', fetch: model.fetch });
  const memory = random.of<Memory>(['cursor saved with each page', 'cursor saved at the end', 'none']);
  const seen = { crashes: 0, doubles: 0 };
  let saved: string | null = null;
  for (let processes = 0; !model.complete || processes === 0; processes++) {
    const stopping = new AbortController();
    const feed = client.fundsRecovery.events.follow({
      signal: stopping.signal,
      cursor: saved,
      limit: 1 + random.upTo(6),
      timeout: 100,
      onPage: (page) => {
        if (memory === 'cursor saved with each page') saved = page.cursor;
      },
      clock: {
        random: () => random.next(),
        sleep: async (ms) => {
          model.now += ms;
          if (model.complete || random.chance(0.02)) stopping.abort();
        },
      },
    });
    const lifetime = processes > 50 ? Infinity : random.upTo(30);
    const expiries = model.expiries;
    let previous: number | null = null;
    model.forget();
    try {
      let count = 0;
      for await (const { eventId } of feed) {
        const number = Number(eventId.slice('fre_'.length));
        const mayRepeat = previous === null || model.expiries > expiries;
        if (mayRepeat ? number > model.processed + 1 : number !== previous! + 1)
          throw new Error(`${number} came after ${previous}, with ${model.processed} processed`);
        if (number <= model.processed) seen.doubles += 1;
        // Half of all crashes come before the event is processed, half after.
        if (++count > lifetime && random.chance(0.5)) throw new Crash();
        previous = number;
        model.processed = Math.max(model.processed, number);
        if (count > lifetime) break;
        if (random.chance(0.01)) stopping.abort();
      }
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
    }
    seen.crashes += 1;
    if (memory === 'cursor saved at the end') saved = feed.cursor;
    if (model.violation !== null) throw new Error(model.violation);
    if (processes > 1_000) throw new Error('never comes to an end');
  }
  return { events: model.processed, requests: model.requests, ...seen };
}

it('loses nothing, preserves the order, repeats only after a crash, and acknowledges nothing unprocessed', {
  timeout: 900_000,
}, async () => {
  const sums = {
    events: 0,
    requests: 0,
    crashes: 0,
    doubles: 0,
  };
  for (let run = 0; run < RUNS; run++) {
    const result = await follow(SEED + run).catch((error: unknown) => {
      throw new Error(`SEED=${SEED + run}`, { cause: error });
    });
    for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += result[name];
  }
  console.log(`${RUNS} runs from SEED=${SEED}: ${JSON.stringify(sums)}`);
  expect(sums.events).toBeGreaterThan(RUNS);
});

it('without faults delivers each event once and has acknowledged all of them before it waits', async () => {
  let delivered = 0;
  for (let seed = SEED; seed < SEED + RUNS / 10; seed++) {
    const random = new Random(seed);
    const model = new FeedModel(random, { events: 1 + random.upTo(40), healthy: true });
    const client = new ComplianceOnboarding({
      baseUrl: 'http://feed.invalid',
      accessToken: 'token',
      fetch: model.fetch,
    });
    const stopping = new AbortController();
    const numbers: number[] = [];
    const sleep = async (ms: number): Promise<void> => {
      expect(model.acknowledged, `SEED=${seed}`).toBe(numbers.length);
      model.now += ms;
      if (model.complete) stopping.abort();
    };
    for await (const { eventId } of client.fundsRecovery.events.follow({
      signal: stopping.signal,
      limit: 5,
      clock: { sleep, random: () => random.next() },
    })) {
      numbers.push(Number(eventId.slice('fre_'.length)));
      model.processed = numbers.length;
    }
    expect(model.violation).toBeNull();
    delivered += numbers.length;
    expect(numbers, `SEED=${seed}`).toEqual(Array.from({ length: numbers.length }, (_, index) => index + 1));
  }
  expect(delivered).toBeGreaterThan(RUNS / 10);
});
