/** Tests of the times by which tasks are due, also in the hours in which UTC and São Paulo have different days. */
import { expect, it } from 'vitest';
import { type BusinessTimestamp, readBusinessTime } from '../../base/time.ts';
import { taskDue } from './task-due.ts';

const due = (at: string, user: Parameters<typeof taskDue>[0]): string | undefined =>
  taskDue(user, readBusinessTime(at as BusinessTimestamp))?.toISOString();

it.each([
  ['one business day from a Thursday evening, which is Friday in UTC', '2026-11-27T01:30:00.000Z', 1, '2026-11-28'],
  ['one business day from the Thursday afternoon before', '2026-11-26T18:00:00.000Z', 1, '2026-11-28'],
  ['one business day from a Friday evening, which is Saturday in UTC', '2026-11-28T02:59:00.000Z', 1, '2026-12-01'],
  ['two business days from before Christmas', '2026-12-24T02:00:00.000Z', 2, '2026-12-29'],
  ['business days of ten years', '2026-11-27T01:30:00.000Z', 2500, '2036-11-19'],
])('A task is due after %s, at midnight in São Paulo', (_, at, dueBusinessDays, day) => {
  expect(due(at, { dueBusinessDays })).toBe(`${day}T03:00:00.000Z`);
});

it('A task is due after hours of the clock, or by the earlier of both', () => {
  const at = '2026-11-27T01:30:00.000Z';
  expect(due(at, { dueHours: 48 })).toBe('2026-11-29T01:30:00.000Z');
  expect(due(at, { dueHours: 4, dueBusinessDays: 1 })).toBe('2026-11-27T05:30:00.000Z');
  expect(due(at, { dueHours: 480, dueBusinessDays: 1 })).toBe('2026-11-28T03:00:00.000Z');
  expect(due(at, {})).toBeUndefined();
});
