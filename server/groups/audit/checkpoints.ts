import type { components } from '../../contract/generated/types.ts';
import type { Context } from '../../contract/handlers.ts';
import { consistencyPath, subtreeHashes, type StoredCheckpoint } from '../../database/audit.ts';
import type { Transaction } from '../../database/index.ts';
import type { Cursors } from '../../http/cursor.ts';
import { instantParameter } from '../../http/instant.ts';
import { DEFAULT_LIMIT, filtersOf, pageOf } from '../../http/page.ts';
import { Problem } from '../../http/problem.ts';
import type { Checkpointing } from './checkpointing.ts';
import { listCheckpoints } from './checkpoint-list.ts';
import { checkpointToWire, hex } from './wire.ts';

type Ask = Pick<Context<'listAuditCheckpoints'>, 'tx' | 'principal' | 'query' | 'operationId'>;

/** Newest first; with a proof that the first one of the page continues a tree that the caller knows. */
export async function checkpointPage({ tx, principal: { tenantId }, query, operationId }: Ask, cursors: Cursors, checkpointing: Checkpointing): Promise<components['schemas']['AuditCheckpointList']> {
  const { limit = DEFAULT_LIMIT, consistencyFrom } = query;
  const binding = { tenantId, operationId, filters: filtersOf(query) };
  const position = query.cursor === undefined ? null : cursors.decode(binding, query.cursor);
  const rows = await listCheckpoints(tx, tenantId, {
    from: instantParameter('from', query.from), to: instantParameter('to', query.to), below: position === null ? null : Number(position[0]), limit,
  });
  const page = pageOf(rows, limit, checkpointToWire, { cursors, binding, positionOf: ({ treeSize }) => [treeSize] });
  const consistency = consistencyFrom === undefined ? null : await prove(tx, tenantId, consistencyFrom, rows[0], checkpointing);
  return { ...page, publicKeys: [{ ...checkpointing.publicKey }], consistency };
}

async function prove(tx: Transaction, tenantId: string, fromSize: number, newest: StoredCheckpoint | undefined, checkpointing: Checkpointing): Promise<components['schemas']['AuditConsistency']> {
  if (newest === undefined || newest.treeSize < fromSize) {
    throw new Problem('invalid_parameter', { errors: [{ parameter: 'consistencyFrom', code: 'invalid', message: 'must not be larger than the first tree of the page' }] });
  }
  const path = await checkpointing.watching(tenantId, newest, () => subtreeHashes(tx, tenantId, consistencyPath(fromSize, newest.treeSize)));
  return { fromSize, toSize: newest.treeSize, path: path.map(hex) };
}
