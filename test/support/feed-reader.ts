/**
 * A consumer of the feed of recovery events that checks order and completeness. Used by the random test of ingestion.
 */
import { expect } from 'vitest';
import { type Database, knex, statement } from '../../server/database/index.ts';
import { FeedCursors } from '../../server/modules/recovery-feed/cursor.ts';
import { readFeed } from '../../server/modules/recovery-feed/read-feed.ts';
import { businessTimeAt } from './business-time.ts';

const findAcknowledged = statement<{ tenantId: string }, { acked_seq: number }>('test.acknowledged', (p) =>
  knex('fr_consumer').select('acked_seq').where({ tenant_id: p.tenantId }),
);

/** Follows cursors, reads some pages twice, and sees each position exactly once because it counts only new events. */
export class FeedReader {
  readonly seen: number[] = [];
  readonly #cursors = new FeedCursors(Buffer.alloc(32, 1));
  readonly #database: Database;
  readonly #consumer;
  #cursor: string | undefined;
  #acknowledged = 0;

  constructor(database: Database, tenantId: string) {
    this.#database = database;
    this.#consumer = { tenantId, environment: 'sandbox', id: 'client:reader' } as const;
  }

  /** Reads to the end of the feed, in pages of `limit` events. */
  async read(limit: number, random: () => number): Promise<void> {
    const { tenantId } = this.#consumer;
    for (;;) {
      const page = await this.#database.transaction({ tenantId }, (tx) =>
        readFeed(tx, this.#cursors, {
          consumer: this.#consumer,
          cursor: this.#cursor,
          limit,
          now: new Date(),
          businessTime: businessTimeAt(Date.now()),
        }),
      );
      await this.#checkAcknowledged();
      // Simulates a client that dies here and asks for the same page again.
      if (random() < 0.2) continue;
      this.seen.push(...page.events.map(({ seq }) => seq));
      this.#cursor = page.cursor ?? undefined;
      if (!page.hasMore) return;
    }
  }

  /** Expects the acknowledged position never to decrease, and never to exceed what was delivered. */
  async #checkAcknowledged(): Promise<void> {
    const { tenantId } = this.#consumer;
    const [row] = await this.#database.transaction({ tenantId, readOnly: true }, (tx) =>
      tx.run(findAcknowledged, { tenantId }),
    );
    const acknowledged = row?.acked_seq ?? 0;
    expect(acknowledged).toBeGreaterThanOrEqual(this.#acknowledged);
    expect(acknowledged).toBeLessThanOrEqual(this.seen.at(-1) ?? 0);
    this.#acknowledged = acknowledged;
  }
}
