/** Test of every operation with a quota of requests per minute: the quota ends and starts again. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callExample, expectDocumented } from '../support/calls.ts';
import { everyOperation } from '../support/contract.ts';
import { startTestService, type TestService } from '../support/service.ts';

const QUOTA = 2;
const quota = String(QUOTA);

const MINUTE = 60_000;
/** Number of operations per part: each takes a minute of the service's clock, and a token is valid for an hour. */
const WITHIN_THE_HOUR = 50;
const parts = Array.from({ length: Math.ceil(everyOperation.length / WITHIN_THE_HOUR) }, (_, part) =>
  everyOperation.slice(part * WITHIN_THE_HOUR, (part + 1) * WITHIN_THE_HOUR),
);

let service: TestService;
beforeAll(start);
afterAll(() => service.stop());

async function start(): Promise<void> {
  service = await startTestService({
    env: {
      RATE_LIMIT_REQUESTS: quota,
      RATE_LIMIT_UPLOADS: quota,
      RATE_LIMIT_FEED: quota,
      RATE_LIMIT_LOGINS_PER_ADDRESS: quota,
    },
  });
}

describe.each(parts)('a quota', (...operations) => {
  beforeAll(async () => {
    await service.stop();
    await start();
  });

  it.each(operations)('ends: $operationId', async (operation) => {
    service.advance(MINUTE);
    // A refused request counts like any other.
    const wrong = { query: '?colour=blue' };
    let answer = await callExample(service, operation, wrong);
    for (let used = 1; used <= QUOTA && answer.status !== 429; used++) {
      expect(answer.headers.get('ratelimit')).toMatch(new RegExp(`^"\\w+";r=${QUOTA - used};t=\\d+$`));
      answer = await callExample(service, operation, wrong);
    }
    expect(answer.status).toBe(429);
    expectDocumented(operation, answer);
    const seconds = Number(answer.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(answer.headers.get('ratelimit')).toMatch(new RegExp(`^"\\w+";r=0;t=${seconds}$`));
    expect(answer.headers.get('ratelimit-policy')).toMatch(/^"\w+";q=2;w=60$/);
    expect(answer.body).toMatchObject(
      'code' in answer.body
        ? { code: 'rate_limited', retryable: true, retryAfter: seconds }
        : { error: 'temporarily_unavailable' },
    );
  });
});

describe('a quota', () => {
  it('starts again when its minute is over', async () => {
    const as = await service.acme.key(['read'], { name: 'Patient' });
    const get = async (): Promise<number> => (await service.api.GET('/v1/sandbox', { headers: as })).response.status;
    expect([await get(), await get(), await get()]).toEqual([200, 200, 429]);
    service.advance(MINUTE);
    expect(await get()).toBe(200);
  });

  it('belongs to one credential', async () => {
    const [loud, quiet] = await Promise.all([
      service.acme.key(['read'], { name: 'Loud' }),
      service.acme.key(['read'], { name: 'Quiet' }),
    ]);
    for (let i = 0; i <= QUOTA; i++) await service.api.GET('/v1/sandbox', { headers: loud });
    expect((await service.api.GET('/v1/sandbox', { headers: quiet })).response.status).toBe(200);
  });

  it('limits how many refusals are recorded', async () => {
    const as = await service.other.key(['read']);
    for (let i = 0; i < QUOTA + 3; i++) await service.api.POST('/v1/sandbox/enable', { headers: as });
    expect(await service.other.audit()).toHaveLength(QUOTA);
  });
});
