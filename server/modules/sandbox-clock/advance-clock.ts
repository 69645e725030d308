import type { components } from '../../contract/generated/types.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import { documentsExpiredBetween, expireApplicationsIn } from '../applications/index.ts';
import { moveClock, shiftedBySeconds } from './store.ts';

export type Effect = components['schemas']['SimulationEffect'];

interface ClockContext {
  readonly tx: Transaction;
  readonly tenantId: string;
  readonly now: Date;
}

/**
 * What is due by the new time happens at once, as far as one request can carry it; the periodic work does the rest.
 *
 * @param pointer the member of the request that said how far
 */
export async function advanceClock({ tx, tenantId, now }: ClockContext, { seconds, pointer }: { readonly seconds: number; readonly pointer: string }): Promise<Effect[]> {
  const move = await moveClock(tx, seconds);
  if (move === null) {
    throw new Problem('validation_failed', {
      errors: [{ pointer, code: 'range', message: 'the clock can be a hundred years ahead at most; a reset of the sandbox returns it to real time' }],
    });
  }
  const { from, to } = move;
  const time = shiftedBySeconds(now, to);
  const [expired, documents] = await Promise.all([
    expireApplicationsIn(tx, 'sandbox', time, now),
    documentsExpiredBetween(tx, shiftedBySeconds(now, from), time),
  ]);
  return [
    { resource: { type: 'sandbox_clock', id: tenantId }, change: `offset ${from} s to ${to} s` },
    ...expired.map(({ id, from: status }) => ({ resource: { type: 'application', id }, change: `status ${status} to expired` })),
    ...documents.map(({ documentId, expiredOn }) => ({ resource: { type: 'document', id: documentId }, change: `past its date ${expiredOn}` })),
  ];
}
