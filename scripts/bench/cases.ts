/**
 * Measures how many rows of cases the summary and the work view read among a million cases, and how long that takes.
 * Used by main.ts.
 */
import { type Crowd, insertCases, type Reading, readingsOf } from '../../test/support/crowd-of-cases.ts';
import { amount, type Section } from './figures.ts';
import type { Laboratory } from './laboratory.ts';

/** Share of the cases that are open, and share of those that were resolved in the last 30 days. */
const [OPEN, RECENT] = [0.002, 0.02];

export async function measureCases({ createDatabase, extent, say }: Laboratory): Promise<Section[]> {
  const count = extent.cases;
  const [open, recent] = [Math.round(count * OPEN), Math.round(count * RECENT)];
  const crowd: Crowd = { open, recent, old: count - open - recent };
  say(`storing ${count} cases …`);
  await using opened = new AsyncDisposableStack();
  const database = opened.adopt(await createDatabase(2), (one) => one.close());
  const of = { tenantId: await database.tenant(), userId: '0197f2c4-8a10-7c3e-9f52-2b6d1c7e4a01' };
  await insertCases(database, of, crowd);
  // The first run fills the caches.
  await readingsOf(database, of);
  const readings = await readingsOf(database, of);
  const rowsOf = ({ rows }: Reading) => amount(rows, 'rows');
  return [
    {
      title: `Cases: ${count}, of which ${open} are open and ${recent} were resolved in 30 days`,
      raw: { crowd, readings },
      rows: [
        ['summary, open cases: rows read', rowsOf(readings.open), `≤ ${open} rows`],
        ['summary, resolved cases: rows read', rowsOf(readings.resolved), `≤ ${recent} rows`],
        ['work view, own cases: rows read', rowsOf(readings.own), `≤ ${open} rows`],
        ['work view, resolutions: rows of cases read', rowsOf(readings.toReview), `≤ ${open} rows`],
        ['summary', amount(readings.open.milliseconds + readings.resolved.milliseconds, 'ms')],
        ['work view', amount(readings.own.milliseconds + readings.toReview.milliseconds, 'ms')],
      ],
    },
  ];
}
