/**
 * The clock of a tenant's sandbox, which can be ahead of real time and never behind. The lead is a number of seconds in
 * the tenant's row; everything of the sandbox that depends on time uses `sandboxTime` or `timeIn('sandbox')` of its
 * context. Only a reset returns the clock to real time.
 *
 * The module may use applications and database.
 *
 * `advanceClock` moves the clock, processes at once what is due by the new time (the dues of all modules), and reports
 * documents past their date. The periodic jobs, which use the same clock, process what exceeds one request. Every
 * change of the clock and every reset holds `lockSimulations`, so that two of them never wait for each other's rows.
 */
import type { Module } from '../../tasks/module.ts';

export { advanceClock } from './advance-clock.ts';
export { lockSimulations, resetClock, sandboxTime } from './store.ts';

export const sandboxClockModule = { name: 'sandbox-clock' } satisfies Module<never>;
