import type { InfractionReportDocument, InfractionReportQuery, RefundDocument, RefundQuery } from '../../../providers/directory/index.ts';
import type { Participant } from './participant.ts';
import { isoTime, milliseconds } from './time.ts';

export interface ListPage<T> {
  readonly items: readonly T[];
  /** More changes than fit on one page within one millisecond: the rest of them was not read. */
  readonly isCut: boolean;
}

/**
 * Infraction reports in the order of their last change. The list has no cursor: each page begins, inclusively, with the
 * time at which the former ended.
 */
export async function* listReports({ directory, ispb, includeIndirect }: Participant, role: InfractionReportQuery['role'], since: string): AsyncGenerator<ListPage<InfractionReportDocument>> {
  for (let modifiedAfter = since; ;) {
    const { items, hasMore } = await directory.listInfractionReports(ispb, { role, modifiedAfter, includeIndirect });
    const last = items.at(-1)?.LastModified;
    const isCut = hasMore && last !== undefined && milliseconds(last) <= milliseconds(modifiedAfter);
    yield { items, isCut };
    if (!hasMore || last === undefined) return;
    modifiedAfter = isCut ? isoTime(milliseconds(modifiedAfter) + 1) : last;
  }
}

export async function* listRefunds({ directory, ispb, includeIndirect }: Participant, role: RefundQuery['role'], modifiedAfter: string): AsyncGenerator<ListPage<RefundDocument>> {
  for (let cursor: string | null = null; ;) {
    const page = await directory.listRefunds(ispb, { role, modifiedAfter, includeIndirect, cursor });
    yield { items: page.items, isCut: false };
    cursor = page.nextCursor;
    if (!page.hasMore || cursor === null) return;
  }
}
