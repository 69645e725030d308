/**
 * Finds the recovery that a request names, and reads its documents and timeline. Used by the handlers and, through the
 * index, by recovery-retention. Answers 404 for recoveries of other tenants and of environments that the caller does
 * not see.
 */
import type { components } from '../../contract/generated/types.ts';
import type { AnyPrincipal, Environment } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import { type Cursors, DEFAULT_LIMIT, type Page, pageOf } from '../../request/pagination.ts';
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

interface PageRequest extends Pick<RecoveryRequest, 'principal'> {
  readonly operationId: string;
  readonly query: { readonly limit?: number; readonly cursor?: string };
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
  { principal: { tenantId }, operationId, query }: PageRequest,
  { record, documents, present }: RecordDocuments<D, Item>,
  cursors: Cursors,
): Page<Item> {
  const { limit = DEFAULT_LIMIT } = query;
  const binding = { tenantId, operationId, filters: { environment: record.environment, fundsRecoveryId: record.id } };
  const after = query.cursor === undefined ? null : sortKey(cursors.decode(binding, query.cursor));
  const ahead = documents
    .filter((document) => after === null || sortKey(positionOf(document)) > after)
    .toSorted((one, other) => (sortKey(positionOf(one)) < sortKey(positionOf(other)) ? -1 : 1));
  return pageOf(ahead.slice(0, limit + 1), limit, present, { cursors, binding, positionOf });
}

const positionOf = ({ CreationTime, Id }: Listed): readonly [string, string] => [CreationTime, Id];
const sortKey = (position: readonly unknown[]): string => position.join(' ');

/** Returns the events of one recovery as the feed carries them. Does not move the position of any consumer. */
export async function timelinePage(
  ctx: RecoveryRequest & PageRequest,
  cursors: Cursors,
): Promise<components['schemas']['FundsRecoveryTimeline']> {
  const { tx, principal, operationId } = ctx;
  const { limit = DEFAULT_LIMIT, cursor } = ctx.query;
  const { tenantId } = principal;
  const { environment, id } = await visibleRecovery(ctx);
  const binding = { tenantId, operationId, filters: { environment, fundsRecoveryId: id } };
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
