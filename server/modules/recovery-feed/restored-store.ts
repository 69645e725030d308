/**
 * Statements for a database that was restored from a backup: the sum of positions by which that is detected, and the
 * new generation of a feed. Used by restored.ts. Without a new generation, new events would take sequence numbers that
 * consumers have acknowledged.
 */
import { sql, statement } from '../../database/index.ts';
import { consumer, feed } from './tables.ts';

/**
 * Sums the positions of all feeds to one number, which grows with every event, reset and new generation and never
 * falls.
 */
export const sumOfPositions = statement<Record<never, never>, { sum: string }>(
  'feed.positions',
  () => sql`
  SELECT coalesce(sum(generation::numeric * 1099511627776 + last_seq), 0)::text AS sum FROM fr_feed`,
);

/**
 * Begins a new generation of each feed. Generations count seconds since 2024, so that none is used twice even if an old
 * backup is restored again. The restored feed contains everything that a consumer had acknowledged before the backup,
 * so its position moves along, and it need not read those events again.
 */
export const beginGeneration = statement<{ tenantId: string }>(
  'feed.beginGeneration',
  (p) => sql`
  WITH before AS (SELECT env, generation FROM fr_feed WHERE ${feed.equal({ tenantId: p.tenantId })} FOR UPDATE),
  raised AS (
    UPDATE fr_feed f
      SET generation = greatest(f.generation + 1, extract(epoch
      FROM now() - '2024-01-01T00:00:00Z'::timestamptz)::integer)
    FROM before WHERE ${feed.as('f').equal({ tenantId: p.tenantId })} AND f.env = before.env
    RETURNING f.env, f.generation, before.generation AS former
  )
  UPDATE fr_consumer c SET generation = raised.generation FROM raised
  WHERE ${consumer.as('c').equal({ tenantId: p.tenantId })} AND c.env = raised.env AND c.generation = raised.former`,
);
