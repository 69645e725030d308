import type { components } from '../../contract/generated/types.ts';
import type { AnyPrincipal, Environment } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import { type Cursors, DEFAULT_LIMIT, type Page, pageOf } from '../../request/pagination.ts';
import { cutPage, payloadView, toEvent } from '../recovery-feed/index.ts';
import { findRecords, readTimeline, type RecordRow } from './store.ts';

/** What a request's context says about how far its caller reaches. */
export interface RecoveryRequest {
  readonly tx: Transaction;
  readonly principal: AnyPrincipal;
  readonly params: { readonly fundsRecoveryId: string };
  readonly environment: Environment;
  readonly visible: readonly Environment[];
  readonly setResourceEnvironment: (environment: Environment) => void;
}

/**
 * The recovery, or 404: also for another tenant's and for one of an environment that the caller does not see. The
 * directories of both environments could know the same id: then the one of the effective environment is meant.
 */
export async function visibleRecovery({ tx, principal: { tenantId }, params, environment, visible, setResourceEnvironment }: RecoveryRequest): Promise<RecordRow> {
  const records = (await tx.run(findRecords, { tenantId, id: params.fundsRecoveryId })).filter((row) => visible.includes(row.environment));
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

/** A page of documents of one recovery, the oldest first. They stand in its record, so that all of them are at hand. */
export function documentsPage<D extends Listed, Item>(
  { principal: { tenantId }, operationId, query }: PageRequest, about: Pick<RecordRow, 'environment' | 'id'>, documents: readonly D[], present: (document: D) => Item, cursors: Cursors,
): Page<Item> {
  const { limit = DEFAULT_LIMIT } = query;
  const binding = { tenantId, operationId, filters: { environment: about.environment, fundsRecoveryId: about.id } };
  const after = query.cursor === undefined ? null : sortKey(cursors.decode(binding, query.cursor));
  const ahead = documents.filter((document) => after === null || sortKey(positionOf(document)) > after)
    .toSorted((one, other) => (sortKey(positionOf(one)) < sortKey(positionOf(other)) ? -1 : 1));
  return pageOf(ahead.slice(0, limit + 1), limit, present, { cursors, binding, positionOf });
}

const positionOf = ({ CreationTime, Id }: Listed): readonly [string, string] => [CreationTime, Id];
const sortKey = (position: readonly unknown[]): string => position.join(' ');

/** The events of one recovery as the feed carries them. No position of any consumer moves. */
export async function timelinePage(ctx: RecoveryRequest & PageRequest, cursors: Cursors): Promise<components['schemas']['FundsRecoveryTimeline']> {
  const { tx, principal, operationId, query: { limit = DEFAULT_LIMIT, cursor } } = ctx;
  const { tenantId } = principal;
  const { environment, id } = await visibleRecovery(ctx);
  const binding = { tenantId, operationId, filters: { environment, fundsRecoveryId: id } };
  const seq = cursor === undefined ? 0 : Number(cursors.decode(binding, cursor)[0]);
  const [rows, show] = await Promise.all([tx.run(readTimeline, { tenantId, id, environment, seq, count: limit + 1 }), payloadView(tx, principal)]);
  const { page, hasMore } = cutPage(rows, limit);
  return { events: page.map((row) => toEvent(row, environment, show)), cursor: hasMore ? cursors.encode(binding, [page.at(-1)!.seq]) : null, hasMore };
}
