/** Tests that the API can start and advance every scenario of the simulated directory. */
import { describe, expect, it } from 'vitest';
import { type Role, scenarios } from '../../server/simulators/directory/index.ts';
import { success } from '../support/api.ts';
import { named } from '../support/courses.ts';
import { shared } from '../support/service.ts';
import { expectedOf, notationOf, PlayWorld } from './sandbox-funds-recovery-world.ts';

const world = await shared(PlayWorld.start());

/**
 * Each scenario in one of its roles, which alternate: the role makes no difference to how it is started, advanced and
 * read, and funds-recovery-scenarios.test.ts follows each of them in each role. `make soak` plays all of them here as
 * well.
 */
const cases = scenarios.flatMap(({ name, roles }, index) =>
  (process.env['SOAK'] === 'true' ? roles : roles.slice(index % roles.length).slice(0, 1)).map((role) => ({
    name,
    role,
  })),
);

describe.concurrent('a scenario that is started and advanced by HTTP', () => {
  it.for(cases)(
    'fills the feed with its events, each once and in their order: $name as $role',
    async ({ name, role }, { expect }) => {
      const sandbox = await world.sandbox();
      const run = await sandbox.started(name, { role });
      const end = run.finished ? run : await sandbox.toTheEnd(run);
      await sandbox.caughtUp();
      const events = await sandbox.feed();
      expect(notationOf(events)).toEqual(expectedOf(name, role));
      expect(new Set(events.map(({ fundsRecoveryId }) => fundsRecoveryId))).toEqual(
        new Set(run.fundsRecoveryId === null ? [] : [run.fundsRecoveryId]),
      );
      expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(events.length);
      expect(end).toMatchObject({
        runId: run.runId,
        scenario: name,
        role,
        pace: 'stepped',
        nextStepAt: null,
        finished: true,
        createdAt: run.createdAt,
      });
      expect((await success(sandbox.run(run.runId))).body).toMatchObject({ finished: true, nextStepAt: null });
    },
  );
});

describe('a step to the next event', () => {
  it('shows the events of that instant, and nothing after it', async () => {
    const sandbox = await world.sandbox();
    const run = await sandbox.started('happy-path');
    const seen = [(await sandbox.feed()).length];
    for (let at = run; !at.finished; ) {
      at = await sandbox.advanced(run.runId, 'toNextEvent');
      await sandbox.caughtUp();
      seen.push((await sandbox.feed()).length);
    }
    // The recovery appears with its report, the answer of the only counterparty ends the analysis, and refunding begins
    // with a refund.
    expect(seen).toEqual([2, 3, 4, 6, 8, 9, 10]);
  });
});

describe('the list of scenarios', () => {
  it('names the available scenarios and their outcomes, also for callers who may only read and while the switch is off', async () => {
    const tenant = await world.service.tenant();
    const { status, body } = await success(
      world.service.api.GET('/v1/sandbox/funds-recovery/scenarios', { headers: await tenant.key(['read']) }),
    );
    expect([status, body.scenarios.map(({ name }) => name)]).toEqual([200, scenarios.map(({ name }) => name)]);
    const types = (name: string, role: Role): string[] =>
      named(name)
        .expected(role)
        .map(({ eventType }) => eventType);
    for (const { name, roles, expectedEvents, expectedEventsReceived } of body.scenarios) {
      expect(expectedEvents).toEqual(types(name, 'SENT'));
      expect(expectedEventsReceived).toEqual(roles.includes('RECEIVED') ? types(name, 'RECEIVED') : []);
    }
  });
});
