/**
 * The nodes of each tenant's Merkle tree: their table and the statements that read and write them. The input of the
 * hashes is defined in merkle.ts. Used by tree.ts and the verification.
 */
import { sql } from '../database/sql.ts';
import { statement } from '../database/statement.ts';
import { bigint, bytes, code, smallint, table, uuid } from '../database/table.ts';
import type { AuditChain } from '../database/transaction.ts';
import type { HashedNode } from './merkle.ts';
import { auditEvent } from './store.ts';

/** Interior nodes of the tree of each tenant. */
const auditNode = table(
  'audit_node',
  {
    tenantId: uuid(),
    chain: code<AuditChain>().defaulted(),
    level: smallint(),
    index: bigint(),
    hash: bytes(),
  },
  {
    owner: 'tenant',
    sandboxReset: { kept: 'the audit log also covers the sandbox and its resets' },
    insertedBy: 'platform',
    example: { index: 0 },
  },
);

export const findNodes = statement<
  { tenantId: string; levels: readonly string[]; indexes: readonly string[] },
  { hash: Buffer | null }
>(
  'auditTree.find',
  (p) => sql`
  SELECT coalesce(node.hash, event.hash) AS hash
  FROM unnest(${p.levels}::smallint[], ${p.indexes}::bigint[]) WITH ORDINALITY AS wanted (level, index, position)
  LEFT JOIN audit_node node ON ${auditNode.as('node').equal({ tenantId: p.tenantId })} AND node.level = wanted.level
    AND node.index = wanted.index
  LEFT JOIN audit_event event ON ${auditEvent.as('event').equal({ tenantId: p.tenantId })} AND wanted.level = 0
    AND event.sequence = wanted.index + 1
  ORDER BY wanted.position`,
);

export const findLeaves = statement<{ tenantId: string; from: number; to: number }, { hash: Buffer }>(
  'auditTree.leaves',
  (p) => sql`
  SELECT hash FROM audit_event WHERE ${auditEvent.equal({ tenantId: p.tenantId })}
    AND sequence BETWEEN ${p.from} AND ${p.to} ORDER BY sequence`,
);

export const insertNodeRows = statement<{
  tenantId: string;
  levels: readonly string[];
  indexes: readonly string[];
  hashes: readonly string[];
}>(
  'auditTree.insert',
  (p) => sql`
  INSERT INTO audit_node (${auditNode.list('tenantId', 'level', 'index', 'hash')})
  SELECT ${p.tenantId}::uuid, node.level, node.index, decode(node.hash, 'hex')
    FROM unnest(${p.levels}::smallint[], ${p.indexes}::bigint[], ${p.hashes}::text[]) AS node (level, index, hash)`,
);

export const findNodesBetween = statement<
  {
    tenantId: string;
    levels: readonly string[];
    lows: readonly string[];
    highs: readonly string[];
  },
  HashedNode
>(
  'audit.windowNodes',
  (p) => sql`
  SELECT ${auditNode.as('node').select('level', 'index', 'hash')}
    FROM unnest(${p.levels}::smallint[], ${p.lows}::bigint[], ${p.highs}::bigint[]) AS span (level, low, high)
  JOIN audit_node node ON ${auditNode.as('node').equal({ tenantId: p.tenantId })} AND node.level = span.level
    AND node.index BETWEEN span.low AND span.high`,
);
