/** Random test of walking a list that fails and resumes. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiError, ComplianceOnboarding, ConnectionError, TimeoutError, type Fetch } from '../src/index.ts';
import { FeedModel } from './support/feed-model.ts';
import { Random } from './support/random.ts';
import { breaks, fails, hangs, json, TestServer, type Handler } from './support/server.ts';

const RUNS = process.env['SOAK'] === 'true' ? 10_000 : 100;
const SEED = Number(process.env['SEED'] ?? 20261121);
const server = await new TestServer().start();

// Backoff is random up to a bound; here it is always nothing.
beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const page =
  (id: string, cursor: string, hasMore: boolean): Handler =>
  (response) =>
    json(response, 200, { events: [{ eventId: id }], cursor, hasMore });

it.each<[string, Handler]>([
  ['a quota that is used up', fails(429, 'rate_limited', { 'retry-after': '0' })],
  ['an outage', fails(503, 'dependency_unavailable', { 'retry-after': '0' })],
  ['a time-out', hangs],
  ['a connection that breaks', breaks],
])('a list goes on over %s between two pages', async (_what, fault) => {
  server.replies(page('a', '1', true), fault, page('b', '2', false));
  const found: string[] = [];
  for await (const { eventId } of server
    .client({ accessToken: 'token' })
    .fundsRecovery.events.list({}, { timeout: 300 }))
    found.push(eventId);
  expect(found).toEqual(['a', 'b']);
  expect(server.seen.map(({ query }) => query.get('cursor'))).toEqual([null, '1', '1']);
});

/** Breaks about a third of all requests, before or after they took effect. */
function unreliable(random: Random, fetch: Fetch): Fetch {
  return async (url, init) => {
    const fault = random.chance(0.7) ? 'none' : random.of(['refused', 'lost', 'lost', 429, 503] as const);
    if (typeof fault === 'number') return Response.json({}, { status: fault, headers: { 'retry-after': '0' } });
    if (fault === 'refused') throw new TypeError('fetch failed');
    const answer = await fetch(url, init);
    if (fault === 'lost') throw new TypeError('terminated');
    return answer;
  };
}

it('a walk that resumes from its saved cursor loses nothing and repeats at most the page in which it ended', {
  timeout: 900_000,
}, async () => {
  let [events, deaths, doubles] = [0, 0, 0];
  for (let seed = SEED; seed < SEED + RUNS; seed++) {
    const random = new Random(seed);
    const [length, limit] = [random.upTo(60), 1 + random.upTo(6)];
    const model = new FeedModel(random, { events: length, healthy: true });
    model.now = Infinity;
    const client = new ComplianceOnboarding({
      baseUrl: 'http://feed.invalid',
      accessToken: 'token',
      fetch: unreliable(random, model.fetch),
    });
    let saved: string | undefined;
    for (let finished = false; !finished; ) {
      try {
        for await (const one of client.fundsRecovery.events
          .list({ ...(saved === undefined ? {} : { cursor: saved }), limit })
          .pages()) {
          for (const { eventId } of one.items) {
            const number = Number(eventId.slice('fre_'.length));
            if (number <= model.processed) doubles += 1;
            if (number > model.processed + 1 || number <= model.processed - limit)
              throw new Error(`SEED=${seed}: ${number} after ${model.processed}`);
            model.processed = Math.max(model.processed, number);
            if (random.chance(0.02)) throw new ConnectionError('the client died');
          }
          saved = one.cursor ?? undefined;
        }
        finished = true;
      } catch (error) {
        if (!(error instanceof ConnectionError || error instanceof TimeoutError || error instanceof ApiError))
          throw error;
        deaths += 1;
      }
    }
    if (model.processed !== length || model.violation !== null)
      throw new Error(`SEED=${seed}: ${model.processed} of ${length}, ${model.violation}`);
    events += length;
  }
  console.log(`${RUNS} walks from SEED=${SEED}: ${events} events, ${deaths} deaths, ${doubles} doubles`);
  expect(events).toBeGreaterThan(RUNS);
});
