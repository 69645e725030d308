import type { components } from '../../../contract/generated/types.ts';
import type { Cursors } from '../../../http/cursor.ts';
import { DEFAULT_LIMIT } from '../../../http/page.ts';
import { toEvent } from '../event.ts';
import { cutPage } from '../page.ts';
import { payloadView } from '../payloads/visible.ts';
import type { Reach } from './access.ts';
import { visibleRecovery } from './access.ts';
import type { PageRequest } from './documents-page.ts';
import { readTimeline } from './store.ts';

/** The events of one recovery as the feed carries them. No position of any consumer moves. */
export async function timelinePage(ctx: Reach & PageRequest, cursors: Cursors): Promise<components['schemas']['FundsRecoveryTimeline']> {
  const { tx, principal, operationId, query: { limit = DEFAULT_LIMIT, cursor } } = ctx;
  const { tenantId } = principal;
  const { env, funds_recovery_id: id } = await visibleRecovery(ctx);
  const binding = { tenantId, operationId, filters: { environment: env, fundsRecoveryId: id } };
  const seq = cursor === undefined ? 0 : Number(cursors.decode(binding, cursor)[0]);
  const [rows, show] = await Promise.all([tx.run(readTimeline, { tenantId, id, env, seq, count: limit + 1 }), payloadView(tx, principal)]);
  const { page, hasMore } = cutPage(rows, limit);
  return { events: page.map((row) => toEvent(row, show)), cursor: hasMore ? cursors.encode(binding, [page.at(-1)!.seq]) : null, hasMore };
}
