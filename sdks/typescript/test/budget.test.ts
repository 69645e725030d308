/** Tests of the retry budget, which limits what retries add to the load of an outage. */
import { describe, expect, it } from 'vitest';
import { RetryBudget } from '../src/core/retry-budget.ts';
import { ServerError } from '../src/index.ts';
import { answers, fails, TestServer } from './support/server.ts';

const server = await new TestServer().start();
const down = fails(503, 'overloaded', { 'retry-after': '0' });

describe('the retry budget', () => {
  it('holds the load of a full outage at 110 % or less from a hundred calls on: calls and ten retries, whatever maxRetries says', async () => {
    server.replies(down);
    const client = server.client({ maxRetries: 5 });
    for (let calls = 0; calls < 10; calls++) {
      await Promise.all(
        Array.from({ length: 100 }, () =>
          client.applications.get('a').catch((error: unknown) => expect(error).toBeInstanceOf(ServerError)),
        ),
      );
    }
    expect(server.seen).toHaveLength(1_010);
  });

  it('is not used up by faults that a retry cures', async () => {
    const client = server.client();
    for (let call = 0; call < 50; call++) {
      server.replies(down, answers({ id: 'a' }));
      await expect(client.applications.get('a')).resolves.toEqual({ id: 'a' });
    }
  });

  it('refills while calls succeed, a tenth at a time', async () => {
    const client = server.client({ retryBudget: 1, maxRetries: 1 });
    const attempts = async (): Promise<number> => {
      server.replies(down);
      await client.applications.get('a').catch(() => undefined);
      return server.seen.length;
    };
    expect([await attempts(), await attempts()]).toEqual([2, 1]);
    server.replies(answers({}));
    for (let call = 0; call < 10; call++) await client.applications.get('a');
    expect([await attempts(), await attempts()]).toEqual([2, 1]);
  });

  it('is shared by the client: a call of another operation finds it spent', async () => {
    const client = server.client({ retryBudget: 2 });
    server.replies(down);
    await client.applications.get('a').catch(() => undefined);
    await client.sandbox.get().catch(() => undefined);
    expect(server.seen).toHaveLength(4);
  });

  it('can be closed or left open', async () => {
    server.replies(down);
    await server
      .client({ retryBudget: 0 })
      .applications.get('a')
      .catch(() => undefined);
    expect(server.seen).toHaveLength(1);
    await server
      .client({ retryBudget: Infinity, maxRetries: 30 })
      .applications.get('a')
      .catch(() => undefined);
    expect(server.seen).toHaveLength(32);
  });

  it('never holds more than its size', () => {
    const budget = new RetryBudget(1);
    budget.giveBack(9);
    expect([budget.take(), budget.take()]).toEqual([true, false]);
  });
});
