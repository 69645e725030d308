import type { StoredCheckpoint } from './audit-checkpoint-store.ts';
import { checkpointsBetween } from './audit-checkpoint-store.ts';
import type { AuditRow } from './audit-row.ts';
import { readRows } from './audit-rows.ts';
import type { HashedNode } from './merkle-frontier.ts';
import { sql } from './sql.ts';
import { statement } from './statement.ts';
import type { Transaction } from './transaction.ts';

/** A part of a log with everything that is stored about it. */
export interface Window {
  readonly from: number;
  readonly to: number;
  readonly rows: readonly AuditRow[];
  /** The interior nodes whose last leaf lies in the window, by `nodeKey`. */
  readonly nodes: ReadonlyMap<string, Buffer>;
  /** By their size. */
  readonly checkpoints: ReadonlyMap<number, StoredCheckpoint>;
}

const findNodes = statement<{ tenantId: string; levels: readonly string[]; lows: readonly string[]; highs: readonly string[] }, HashedNode>('audit.windowNodes', (p) => sql`
  SELECT node.level, node.index, node.hash FROM unnest(${p.levels}::smallint[], ${p.lows}::bigint[], ${p.highs}::bigint[]) AS span (level, low, high)
  JOIN audit_node node ON node.tenant_id = ${p.tenantId}::uuid AND node.level = span.level AND node.index BETWEEN span.low AND span.high`);

export const nodeKey = ({ level, index }: Pick<HashedNode, 'level' | 'index'>): string => `${level}/${index}`;

export async function readWindow(tx: Transaction, tenantId: string, from: number, to: number): Promise<Window> {
  const spans = completedBetween(from, to);
  const [rows, nodes, checkpoints] = await Promise.all([
    readRows(tx, tenantId, from, to),
    tx.run(findNodes, { tenantId, levels: spans.map(({ level }) => String(level)), lows: spans.map(({ low }) => String(low)), highs: spans.map(({ high }) => String(high)) }),
    checkpointsBetween(tx, tenantId, from, to),
  ]);
  return {
    from, to, rows,
    nodes: new Map(nodes.map((node) => [nodeKey(node), node.hash])),
    checkpoints: new Map(checkpoints.map((checkpoint) => [checkpoint.treeSize, checkpoint])),
  };
}

/** The interior nodes that the `from`-th to the `to`-th leaf complete, by level. */
function completedBetween(from: number, to: number): { level: number; low: number; high: number }[] {
  const spans = [];
  for (let level = 1, width = 2; width <= to; level++, width *= 2) {
    const [low, high] = [Math.floor((from - 1) / width), Math.floor(to / width) - 1];
    if (low <= high) spans.push({ level, low, high });
  }
  return spans;
}
