/** Tests of time limits and of aborting calls. */
import { describe, expect, it } from 'vitest';
import { AbortError, DeadlineExceededError, TimeoutError } from '../src/index.ts';
import { answers, fails, hangs, TestServer } from './support/server.ts';

const server = await new TestServer().start();
const elapsed = async (work: () => PromiseLike<unknown>): Promise<{ ms: number; error: unknown }> => {
  const started = performance.now();
  const error = await Promise.resolve(work()).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { ms: performance.now() - started, error };
};

describe('time limits', () => {
  it('ends an attempt after its timeout and repeats it', async () => {
    server.replies(hangs, answers({ id: 'a' }));
    await expect(server.client({ timeout: 100 }).applications.get('a')).resolves.toEqual({ id: 'a' });
    expect(server.seen).toHaveLength(2);
  });

  it('throws TimeoutError if the last attempt times out', async () => {
    server.replies(hangs);
    const { ms, error } = await elapsed(() => server.client().applications.get('a', { timeout: 100, maxRetries: 0 }));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(ms).toBeLessThan(5000);
  });

  it('counts the time of a body that stops arriving', async () => {
    server.replies((response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"id":');
    });
    const { error } = await elapsed(() => server.client().applications.get('a', { timeout: 150, maxRetries: 0 }));
    expect(error).toBeInstanceOf(TimeoutError);
  });

  it('bounds the whole call by its deadline, whatever the attempts may take', async () => {
    server.replies(hangs);
    const { ms, error } = await elapsed(() =>
      server.client({ timeout: 10_000, maxRetries: 9 }).applications.get('a', { deadline: 250 }),
    );
    expect(error).toBeInstanceOf(DeadlineExceededError);
    expect(error).toBeInstanceOf(TimeoutError);
    expect((error as Error).message).toContain('deadline of 250 ms');
    expect(ms).toBeLessThan(5000);
    expect(server.seen).toHaveLength(1);
  });

  it('treats a limit too long for a timer as none', async () => {
    server.replies(answers({ id: 'a' }));
    await expect(server.client({ timeout: Infinity, deadline: 1e12 }).applications.get('a')).resolves.toEqual({
      id: 'a',
    });
  });

  it('refuses limits that are not positive', () => {
    expect(() => server.client({ timeout: 0 })).toThrow('timeout');
    expect(() => server.client({ deadline: Number.NaN })).toThrow('deadline');
  });
});

describe('aborting', () => {
  it('ends a running request with the reason of the caller as the cause', async () => {
    server.replies(hangs);
    const controller = new AbortController();
    setTimeout(() => controller.abort('user left'), 50);
    const { ms, error } = await elapsed(() => server.client().applications.get('a', { signal: controller.signal }));
    expect(error).toBeInstanceOf(AbortError);
    expect((error as Error).cause).toBe('user left');
    expect(ms).toBeLessThan(5000);
    expect(server.seen).toHaveLength(1);
  });

  it('ends the pause between two attempts', async () => {
    server.replies(fails(503, 'overloaded', { 'retry-after': '30' }));
    const { ms, error } = await elapsed(() =>
      server.client().applications.get('a', { signal: AbortSignal.timeout(100) }),
    );
    expect(error).toBeInstanceOf(AbortError);
    expect(ms).toBeLessThan(5000);
  });

  it('sends nothing if the signal has already fired', async () => {
    server.replies(answers({}));
    await expect(server.client().applications.get('a', { signal: AbortSignal.abort() })).rejects.toBeInstanceOf(
      AbortError,
    );
    expect(server.seen).toHaveLength(0);
  });
});
