/** Test that a tenant is served while hostile clients attack the service. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LOGS } from '../../scripts/test/command.ts';
import { LONGEST_TEST } from '../../scripts/test/limits.ts';
import { startLiveService } from '../../scripts/test/live-service.ts';
import { at, besideStrangers, callersOf, tokenOf } from '../support/calls-beside.ts';
import { shared } from '../support/service.ts';

const SEED = 20261122;
const SECONDS = process.env['SOAK'] === 'true' ? 600 : 8;
const SECONDS_ALONE = 4;
/**
 * Limit for the slowest hundredth of calls during attacks, as a multiple of the median before: the service must not
 * stop. `make bench` checks the promise in milliseconds.
 */
const SLOWER = 40;
const LOG = join(LOGS, 'hostile-clients-service.log');

/** Unauthenticated clients have the quotas of production. */
const service = await shared(
  startLiveService('hostile-clients', {
    RATE_LIMIT_PAGES: '3000',
    RATE_LIMIT_FAILED_AUTHENTICATIONS: '100',
    RATE_LIMIT_LOGINS_PER_ADDRESS: '10',
  }),
);

it(
  `serves a tenant while strangers attack for ${SECONDS} s`,
  async () => {
    const demo = JSON.parse(readFileSync(service.demo, 'utf8')) as {
      apiKey: string;
      clientId: string;
      clientSecret: string;
    };
    const callers = callersOf(
      service.baseUrl,
      { 'X-API-Key': demo.apiKey },
      { Authorization: `Bearer ${await tokenOf(service.baseUrl, demo)}` },
    );
    await callers(1);
    const alone = await callers(SECONDS_ALONE);
    expect(alone.failures).toEqual([]);

    const logged = readFileSync(LOG, 'utf8').length;
    const [{ taken, failures }, rounds] = await besideStrangers(service.baseUrl, SEED, () => callers(SECONDS));
    const [usual, slow] = [at(alone.taken, 0.5), at(taken, 0.99)];
    console.log(
      `${taken.length} calls beside hostile clients: p50 ${at(taken, 0.5).toFixed(0)} ms, p99 ${slow.toFixed(0)} ` +
        `ms, longest ${at(taken, 1).toFixed(0)} ms; before: p50 ${usual.toFixed(0)} ms, p99 ` +
        `${at(alone.taken, 0.99).toFixed(0)} ms; rounds ${JSON.stringify(rounds)}, seed ${SEED}`,
    );
    expect(failures).toEqual([]);
    expect(taken.length).toBeGreaterThan(SECONDS * 5);
    expect(slow / usual).toBeLessThan(SLOWER);
    // No attack triggers an internal error.
    expect(
      readFileSync(LOG, 'utf8')
        .slice(logged)
        .split('\n')
        .filter((line) => line.includes('"err":')),
    ).toEqual([]);
    // The connections of the attackers have been released.
    await expect
      .poll(async () => (await fetch(`${service.baseUrl}/metrics`)).text(), { interval: 500 })
      .toMatch(/^http_held_bytes 0$[^]*^http_requests_in_flight 0$[^]*^http_requests_receiving 0$/m);
  },
  SECONDS * 1000 + 2 * LONGEST_TEST,
);
