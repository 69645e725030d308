/** Tests of the rule about two clocks: business time and real time must not be mixed, or it does not compile. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { AuditEvent } from '../../server/audit/store.ts';
import {
  addMilliseconds,
  businessTime,
  type BusinessTime,
  DAY_MILLISECONDS,
  type RealTime,
} from '../../server/base/time.ts';
import type { InsertOf } from '../../server/database/index.ts';
import type { application } from '../../server/modules/applications/index.ts';
import type { alert, raise, subscription } from '../../server/modules/subscriptions/index.ts';
import type { Context } from '../../server/request/handler.ts';
import { calendarDate, monthsLater } from '../../server/rules/brazilian-calendar.ts';
import type { Due } from '../../server/tasks/due.ts';
import type { enqueueTask } from '../../server/tasks/task.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Files in which real time becomes business time, each with what knows how far the clock is ahead. */
const MAKES_BUSINESS_TIME: Readonly<Record<string, string>> = {
  'server/modules/recovery-feed/health.ts': 'the list of tenants of a periodic job',
  'server/modules/recovery-ingestion/participants-store.ts': 'live, whose clock is never ahead',
  'server/modules/recovery-retention/purge.ts': 'the list of tenants of a periodic job',
  'server/modules/sandbox-clock/store.ts': 'the clock of the sandbox itself',
  'server/request/context.ts': 'the credential of the caller',
  'server/tasks/business-time-store.ts': 'the row of the tenant, for tasks, which have no caller',
  'server/tasks/due.ts': 'the list of tenants of a periodic job',
};

const now: RealTime = new Date('2026-11-26T12:00:00Z');
const at: BusinessTime = businessTime(now, DAY_MILLISECONDS);

describe('A due date by the wrong clock does not compile', () => {
  it('if it is computed from real time', () => {
    // @ts-expect-error a validity counts from business time
    expect(monthsLater(now, 1)).toBeInstanceOf(Date);
    // @ts-expect-error the day by which ages and expiry dates are judged is a day of business time
    expect(calendarDate(now)).toBe('2026-11-26');
    // @ts-expect-error a sum with real time is real time
    const due: BusinessTime = addMilliseconds(now, DAY_MILLISECONDS);
    expect(due).toEqual(at);
    expectTypeOf(addMilliseconds(at, 1)).toEqualTypeOf<BusinessTime>();
    expectTypeOf<RealTime>().not.toMatchTypeOf<Parameters<typeof raise>[2]['at']>();
  });

  it('if it is stored in a column of business time, as a time or as text', () => {
    type Stored = InsertOf<typeof alert>['slaDueAt'];
    // @ts-expect-error real time
    const time: Stored = now;
    // @ts-expect-error real time as text
    const text: Stored = now.toISOString();
    const stored: readonly Stored[] = [at, at.toISOString()];
    expect([time, text, ...stored]).toHaveLength(4);
    for (const column of [
      expectTypeOf<InsertOf<typeof application>['createdAt']>(),
      expectTypeOf<InsertOf<typeof subscription>['createdAt']>(),
    ])
      column.not.toMatchTypeOf<RealTime>();
    expectTypeOf<RealTime>().not.toMatchTypeOf<NonNullable<InsertOf<typeof application>['expiresAt']>>();
    expectTypeOf<RealTime>().not.toMatchTypeOf<NonNullable<InsertOf<typeof subscription>['nextRunAt']>>();
  });

  it('if business time is used for a task, for the audit log or for the time of a request', () => {
    // @ts-expect-error a task would wait until real time reaches the clock of the sandbox
    const dueAt: Parameters<typeof enqueueTask>[3] = at;
    // @ts-expect-error audit events have real time
    const occurredAt: AuditEvent['occurredAt'] = at.toISOString();
    // @ts-expect-error the time of a request is real time
    const time: Context<'getApplication'>['now'] = at;
    expect([dueAt, occurredAt, time]).toEqual([at, at.toISOString(), at]);
    expectTypeOf<Pick<Parameters<Due['run']>[1], 'now' | 'businessTime'>>().toEqualTypeOf<{
      readonly now: RealTime;
      readonly businessTime: BusinessTime;
    }>();
  });
});

it('Real time becomes business time only where the lead of a clock is known', () => {
  const callers = globSync('server/**/*.ts', { cwd: ROOT }).filter(
    (path) =>
      !/\.test\.ts$|\/testing\/|^server\/base\/time\.ts$/.test(path) &&
      /\bbusinessTime\(|\bas BusinessTime\b/.test(readFileSync(join(ROOT, path), 'utf8')),
  );
  expect(callers.sort()).toEqual(Object.keys(MAKES_BUSINESS_TIME));
});
