/**
 * Finds the recovery that a request names, and reads its documents and timeline. Used by the handlers and, through the
 * index, by recovery-retention. Answers 404 for recoveries of other tenants and of environments that the caller does
 * not see.
 */
import type { components } from '../../contract/generated/types.ts';
import type { AnyPrincipal, Environment } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import { DEFAULT_LIMIT, listPage, type ListRequest, type Page } from '../../request/pagination.ts';
import { cutPage, payloadView, toEvent } from '../recovery-feed/index.ts';
import { findRecords, readTimeline, type RecordRow } from './read-store.ts';

/** The parts of a request's context that determine which recoveries the caller sees. */
export interface RecoveryRequest {
  readonly tx: Transaction;
  readonly principal: AnyPrincipal;
  readonly params: { readonly fundsRecoveryId: string };
  readonly environment: Environment;
  readonly visible: readonly Environment[];
  readonly setResourceEnvironment: (environment: Environment) => void;
}

/**
 * Returns the recovery, or 404, also if the recovery belongs to another tenant or to an environment that the caller
 * does not see. If the directories of both environments know the same id, the recovery of the effective environment is
 * returned.
 */
export async function visibleRecovery({
  tx,
  principal: { tenantId },
  params,
  environment,
  visible,
  setResourceEnvironment,
}: RecoveryRequest): Promise<RecordRow> {
  const records = (await tx.run(findRecords, { tenantId, id: params.fundsRecoveryId })).filter((row) =>
    visible.includes(row.environment),
  );
  const record = records.find((row) => row.environment === environment) ?? records[0];
  if (record === undefined) throw new Problem('not_found');
  setResourceEnvironment(record.environment);
  return record;
}

interface Listed {
  readonly Id: string;
  readonly CreationTime: string;
}

/** Documents of one recovery, and how one of them is shown. */
interface RecordDocuments<D extends Listed, Item> {
  readonly record: Pick<RecordRow, 'environment' | 'id'>;
  readonly documents: readonly D[];
  readonly present: (document: D) => Item;
}

/**
 * Returns a page of the documents of one recovery, the oldest first. The documents are stored in the recovery's record,
 * so all of them are in memory.
 */
export function documentsPage<D extends Listed, Item>(
  ctx: ListRequest,
  { record, documents, present }: RecordDocuments<D, Item>,
): Promise<Page<Item>> {
  const inOrder = documents.toSorted((one, other) => (sortKey(positionOf(one)) < sortKey(positionOf(other)) ? -1 : 1));
  return listPage(ctx, {
    rows: async ({ after, count }) =>
      inOrder.filter((document) => after === null || sortKey(positionOf(document)) > sortKey(after)).slice(0, count),
    position: positionOf,
    item: present,
    bind: boundTo(record),
  });
}

/** Binds a cursor to one recovery: the directories of both environments may know the same id. */
const boundTo = ({ environment, id }: Pick<RecordRow, 'environment' | 'id'>) => ({ environment, fundsRecoveryId: id });

const positionOf = ({ CreationTime, Id }: Listed): readonly [string, string] => [CreationTime, Id];
const sortKey = (position: readonly unknown[]): string => position.join(' ');

/** Returns the events of one recovery as the feed carries them. Does not move the position of any consumer. */
export async function timelinePage(
  ctx: RecoveryRequest & ListRequest,
): Promise<components['schemas']['FundsRecoveryTimeline']> {
  const { tx, principal, operationId, cursors } = ctx;
  const { limit = DEFAULT_LIMIT, cursor } = ctx.query;
  const { tenantId } = principal;
  const record = await visibleRecovery(ctx);
  const { environment, id } = record;
  const binding = { tenantId, operationId, filters: boundTo(record) };
  const seq = cursor === undefined ? 0 : Number(cursors.decode(binding, cursor)[0]);
  const [rows, show] = await Promise.all([
    tx.run(readTimeline, {
      tenantId,
      id,
      environment,
      seq,
      count: limit + 1,
    }),
    payloadView(tx, principal),
  ]);
  const { page, hasMore } = cutPage(rows, limit);
  return {
    events: page.map((row) => toEvent(row, environment, show)),
    cursor: hasMore ? cursors.encode(binding, [page.at(-1)!.seq]) : null,
    hasMore,
  };
}
