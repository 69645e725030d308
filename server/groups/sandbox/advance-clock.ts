import { documentsExpiredBetween, expireDraftsIn } from '../applications/index.ts';
import { ahead, moveClock } from './clock.ts';
import type { Effect, Simulating } from './simulate.ts';

/** What is due by the new time happens at once, as far as one request can carry it; the periodic work does the rest. */
export async function advanceClock({ tx, tenantId, now }: Simulating, seconds: number): Promise<Effect[]> {
  const { from, to } = await moveClock(tx, seconds);
  const time = ahead(now, to);
  const [drafts, documents] = await Promise.all([
    expireDraftsIn(tx, 'sandbox', time, now),
    documentsExpiredBetween(tx, ahead(now, from), time),
  ]);
  return [
    { resource: { type: 'sandbox_clock', id: tenantId }, change: `offset ${from} s to ${to} s` },
    ...drafts.map((id) => ({ resource: { type: 'application', id }, change: 'status draft to expired' })),
    ...documents.map(({ documentId, expiredOn }) => ({ resource: { type: 'document', id: documentId }, change: `past its date ${expiredOn}` })),
  ];
}
