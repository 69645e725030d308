/** Test of a return of money after its recovery has ended, which no notification announces. */
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { named } from '../../../test/support/courses.ts';
import { FoldedDirectory } from '../../../test/support/folded-directory.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.ts';
import { silent } from '../../../test/support/silent.ts';
import type { Directory, ListAnswer, RefundDocument } from '../../providers/directory/index.ts';
import { fold } from '../../simulators/directory/core/fold.ts';
import type { JournalEntry, Role } from '../../simulators/directory/core/model.ts';
import { sandboxIspb } from '../../simulators/directory/core/values.ts';
import { standardStageLimits } from '../recoveries/index.ts';
import { IngestionAlarm, type IngestionContext } from './context.ts';
import type { Participant } from './participants.ts';
import { pollRound } from './round.ts';

const begin = Date.parse('2026-11-21T12:00:00.000Z');
const day = 24 * 3_600_000;

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

/**
 * A receiver that could return only a part watches the account for 90 days, and returns more as money comes in. The
 * recovery has ended by then, so no notification announces the return; the directory's list of refunds shows it.
 */
it.each<Role>(['SENT', 'RECEIVED'])(
  'publishes money that is returned after the recovery has ended, until day 90, from the lists alone, as %s',
  async (role) => {
    const tenantId = await test.tenant();
    const ispb = sandboxIspb(tenantId);
    const course = named('partial-refund').open({
      runId: 'run',
      role,
      amount: '812.40',
      pace: 'stepped',
      onTimeout: null,
      situation: 'SCAM',
    });
    const journal: JournalEntry[] = [{ seq: 1, at: new Date(begin).toISOString(), command: course }];
    let now = begin;
    let returned: { readonly at: number; readonly amount: string } | null = null;
    const reads: string[] = [];
    const later = <T extends RefundDocument>(refund: T): T =>
      returned === null
        ? refund
        : { ...refund, LastModified: new Date(returned.at).toISOString(), EffectiveRefundedAmount: returned.amount };
    const directory: Directory = new Proxy(new FoldedDirectory(() => fold(tenantId, journal, now)) as Directory, {
      get(target, name: keyof Directory) {
        if (name === 'recoveryReadsLeft') return async () => (returned === null ? Infinity : 0);
        return async (...given: unknown[]): Promise<unknown> => {
          reads.push(name);
          const answer = await (target[name] as (...all: unknown[]) => Promise<unknown>).apply(
            target,
            name === 'listRefunds'
              ? [ispb, { ...(given[1] as object), modifiedAfter: new Date(begin).toISOString() }]
              : given,
          );
          if (name !== 'listRefunds') return answer;
          const { modifiedAfter } = given[1] as { readonly modifiedAfter: string };
          const { items, ...rest } = answer as ListAnswer<RefundDocument>;
          return { ...rest, items: items.map(later).filter(({ LastModified }) => LastModified >= modifiedAfter) };
        };
      },
    });
    const participant: Participant = {
      environment: 'live',
      ispb,
      tenantId,
      directory,
      source: 'DICT',
      members: new Map([[ispb, tenantId]]),
      includeIndirect: false,
    };
    const ingesting: IngestionContext = {
      database: test.database,
      limits: standardStageLimits,
      alarm: new IngestionAlarm(new Registry(), silent),
      timeOf: async () => new Date(now),
      signal: new AbortController().signal,
    };
    const changes = () =>
      test.sql<{
        before: string;
        after: string;
        status: string;
        at: string;
      }>(
        `SELECT raw_payload #>> '{Changed,Before,EffectiveRefundedAmount}' AS before,
    raw_payload #>> '{Changed,After,EffectiveRefundedAmount}' AS after, status, occurred_at AS at FROM fr_event
      WHERE tenant_id = $1 AND event_type = 'FUNDS_RECOVERY_REFUND_CHANGED' ORDER BY seq`,
        [tenantId],
      );

    for (; now < begin + 20 * day; now += day) await pollRound(ingesting, participant, true);
    const [{ status, paid } = { status: '', paid: '' }] = await test.sql<{ status: string; paid: string }>(
      `SELECT status, snapshot #>> '{Refunds,0,EffectiveRefundedAmount}' AS paid FROM fr_record WHERE tenant_id = $1`,
      [tenantId],
    );
    expect([status, await changes()]).toEqual(['COMPLETED', []]);
    reads.length = 0;
    let before = paid;
    for (const [days, amount] of [
      [45, '600.00'],
      [90, '812.40'],
    ] as const) {
      now = begin + days * day;
      returned = { at: now - 1000, amount };
      await pollRound(ingesting, participant, false);
      expect((await changes()).at(-1)).toEqual({
        before,
        after: amount,
        status: 'COMPLETED',
        at: new Date(now - 1000).toISOString(),
      });
      before = amount;
    }
    expect(await changes()).toHaveLength(2);
    expect(new Set(reads)).toEqual(new Set(['listEventNotifications', 'listInfractionReports', 'listRefunds']));
  },
);
