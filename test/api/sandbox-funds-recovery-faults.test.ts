/** Tests of the faults of the simulated directory that the API arms. */
import { describe, expect, it } from 'vitest';
import { faults } from '../../server/simulators/directory/index.ts';
import { success } from '../support/api.ts';
import { shared } from '../support/service.ts';
import { expectedOf, PlayWorld, type PlayedSandbox } from './sandbox-funds-recovery-world.ts';

const world = await shared(PlayWorld.start());

/** Advances the time: the directory is asked again after its pause, and missing notifications are awaited. */
async function laterOn(sandbox: PlayedSandbox, runId: string): Promise<void> {
  world.service.advance(61_000);
  await sandbox.advanced(runId, 'PT11M');
  await sandbox.settled();
}

describe('a fault that is armed before a scenario', () => {
  it.each(faults.filter((kind) => kind !== 'unknown_enum'))(
    'does not show in the feed, each event of which comes once and in its order: %s',
    async (kind) => {
      const sandbox = await world.sandbox();
      await success(sandbox.arm({ kind }));
      const run = await sandbox.started('happy-path');
      await sandbox.settled();
      await sandbox.toTheEnd(run);
      for (let tries = 0; tries < 3 && (await sandbox.published()).length < 7; tries++)
        await laterOn(sandbox, run.runId);
      expect(await sandbox.published()).toEqual(expectedOf('happy-path', 'SENT'));
    },
  );

  it('passes on an unknown status, and nothing else differs', async () => {
    const sandbox = await world.sandbox();
    await success(sandbox.arm({ kind: 'unknown_enum' }));
    await sandbox.toTheEnd(await sandbox.started('happy-path'));
    expect((await sandbox.published()).filter((event) => event !== 'INFORMATION_UPDATED')).toEqual(
      expectedOf('happy-path', 'SENT'),
    );
    const odd = (await sandbox.feed()).find(({ eventType }) => eventType === 'FUNDS_RECOVERY_INFORMATION_UPDATED');
    expect(odd?.rawPayload).toMatchObject({ FundsRecovery: { Status: 'ESCALATED' } });
  });
});

describe('arming', () => {
  it('applies to the next answers, and adds up to a hundred', async () => {
    const sandbox = await world.sandbox();
    const arm = async (kind: (typeof faults)[number], count?: number): Promise<number> =>
      (await success(sandbox.arm({ kind, ...(count !== undefined && { count }) }))).body.remaining;
    expect([await arm('truncated'), await arm('truncated', 2), await arm('truncated', 100)]).toEqual([1, 3, 100]);
    expect([
      await arm('dropped_notification'),
      await arm('late_notification', 4),
      await arm('dropped_notification', 100),
      await arm('dropped_notification'),
    ]).toEqual([1, 4, 100, 100]);
  });

  it('no longer counts notifications that were dropped', async () => {
    const sandbox = await world.sandbox();
    await success(sandbox.arm({ kind: 'dropped_notification', count: 3 }));
    // The dropped notifications announce the analysis and the completion.
    await sandbox.toTheEnd(await sandbox.started('root-rejected'));
    expect((await success(sandbox.arm({ kind: 'dropped_notification', count: 1 }))).body.remaining).toBe(2);
  });

  it('sends no request to the directory by itself, so that the fault affects the scenario', async () => {
    const sandbox = await world.sandbox();
    await success(sandbox.arm({ kind: 'truncated' }));
    await sandbox.settled();
    await sandbox.started('happy-path');
    await sandbox.settled();
    expect(await sandbox.published()).toEqual([]);
  });
});
