/** Tests of what is logged at each level, and of what must never be. */
import { inspect } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createClient } from '../src/functions.ts';
import { ComplianceOnboardingError, type LogEvent, type Logger } from '../src/index.ts';
import { listener } from './support/listener.ts';
import { answers, breaks, fails, TestServer } from './support/server.ts';

const server = await new TestServer().start();

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe('the log', () => {
  it('sees each step with its route, and never a secret, a personal value or an identifier', async () => {
    server.replies(
      fails(503, 'overloaded', { 'retry-after': '0', 'set-cookie': 'session=SECRET' }, { detail: 'SECRET' }),
      answers({
        id: 'SECRET',
        status: 'draft',
        environment: 'sandbox',
        applicant: { fullName: 'Ana SECRET' },
        metadata: { note: 'SECRET' },
        invented: { name: 'SECRET' },
      }),
    );
    const [events, lines]: [LogEvent[], string[]] = [[], []];
    const client = server.client({
      apiKey: 'kyc_live_7Hq2ZtK9_SECRET',
      headers: { 'X-Internal': 'SECRET' },
      ...listener((event, line) => {
        events.push(event);
        lines.push(line);
      }),
    });
    await client.applications.get('0197f2c8-SECRET', { query: { taxId: 'SECRET' } });
    expect(events.map(({ type, attempt, status }) => [type, attempt, status])).toEqual([
      ['request', 1, undefined],
      ['response', 1, 503],
      ['failure', 1, undefined],
      ['retry', 1, undefined],
      ['request', 2, undefined],
      ['response', 2, 200],
    ]);
    expect(events[0]).toMatchObject({
      route: 'GET /v1/applications/{applicationId}',
      headers: { 'x-api-key': '***', 'x-internal': '***' },
    });
    expect(events[5]?.body).toEqual({
      id: '***',
      status: '***',
      environment: 'sandbox',
      applicant: { fullName: '***' },
      metadata: '***',
      invented: '***',
    });
    expect(lines[1]).toMatch(/^GET \/v1\/applications\/\{applicationId\} response 503 after \d+ ms$/);
    expect(JSON.stringify([events, lines])).not.toContain('SECRET');
  });

  it('shows neither the name nor the bytes of a file, nor a token that is exchanged', async () => {
    server.replies(
      answers({ access_token: 'SECRET', token_type: 'Bearer', expires_in: 60 }),
      answers({ id: 'd' }, 201),
    );
    const events: LogEvent[] = [];
    const client = server.client({
      clientId: 'SECRET',
      clientSecret: 'SECRET',
      ...listener((event) => events.push(event)),
    });
    await client.applications.documents.upload('a', {
      file: { name: 'SECRET.pdf', data: new TextEncoder().encode('SECRET') },
      type: 'passport',
      side: 'single',
    });
    expect(events.find(({ type, route }) => type === 'request' && route.includes('documents'))?.body).toEqual({
      file: '***',
      type: '***',
      side: 'single',
    });
    expect(JSON.stringify(events)).not.toContain('SECRET');
  });

  it('reports an attempt without an answer, and the pause after it', async () => {
    server.replies(breaks, answers({}));
    const events: LogEvent[] = [];
    await server.client(listener((event) => events.push(event))).applications.get('a');
    expect(events.slice(1, 3)).toEqual([
      {
        type: 'failure',
        route: 'GET /v1/applications/{applicationId}',
        attempt: 1,
        error: 'ConnectionError',
      },
      {
        type: 'retry',
        route: 'GET /v1/applications/{applicationId}',
        attempt: 1,
        delayMs: expect.any(Number),
      },
    ]);
  });

  it('contains what its level admits: of a retried call nothing by default, the retry at info, everything at debug', async () => {
    const told = async (logLevel: 'off' | 'warn' | 'info' | 'debug' | undefined): Promise<string[]> => {
      const levels: string[] = [];
      server.replies(fails(503, 'overloaded', { 'retry-after': '0' }), answers({}));
      await server.client({ ...listener((_, __, level) => levels.push(level)), logLevel }).applications.get('a');
      return levels;
    };
    expect(await told(undefined)).toEqual([]);
    expect(await told('info')).toEqual(['info', 'info']);
    expect(await told('debug')).toEqual(['debug', 'debug', 'info', 'info', 'debug', 'debug']);
    vi.stubEnv('COMPLIANCE_LOG', 'info');
    expect(await told(undefined)).toEqual(['info', 'info']);
    expect(await told('off')).toEqual([]);
  });

  it('shows no value that is by mistake in a position for an object or a code', async () => {
    for (const mistake of ['{"fullName":"Maria da Silva"}', 'Maria da Silva', 'maria@example.com', 52998224725]) {
      const events: string[] = [];
      server.replies(answers({}));
      await server
        .client(listener((event) => events.push(JSON.stringify(event))))
        .applications.create({ applicant: mistake, purpose: mistake } as never);
      expect(events[0]).toContain('{"applicant":"***","purpose":"***"}');
    }
  });

  it('is written to the console unless there is a logger', async () => {
    const debug = vi.spyOn(console, 'debug').mockReturnValue(undefined);
    server.replies(answers({}));
    await server.client({ logLevel: 'debug' }).applications.get('a');
    expect(debug).toHaveBeenCalledTimes(2);
  });

  it('of a program that prints its client shows no secret', async () => {
    const options = { baseUrl: server.url, apiKey: 'kyc_test_Abcdefgh_SECRET', headers: { 'X-Internal': 'SECRET' } };
    server.replies(answers({}));
    const client = server.client(options);
    await client.applications.get('a');
    for (const printed of [client, client.applications, createClient(options)]) {
      expect(inspect(printed, { depth: null, showHidden: true }) + JSON.stringify(printed)).not.toContain('SECRET');
    }
  });

  it('refuses an unknown level', () => {
    expect(() => server.client({ logLevel: 'chatty' as 'debug' })).toThrow(ComplianceOnboardingError);
  });

  it('cannot make a call fail, nor end the program by a promise that is rejected', async () => {
    const unhandled: unknown[] = [];
    const hear = (reason: unknown): void => {
      unhandled.push(reason);
    };
    process.on('unhandledRejection', hear);
    const failing = (): never => {
      throw new Error('disk full');
    };
    for (const logger of [
      { debug: failing, info: failing, warn: failing },
      { debug: async () => failing(), info: async () => failing(), warn: async () => failing() },
      {} as Logger,
    ]) {
      server.replies(answers({ id: 'a' }));
      await expect(server.client({ logger, logLevel: 'debug' }).applications.get('a')).resolves.toEqual({ id: 'a' });
    }
    await new Promise(setImmediate);
    process.off('unhandledRejection', hear);
    expect(unhandled).toEqual([]);
  });
});
