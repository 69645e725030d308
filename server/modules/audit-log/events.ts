/**
 * Wire form of audit events and checkpoints, and the search of the log. Used by the handlers, exports and trail of this
 * module. An event must be returned exactly as it was hashed, or readers cannot verify it. A wide range of time without
 * another filter is refused (`range_too_wide`).
 */
import { uuidIn } from '../../base/uuid.ts';
import { contentOf } from '../../audit/chain.ts';
import type { AuditRow } from '../../audit/store.ts';
import type { Checkpoint } from '../../audit/checkpoint.ts';
import { DAY_MILLISECONDS, type RealTime } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import { Problem } from '../../contract/problem.ts';
import type { AnyPrincipal } from '../../contract/operation.ts';
import type { Context } from '../../request/handler.ts';
import { listPage, type ListRequest } from '../../request/pagination.ts';
import { instantParameter } from '../../request/query.ts';
import { namesOf } from './names-store.ts';
import { listEvents } from './store.ts';

type Schemas = components['schemas'];

/** Returns the hashed members of an event and the hash, so that readers can recompute the hash from the members. */
export function eventToWire(row: AuditRow): Schemas['AuditEvent'] {
  const { changes, ...content } = contentOf(row);
  return { ...content, changes: changes.map((change) => ({ ...change })), hash: row.hash.toString('hex') };
}

export function checkpointToWire({
  tenantId,
  treeSize,
  rootHash,
  headHash,
  previousHash,
  timestamp,
  keyId,
  signature,
}: Checkpoint): Schemas['AuditCheckpoint'] {
  return {
    tenantId: uuidIn(tenantId),
    treeSize,
    rootHash: rootHash.toString('hex'),
    headHash: headHash.toString('hex'),
    previousCheckpointHash: previousHash?.toString('hex') ?? null,
    timestamp,
    keyId,
    signature: signature.toString('base64'),
  };
}

export const hex = (hash: Buffer): string => hash.toString('hex');

type Search = Pick<Context<'listAuditEvents'>, 'tx' | 'query' | 'visible' | 'now'> &
  ListRequest & { readonly principal: AnyPrincipal };

const WIDEST_RANGE_MILLISECONDS = 92 * DAY_MILLISECONDS;

/** Returns one page of the log of the transaction, newest first by default. */
export async function searchLog(ctx: Search): Promise<Schemas['AuditEventList']> {
  const { tx, principal, query, visible, now } = ctx;
  const { environment, action = [], actorId, actorType, resourceType, resourceId, outcome, fromSequence } = query;
  const from = instantParameter('from', query.from);
  const to = instantParameter('to', query.to);
  if (resourceId === undefined && fromSequence === undefined) assertNarrow(from, to, now);
  const page = await listPage(ctx, {
    rows: ({ after, count }) =>
      listEvents(tx, {
        tenantId: principal.tenantId,
        count,
        actions: action,
        actorId,
        actorType,
        resourceType,
        resourceId,
        outcome,
        from,
        to,
        fromSequence,
        // A key of the sandbox sees only events of the sandbox, whatever environment the request names.
        environments: visible.filter((one) => environment === undefined || one === environment),
        newestFirst: query.sort !== 'sequence',
        after: after && Number(after[0]),
      }),
    position: ({ sequence }) => [sequence],
    item: (event) => event,
  });
  return {
    ...page,
    items: page.items.map(eventToWire),
    names: await namesOf(tx, page.items, { principal, visible }),
    environments: [...visible],
  };
}

/** Rejects a wide range of time, which is searched event by event. Applies if no other filter narrows the search. */
export function assertNarrow(from: Date | undefined, to: Date | undefined, now: RealTime): void {
  if (from === undefined && to === undefined) return;
  const width = from === undefined ? Number.POSITIVE_INFINITY : (to ?? now).getTime() - from.getTime();
  if (width > WIDEST_RANGE_MILLISECONDS)
    throw new Problem('range_too_wide', {
      detail: 'At most 92 days from `from` to `to`, or a `resourceId` or `fromSequence`.',
    });
}
