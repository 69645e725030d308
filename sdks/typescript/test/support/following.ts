/**
 * Follows what a test server answers, without waiting. Used by the tests of following. Importing it starts the server.
 */
import type { FollowOptions } from '../../src/index.ts';
import { json, TestServer, type Handler } from './server.ts';

export const server = await new TestServer().start();

export interface Event {
  readonly eventId: string;
}

/** Follows what the server answers; time passes at once, and after so many pauses the caller stops. */
export function following(pauses: number, options: FollowOptions<never> = {}) {
  const stopping = new AbortController();
  const slept: number[] = [];
  const sleep = async (ms: number): Promise<void> => {
    if (slept.push(ms) >= pauses) stopping.abort();
  };
  const feed = server.client({ accessToken: 'token' }).fundsRecovery.events.follow({
    signal: stopping.signal,
    clock: { sleep, random: () => 0 },
    ...(options as object),
  });
  const collect = async (): Promise<string[]> => {
    const found: string[] = [];
    for await (const event of feed as AsyncIterable<Event>) found.push(event.eventId);
    return found;
  };
  return {
    feed,
    slept,
    collect,
    stop: () => stopping.abort(),
  };
}

export const page =
  (ids: string[], cursor: string | null, hasMore = false, interval = '60'): Handler =>
  (response) =>
    json(
      response,
      200,
      { events: ids.map((eventId) => ({ eventId })), cursor, hasMore },
      { 'x-poll-interval': interval },
    );
export const done: Handler = (response) => {
  response.writeHead(204).end();
};

/** What was asked, in short: `list`, `list c1`, `ack c1`. */
export const asked = (): string[] =>
  server.seen.map((seen) =>
    seen.method === 'POST'
      ? `ack ${(JSON.parse(String(seen.body)) as { cursor: string }).cursor}`
      : ['list', seen.query.get('cursor')].filter(Boolean).join(' '),
  );
