/** Tests of calls that time out or are aborted: they end in time and leave no connection open. */
import { describe, expect, it } from 'vitest';
import { AbortError, ComplianceOnboarding, TimeoutError, type ClientOptions } from '../src/index.ts';
import { answers, fails, hangs, TestServer } from './support/server.ts';

const server = await new TestServer().start();
const never = new Promise<never>(() => undefined);
const client = (fetch: NonNullable<ClientOptions['fetch']>): ComplianceOnboarding =>
  new ComplianceOnboarding({
    baseUrl: 'https://api.example',
    apiKey: 'k_s',
    maxRetries: 0,
    fetch,
  });

describe('an abandoned call', () => {
  it('ends in time although its custom fetch ignores the signal', async () => {
    await expect(client(() => never).applications.get('a', { timeout: 30 })).rejects.toBeInstanceOf(TimeoutError);
    await expect(client(() => never).applications.get('a', { deadline: 30 })).rejects.toThrow('deadline of 30 ms');
    await expect(client(() => never).applications.get('a', { signal: AbortSignal.timeout(30) })).rejects.toBeInstanceOf(
      AbortError,
    );
  });

  it('ends in time although its body never ends', async () => {
    const response = (): Response =>
      new Response(new ReadableStream({ pull: () => never }), { headers: { 'content-type': 'application/json' } });
    await expect(client(async () => response()).applications.get('a', { timeout: 30 })).rejects.toBeInstanceOf(
      TimeoutError,
    );
  });

  it('ends in time although the file to be sent never ends, and before anything is sent', async () => {
    server.replies(answers({}));
    const endless = new ReadableStream<Uint8Array>({ pull: () => never });
    await expect(
      server.client().applications.documents.upload('a', { file: endless, type: 'passport' }, { deadline: 50 }),
    ).rejects.toBeInstanceOf(TimeoutError);
    expect(server.seen).toHaveLength(0);
  });

  it('cancels an answer that arrives too late, so that its connection is free again', async () => {
    let cancelled: (reason?: unknown) => void = () => undefined;
    const free = new Promise((resolve) => {
      cancelled = resolve;
    });
    const late = async (): Promise<Response> => {
      await new Promise((resolve) => setTimeout(resolve, 60));
      return new Response(new ReadableStream({ cancel: () => cancelled() }));
    };
    await expect(client(late).applications.get('a', { timeout: 20 })).rejects.toBeInstanceOf(TimeoutError);
    await free;
  });

  it('closes the connection of an attempt that timed out', async () => {
    let closed: (reason?: unknown) => void = () => undefined;
    const free = new Promise((resolve) => {
      closed = resolve;
    });
    server.replies((response) => {
      response.socket?.once('close', () => closed());
    });
    await server
      .client()
      .applications.get('a', { timeout: 50, maxRetries: 0 })
      .catch(() => undefined);
    await expect(free).resolves.toBeUndefined();
  });

  it('causes no warning of a leak, however many calls share a signal', async () => {
    const warnings: string[] = [];
    const hear = ({ name }: Error): void => {
      warnings.push(name);
    };
    process.on('warning', hear);
    server.replies(answers({ id: 'a' }));
    const controller = new AbortController();
    await Promise.all(
      Array.from({ length: 30 }, () => server.client().applications.get('a', { signal: controller.signal })),
    );
    server.replies(hangs);
    const waiting = Array.from({ length: 30 }, () =>
      server.client().applications.get('a', { signal: controller.signal }),
    );
    controller.abort('user left');
    for (const call of waiting) await expect(call).rejects.toMatchObject({ name: 'AbortError', cause: 'user left' });
    process.off('warning', hear);
    expect(warnings).toEqual([]);
  });

  /** A signal that counts its listeners. */
  function counted(): { readonly signal: AbortSignal; readonly listeners: () => number } {
    let listeners = 0;
    const { signal } = new AbortController();
    const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners++;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners--;
      remove(...args);
    };
    return { signal, listeners: () => listeners };
  }

  it('leaves no listener on a signal that outlives the calls', async () => {
    const { signal, listeners } = counted();
    server.replies(answers({}));
    for (let call = 0; call < 5; call++) await server.client().applications.get('a', { signal });
    server.replies(hangs);
    await server
      .client()
      .applications.get('a', { signal, timeout: 20, maxRetries: 1 })
      .catch(() => undefined);
    server.replies(fails(404, 'not_found'));
    await expect(server.client().applications.get('a', { signal }).asResponse()).rejects.toMatchObject({ status: 404 });
    expect(listeners()).toBe(0);
  });

  it('leaves no listener of a download either, once that was read, was left, broke off, stalled or was refused', async () => {
    const { signal, listeners } = counted();
    const download = () => server.client().applications.documents.download('a', 'd', { signal, idleTimeout: 50 });
    server.replies((response) => response.writeHead(200).end('PDF'));
    await (await download()).bytes();
    await (await download()).stream.cancel();
    server.replies((response) => {
      response.writeHead(200, { 'content-length': '99' }).write('PDF');
      setTimeout(() => response.destroy(), 10);
    });
    await expect((await download()).bytes()).rejects.toMatchObject({ name: 'ConnectionError' });
    server.replies((response) => {
      response.writeHead(200).write('PDF');
    });
    await expect((await download()).bytes()).rejects.toMatchObject({ name: 'TimeoutError' });
    server.replies(fails(404, 'not_found'));
    await expect(download()).rejects.toMatchObject({ status: 404 });
    expect(listeners()).toBe(0);
  });
});
