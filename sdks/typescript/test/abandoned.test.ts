import { describe, expect, it } from 'vitest';
import { AbortError, ComplianceOnboarding, TimeoutError, type ClientOptions } from '../src/index.ts';
import { answers, hangs, TestServer } from './support/server.ts';

const server = await new TestServer().start();
const never = new Promise<never>(() => undefined);
const client = (fetch: NonNullable<ClientOptions['fetch']>): ComplianceOnboarding => new ComplianceOnboarding({ baseUrl: 'https://api.example', apiKey: 'k_s', maxRetries: 0, fetch });

describe('what is given up', () => {
  it('ends in time although the fetch it was given ignores the signal', async () => {
    await expect(client(() => never).applications.get('a', { timeout: 30 })).rejects.toBeInstanceOf(TimeoutError);
    await expect(client(() => never).applications.get('a', { deadline: 30 })).rejects.toThrow('deadline of 30 ms');
    await expect(client(() => never).applications.get('a', { signal: AbortSignal.timeout(30) })).rejects.toBeInstanceOf(AbortError);
  });

  it('ends in time although its body never does', async () => {
    const response = (): Response => new Response(new ReadableStream({ pull: () => never }), { headers: { 'content-type': 'application/json' } });
    await expect(client(async () => response()).applications.get('a', { timeout: 30 })).rejects.toBeInstanceOf(TimeoutError);
  });

  it('ends in time although the file to be sent never does, and before anything is sent', async () => {
    server.replies(answers({}));
    const endless = new ReadableStream<Uint8Array>({ pull: () => never });
    await expect(server.client().applications.documents.upload('a', { file: endless, type: 'passport' }, { deadline: 50 })).rejects.toBeInstanceOf(TimeoutError);
    expect(server.seen).toHaveLength(0);
  });

  it('cancels an answer that comes too late, so that its connection is free again', async () => {
    let cancelled: (reason?: unknown) => void = () => undefined;
    const free = new Promise((resolve) => { cancelled = resolve; });
    const late = async (): Promise<Response> => {
      await new Promise((resolve) => setTimeout(resolve, 60));
      return new Response(new ReadableStream({ cancel: () => cancelled() }));
    };
    await expect(client(late).applications.get('a', { timeout: 20 })).rejects.toBeInstanceOf(TimeoutError);
    await free;
  });

  it('closes the connection of an attempt that ran out of time', async () => {
    let closed: (reason?: unknown) => void = () => undefined;
    const free = new Promise((resolve) => { closed = resolve; });
    server.replies((response) => { response.socket?.once('close', () => closed()); });
    await server.client().applications.get('a', { timeout: 50, maxRetries: 0 }).catch(() => undefined);
    await free;
  });

  it('leaves no listener on a signal that outlives the calls', async () => {
    let listeners = 0;
    const { signal } = new AbortController();
    const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
    signal.addEventListener = (...args: Parameters<typeof add>) => { listeners++; add(...args); };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => { listeners--; remove(...args); };
    server.replies(answers({}));
    for (let call = 0; call < 5; call++) await server.client().applications.get('a', { signal });
    server.replies(hangs);
    await server.client().applications.get('a', { signal, timeout: 20, maxRetries: 1 }).catch(() => undefined);
    expect(listeners).toBe(0);
  });
});
