/** Property tests of the directory simulator: rules that hold for the fold of any journal. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scenarios } from '../scenarios/catalogue.ts';
import { fold } from './fold.ts';
import { historyOf } from './history.ts';
import { type Command, expiryPolicies, type JournalEntry, paces, situations } from './model.ts';
import { rankOf } from './simulation.ts';
import { day, uuidOf } from './values.ts';

const tenantId = '0190f0a0-0000-7000-8000-000000000001';
const begin = Date.parse('2026-02-14T12:00:00.000Z');

const opening = fc
  .record({
    scenario: fc.constantFrom(...scenarios),
    role: fc.nat(1),
    cents: fc.integer({ min: 100, max: 10_000_000 }),
    pace: fc.constantFrom(...paces),
    onTimeout: fc.option(fc.constantFrom(...expiryPolicies)),
    situation: fc.constantFrom(...situations),
    run: fc.nat(3),
  })
  .map(
    ({ scenario, role, cents, pace, onTimeout, situation, run }): Command =>
      scenario.open({
        runId: `run-${run}`,
        role: scenario.roles[role % scenario.roles.length] ?? 'SENT',
        amount: (cents / 100).toFixed(2),
        pace,
        onTimeout,
        situation,
      }),
  );
const act = fc
  .record({ run: fc.nat(3), action: fc.constantFrom('START_REFUND', 'CANCEL', 'UPDATE_INFORMATION') })
  .map(({ run, action }): Command => ({ type: 'ACT', runId: `run-${run}`, action }));
const disturbance = fc.record({
  type: fc.constantFrom('DROP_NOTIFICATIONS', 'DELAY_NOTIFICATIONS'),
  count: fc.integer({ min: 1, max: 3 }),
});
const moment = fc.oneof(fc.nat(50), fc.nat(20 * day)).map((after) => begin + after);
const journals = fc
  .array(fc.tuple(fc.oneof({ weight: 3, arbitrary: opening }, { weight: 2, arbitrary: act }, disturbance), moment), {
    maxLength: 12,
  })
  .map((commands) =>
    commands.map(([command, at], index): JournalEntry => ({ seq: index + 1, at: new Date(at).toISOString(), command })),
  );

const property = (check: (journal: readonly JournalEntry[], earlier: number, later: number) => void): void =>
  fc.assert(
    fc.property(journals, moment, moment, (journal, a, b) => check(journal, Math.min(a, b), Math.max(a, b))),
    { numRuns: 300 },
  );

/** Checks a property for every recovery that a random journal has started by a random time. */
const propertyOfRuns = (
  check: (run: ReturnType<typeof fold>['runs'][number], journal: readonly JournalEntry[], now: number) => void,
): void => {
  let runs = 0;
  property((journal, now) => {
    for (const run of fold(tenantId, journal, now).runs) {
      runs++;
      check(run, journal, now);
    }
  });
  expect(runs).toBeGreaterThan(100);
};

describe('folding any journal', () => {
  it('returns the same bytes each time and for any order of the entries', () =>
    property((journal, _, now) => {
      const state = JSON.stringify(fold(tenantId, journal, now));
      expect(JSON.stringify(fold(tenantId, journal, now))).toBe(state);
      expect(JSON.stringify(historyOf(fold(tenantId, journal.toReversed(), now)))).toBe(
        JSON.stringify(historyOf(fold(tenantId, journal, now))),
      );
    }));

  it('keeps at a later time everything that it reported earlier', () =>
    property((journal, earlier, later) => {
      const [before, after] = [fold(tenantId, journal, earlier), fold(tenantId, journal, later)];
      const facts = ({ runs }: typeof before, runId: string) =>
        runs
          .find((run) => run.runId === runId)
          ?.facts.map(({ at, kind, status, report, result }) => [at, kind, status, report?.id, result]) ?? [];
      for (const { runId } of before.runs) {
        const known = facts(before, runId);
        expect(facts(after, runId).slice(0, known.length)).toEqual(known);
      }
      expect(after.notifications.slice(0, before.notifications.length)).toEqual(before.notifications);
      const keys = new Map(historyOf(after).map((event) => [event.dedupeKey, event]));
      for (const { goneAt: _, ...event } of historyOf(before)) expect(keys.get(event.dedupeKey)).toMatchObject(event);
    }));

  it('is not changed by a later command', () =>
    property((journal, earlier, later) => {
      const earlierEntries = journal.filter(({ at }) => Date.parse(at) <= earlier);
      expect(fold(tenantId, journal, earlier).notifications).toEqual(
        fold(tenantId, earlierEntries, earlier).notifications,
      );
      const late: JournalEntry[] = [
        ...earlierEntries,
        ...earlierEntries.flatMap(({ command }, index): JournalEntry[] =>
          command.type === 'OPEN_RECOVERY'
            ? [
                {
                  seq: 100 + index,
                  at: new Date(earlier).toISOString(),
                  command: { type: 'ACT', runId: command.runId, action: 'CANCEL' },
                },
              ]
            : [],
        ),
      ];
      const known = fold(tenantId, earlierEntries, earlier);
      const facts = fold(tenantId, late, later).runs.map((run) => run.facts.map(({ at, kind }) => [at, kind]));
      known.runs.forEach((run, index) =>
        expect(facts[index]?.slice(0, run.facts.length)).toEqual(run.facts.map(({ at, kind }) => [at, kind])),
      );
    }));

  it('never moves a status back and never leaves a final status', () =>
    propertyOfRuns(({ facts }) => {
      const ranks = facts.map(({ status }) => rankOf(status));
      expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
      expect(facts.map(({ at }) => at)).toEqual(facts.map(({ at }) => at).toSorted((a, b) => a - b));
      expect(ranks.filter((rank) => rank === rankOf('COMPLETED')).length).toBeLessThanOrEqual(1);
    }));

  it('reports only existing recoveries, once each, with unique keys and ids', () =>
    property((journal, _, now) => {
      const state = fold(tenantId, journal, now);
      const ids = state.runs.flatMap(({ recovery }) => (recovery === null ? [] : [recovery.id]));
      for (const { entityId, participant } of state.notifications)
        expect([ids.includes(entityId), participant]).toEqual([true, state.ispb]);
      for (const list of [
        ids,
        state.notifications.map(({ id }) => id),
        historyOf(state).map(({ dedupeKey }) => dedupeKey),
      ])
        expect(new Set(list).size).toBe(list.length);
    }));

  it('never returns more than was lost, and asks one receiver at a time', () =>
    propertyOfRuns(({ recovery, refunds }) => {
      expect(refunds.reduce((sum, { returned }) => sum + returned, 0)).toBeLessThanOrEqual(recovery?.amount ?? 0);
      expect(refunds.filter(({ status }) => status === 'OPEN').length).toBeLessThanOrEqual(1);
      for (const refund of refunds) expect(refund.report.result).toBe('AGREED');
    }));

  it('knows the next step of more than half of the active runs', () => {
    const seen = { next: 0, runs: 0 };
    propertyOfRuns(({ runId, nextAt, facts }, journal, now) => {
      seen.runs++;
      if (nextAt === null) return;
      seen.next++;
      expect(nextAt).toBeGreaterThan(now);
      const before = fold(tenantId, journal, nextAt - 1).runs.find((run) => run.runId === runId);
      expect(before?.facts).toEqual(facts);
    });
    expect(seen.next / seen.runs).toBeGreaterThan(0.5);
  });
});

describe('an identifier', () => {
  it('is a UUID of version 5', () => {
    expect(uuidOf('a', 'b')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});
