import type { Cursors } from '../../../http/cursor.ts';
import { DEFAULT_LIMIT, pageOf, type Page } from '../../../http/page.ts';
import type { Reach } from './access.ts';

interface Listed {
  readonly Id: string;
  readonly CreationTime: string;
}

export interface PageRequest extends Pick<Reach, 'principal'> {
  readonly operationId: string;
  readonly query: { readonly limit?: number; readonly cursor?: string };
}

/** A page of documents of one recovery, the oldest first. They stand in its record, so that all of them are at hand. */
export function documentsPage<D extends Listed, Item>(
  { principal: { tenantId }, operationId, query }: PageRequest, about: { readonly env: string; readonly funds_recovery_id: string }, documents: readonly D[], present: (document: D) => Item, cursors: Cursors,
): Page<Item> {
  const { limit = DEFAULT_LIMIT } = query;
  const binding = { tenantId, operationId, filters: { environment: about.env, fundsRecoveryId: about.funds_recovery_id } };
  const after = query.cursor === undefined ? null : keyOf(cursors.decode(binding, query.cursor));
  const ahead = documents.filter((document) => after === null || keyOf(positionOf(document)) > after)
    .toSorted((one, other) => (keyOf(positionOf(one)) < keyOf(positionOf(other)) ? -1 : 1));
  return pageOf(ahead.slice(0, limit + 1), limit, present, { cursors, binding, positionOf });
}

const positionOf = ({ CreationTime, Id }: Listed): readonly [string, string] => [CreationTime, Id];
const keyOf = (position: readonly unknown[]): string => position.join(' ');
