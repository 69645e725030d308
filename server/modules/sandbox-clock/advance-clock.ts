/**
 * Moves the clock of a sandbox and processes what is due by the new time. Exported by the index and called by
 * simulations of the sandbox. The caller holds `lockSimulations`. Refused beyond a hundred years; what one request
 * cannot process follows in the periodic jobs.
 */
import type { RealTime } from '../../base/time.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import type { Due, Effect } from '../../tasks/due.ts';
import { documentsExpiredBetween } from '../applications/index.ts';
import { moveClock, shiftedBySeconds } from './store.ts';

interface ClockContext {
  readonly tx: Transaction;
  readonly tenantId: string;
  readonly now: RealTime;
  /** Everything that may be due by the new time. */
  readonly dues: readonly Due[];
}

/**
 * Moves the clock and processes what is due by the new time at once, as far as one request can; the periodic job does
 * the rest.
 *
 * @param pointer the member of the request that contains the duration
 */
export async function advanceClock(
  { tx, tenantId, now, dues }: ClockContext,
  { seconds, pointer }: { readonly seconds: number; readonly pointer: string },
): Promise<Effect[]> {
  const move = await moveClock(tx, seconds);
  if (move === null) {
    throw new Problem('validation_failed', {
      errors: [
        {
          pointer,
          code: 'range',
          message: 'the clock can be a hundred years ahead at most; a reset of the sandbox returns it to real time',
        },
      ],
    });
  }
  const { from, to } = move;
  const time = shiftedBySeconds(now, to);
  const effects: Effect[] = [];
  for (const due of dues) effects.push(...(await due.run(tx, { environment: 'sandbox', businessTime: time, now })));
  const documents = await documentsExpiredBetween(tx, shiftedBySeconds(now, from), time);
  return [
    { resource: { type: 'sandbox_clock', id: tenantId }, change: `offset ${from} s to ${to} s` },
    ...effects,
    ...documents.map(({ documentId, expiredOn }) => ({
      resource: { type: 'document', id: documentId },
      change: `past its date ${expiredOn}`,
    })),
  ];
}
