import { randomUUID } from 'node:crypto';
import type { Reply } from './connection.ts';
import type { Following, FollowingReader, Plan, Prepared, Repeating } from './plan.ts';

/** One request, and what is to be done with its answer. */
export interface Exchange {
  readonly request: string;
  answered(reply: Reply): void;
}

/** Each call gives the next exchange; what is under way on other connections is not given again. */
export function exchangesOf(plan: Plan): () => Exchange {
  return 'readers' in plan ? following(plan) : repeating(plan);
}

function repeating({ requests, idempotencyKeys, expectedStatus }: Repeating): () => Exchange {
  let turn = 0;
  return () => {
    const { head, body } = requests[turn++ % requests.length] as Prepared;
    return {
      request: idempotencyKeys ? `${head}Idempotency-Key: ${randomUUID()}\r\n\r\n${body}` : `${head}\r\n${body}`,
      answered: (reply) => expectStatus(reply, expectedStatus, head),
    };
  };
}

function following({ path, readers }: Following): () => Exchange {
  const waiting = readers.map((reader) => ({ reader, cursor: reader.cursor }));
  return () => {
    const next = waiting.shift();
    if (next === undefined) throw new Error('there are more connections than readers');
    const { reader, cursor }: { reader: FollowingReader; cursor: string } = next;
    const head = `GET ${path}${path.includes('?') ? '&' : '?'}cursor=${cursor} HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: bench\r\nAccept: application/json\r\n${reader.headers}`;
    return {
      request: `${head}\r\n`,
      answered: (reply) => {
        expectStatus(reply, 200, head);
        waiting.push({ reader, cursor: cursorAfter(reply.body) ?? reader.cursor });
      },
    };
  };
}

/** Read from the end of the page, because parsing all of it would cost more than asking for it. Null where it is the last one. */
function cursorAfter(page: string): string | null {
  const [, cursor, hasMore] = /"cursor":"([\w-]+)","hasMore":(true|false)\}$/.exec(page.slice(-200)) ?? [];
  if (cursor === undefined) throw new Error(`a page does not end with its cursor: …${page.slice(-200)}`);
  return hasMore === 'true' ? cursor : null;
}

function expectStatus({ status, body }: Reply, expected: number, head: string): void {
  if (status !== expected) throw new Error(`${head.split('\r\n', 1)[0]} was answered by ${status}: ${body.slice(0, 500)}`);
}
