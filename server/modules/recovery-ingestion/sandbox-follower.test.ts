/** Tests of when the directory of a sandbox is polled. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { named } from '../../../test/support/courses.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.ts';
import { type Pace, startRun } from '../../simulators/directory/index.ts';
import { SandboxFollower } from './sandbox-follower.ts';

let test: TestDatabase;
let tenantId: string;
let polls: Date[];
let hold: Promise<void> | null;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());
beforeEach(async () => {
  tenantId = await test.tenant();
  polls = [];
  hold = null;
});

const follower = () =>
  new SandboxFollower({
    database: test.database,
    clock: () => new Date(),
    ingestion: {
      pollNow: async () => {
        polls.push(new Date());
        await hold;
      },
    },
  });

async function start(name: string, pace: Pace): Promise<void> {
  await test.database.transaction({ tenantId }, (tx) =>
    startRun(tx, new Date(), named(name), {
      runId: randomUUID(),
      role: 'SENT',
      amount: '812.40',
      pace,
      onTimeout: null,
      situation: 'SCAM',
    }),
  );
}

describe('following a sandbox', () => {
  it('polls once if nothing follows', async () => {
    await follower().follow(tenantId);
    expect(polls).toHaveLength(1);
  });

  it('polls once more for all callers that arrive during a poll', async () => {
    const released = Promise.withResolvers<void>();
    hold = released.promise;
    const following = follower();
    const first = following.follow(tenantId);
    await expect.poll(() => polls.length).toBe(1);
    const others = Array.from({ length: 10 }, () => following.follow(tenantId));
    released.resolve();
    await Promise.all([first, ...others]);
    expect(polls).toHaveLength(2);
  });

  it('waits until immediate steps have happened, so that one poll sees all of them', async () => {
    await start('tracking-three-reports', 'instant');
    await follower().follow(tenantId);
    expect(polls).toHaveLength(1);
  });

  it('polls again by itself if a step is due soon', async () => {
    await start('cancelled-when-tracked', 'realtime');
    await follower().follow(tenantId);
    const before = polls.length;
    await expect.poll(() => polls.length).toBeGreaterThan(before);
  });

  it('does not poll again before the next step', async () => {
    await start('happy-path', 'stepped');
    await follower().follow(tenantId);
    expect(polls).toHaveLength(1);
  });

  it('releases a caller that waits for a directory that does not respond, and lets no caller wait again until it responds', async () => {
    const released = Promise.withResolvers<void>();
    hold = released.promise;
    const following = follower();
    await following.follow(tenantId);
    await Promise.all(Array.from({ length: 20 }, () => following.follow(tenantId)));
    // Each of these calls would wait as long as the first, which is longer than a test may take.
    for (let call = 0; call < 20; call++) await following.follow(tenantId);
    expect(polls).toHaveLength(1);
    released.resolve();
    await expect.poll(() => polls.length).toBe(2);
    await expect
      .poll(async () => {
        const before = polls.length;
        await following.follow(tenantId);
        return polls.length > before;
      })
      .toBe(true);
  });
});
