/** The simulated directory without a network, for tests with thousands of recoveries. */
import { createHash } from 'node:crypto';
import {
  type Answer,
  type Directory,
  DirectoryError,
  type Document,
  type Envelope,
  type InfractionReportDocument,
  type InfractionReportQuery,
  type ListAnswer,
  type NotificationDocument,
  type NotificationPage,
  type Policy,
  type RecoveryDocument,
  type RefundDocument,
  type RefundQuery,
} from '../../server/providers/directory/index.ts';
import type { State } from '../../server/simulators/directory/core/model.ts';
import { iso, notificationWindow } from '../../server/simulators/directory/core/values.ts';
import {
  graphDocument,
  notificationDocument,
  recoveryDocument,
  refundDocument,
  reportDocument,
} from '../../server/simulators/directory/wire/documents.ts';

/** Changes a page before it is read: duplicates, another order, or a refusal that it throws. */
export type Disturb = (notifications: readonly NotificationDocument[]) => readonly NotificationDocument[];

/**
 * The simulator's state behind the interface of the client, without network: runs thousands of courses in the time of
 * one over mutual TLS, which the scenario tests use.
 */
export class FoldedDirectory implements Directory {
  readonly #state: () => State;
  readonly #pageSize: number;
  readonly #disturb: Disturb;
  #answers = 0;

  constructor(
    state: () => State,
    { pageSize = 200, disturb = (all) => all }: { readonly pageSize?: number; readonly disturb?: Disturb } = {},
  ) {
    this.#state = state;
    this.#pageSize = pageSize;
    this.#disturb = disturb;
  }

  async listEventNotifications(
    ispb: string,
    { cursor }: { readonly cursor: string | null },
  ): Promise<NotificationPage> {
    const { notifications, now } = this.#state();
    const listed = notifications
      .filter(
        ({ participant, listedAt }) =>
          participant === ispb && listedAt !== null && listedAt <= now && listedAt >= now - notificationWindow,
      )
      .toSorted((a, b) => (a.listedAt ?? 0) - (b.listedAt ?? 0));
    const after = cursor === null ? listed : listed.slice(listed.findIndex(({ id }) => id === cursor) + 1);
    if (cursor !== null && !listed.some(({ id }) => id === cursor))
      throw new DirectoryError('BadRequest', 'The cursor leads nowhere');
    const page = after.slice(0, this.#pageSize);
    const hasMore = after.length > page.length;
    return {
      ...this.#envelope(page),
      notifications: this.#disturb(page.map((one) => notificationDocument(one) as NotificationDocument)),
      hasMore,
      nextCursor: hasMore ? (page.at(-1)?.id ?? null) : null,
    };
  }

  async getFundsRecovery(_: string, id: string): Promise<Answer<RecoveryDocument>> {
    const { recovery } = this.#run(id);
    return this.#answer(recoveryDocument(recovery) as RecoveryDocument);
  }

  async getTrackingGraph(_: string, id: string): Promise<Answer<Document>> {
    const graph = graphDocument(this.#run(id));
    if (graph === null) throw new DirectoryError('NotFound', 'There is no graph yet');
    return this.#answer(graph);
  }

  async listRecoveryInfractionReports(ispb: string, id: string): Promise<Answer<readonly InfractionReportDocument[]>> {
    const { recovery, reports } = this.#run(id);
    if (recovery.creator !== ispb) throw new DirectoryError('Forbidden', 'The creator alone');
    return this.#answer(reports.map((report) => reportDocument(recovery, report, true) as InfractionReportDocument));
  }

  async listRecoveryRefunds(ispb: string, id: string): Promise<Answer<readonly RefundDocument[]>> {
    const { recovery, refunds } = this.#run(id);
    if (recovery.creator !== ispb) throw new DirectoryError('Forbidden', 'The creator alone');
    return this.#answer(refunds.map((refund) => refundDocument(recovery, refund) as RefundDocument));
  }

  async listInfractionReports(
    ispb: string,
    { role, ...query }: InfractionReportQuery,
  ): Promise<ListAnswer<InfractionReportDocument>> {
    const all = this.#state().runs.flatMap(({ recovery, reports }) =>
      recovery === null
        ? []
        : reports
            .filter(
              (report) =>
                report.modifiedAt >= Date.parse(query.modifiedAfter) &&
                (role === 'reporter' ? report.reporter : report.counterparty) === ispb,
            )
            .map((report) => reportDocument(recovery, report, true) as InfractionReportDocument),
    );
    return this.#list(all, query, null);
  }

  async listRefunds(ispb: string, { role, cursor, ...query }: RefundQuery): Promise<ListAnswer<RefundDocument>> {
    const all = this.#state().runs.flatMap(({ recovery, refunds }) =>
      recovery === null
        ? []
        : refunds
            .filter(
              (refund) =>
                refund.modifiedAt >= Date.parse(query.modifiedAfter) &&
                (role === 'REQUESTING' ? recovery.creator : refund.report.counterparty) === ispb,
            )
            .map((refund) => refundDocument(recovery, refund) as RefundDocument),
    );
    return this.#list(all, query, cursor);
  }

  async getPolicy(): Promise<Policy> {
    return {
      availableTokens: 200,
      capacity: 200,
      refillTokens: 40,
      refillPeriodSeconds: 60,
    };
  }

  async recoveryReadsLeft(): Promise<number> {
    return Infinity;
  }

  #list<T extends { readonly LastModified: string }>(
    all: readonly T[],
    { modifiedAfter, modifiedBefore }: { readonly modifiedAfter: string; readonly modifiedBefore?: string },
    cursor: string | null,
  ): ListAnswer<T> {
    const matching = all
      .filter(
        ({ LastModified }) =>
          LastModified >= modifiedAfter && (modifiedBefore === undefined || LastModified <= modifiedBefore),
      )
      .toSorted((a, b) => (a.LastModified < b.LastModified ? -1 : 1));
    const start = cursor === null ? 0 : Number(cursor);
    const items = matching.slice(start, start + this.#pageSize);
    const hasMore = matching.length > start + items.length;
    return {
      ...this.#envelope(items),
      items,
      hasMore,
      nextCursor: hasMore ? String(start + items.length) : null,
    };
  }

  #run(id: string) {
    const run = this.#state().runs.find(({ recovery }) => recovery?.id === id);
    if (run === undefined || run.recovery === null) throw new DirectoryError('NotFound', 'There is no such recovery');
    return { ...run, recovery: run.recovery };
  }

  #answer<T>(document: T): Answer<T> {
    return { ...this.#envelope(document), document };
  }

  #envelope(content: unknown): Envelope {
    this.#answers += 1;
    const xml = Buffer.from(JSON.stringify([this.#answers, content]));
    return {
      responseTime: iso(this.#state().now),
      correlationId: String(this.#answers).padStart(32, '0'),
      xml,
      sha256: createHash('sha256').update(xml).digest('hex'),
    };
  }
}
