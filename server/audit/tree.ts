/**
 * Reads and stores the Merkle tree of a log in the database. Used by checkpoints, proofs and verification. A node that
 * is missing below a checkpoint throws `IncompleteTree`: somebody has removed it.
 */
import type { Transaction } from '../database/transaction.ts';
import { completeNodes, Frontier, type HashedNode, joinNodes, type Leaves, type TreeNode } from './merkle.ts';
import { findLeaves, findNodes, insertNodeRows } from './tree-store.ts';

const PAGE_SIZE = 1_000;

/** Thrown if a node of the stored tree, or an event, is missing although a checkpoint covers it. */
export class IncompleteTree extends Error {
  override readonly name = 'IncompleteTree';
}

/** Returns the hashes of subtrees that a checkpoint covers; their interior nodes were stored with the checkpoint. */
export async function subtreeHashes(tx: Transaction, tenantId: string, subtrees: readonly Leaves[]): Promise<Buffer[]> {
  const nodes = subtrees.map(completeNodes);
  const hashes = await nodeHashes(tx, tenantId, nodes.flat());
  let offset = 0;
  return nodes.map(({ length }) => joinNodes(hashes.slice(offset, (offset += length))));
}

/**
 * Returns the tree of the first `size` events, or null if a part of it is missing. Interior nodes are stored for the
 * first `covered` events.
 */
export async function storedFrontier(
  tx: Transaction,
  tenantId: string,
  size: number,
  covered: number,
): Promise<Frontier | null> {
  try {
    return await frontierAt(tx, tenantId, size, covered);
  } catch (error) {
    if (error instanceof IncompleteTree) return null;
    throw error;
  }
}

async function frontierAt(tx: Transaction, tenantId: string, size: number, covered: number): Promise<Frontier> {
  const stored = Math.min(size, covered);
  const frontier = new Frontier(stored, await nodeHashes(tx, tenantId, completeNodes([0, stored])));
  while (frontier.size < size) {
    const to = Math.min(size, frontier.size + PAGE_SIZE);
    const leaves = await tx.run(findLeaves, { tenantId, from: frontier.size + 1, to });
    if (leaves.length < to - frontier.size) throw new IncompleteTree(`an event up to ${to} is missing`);
    for (const { hash } of leaves) frontier.append(hash);
  }
  return frontier;
}

export async function insertNodes(tx: Transaction, tenantId: string, nodes: readonly HashedNode[]): Promise<void> {
  if (nodes.length === 0) return;
  await tx.run(insertNodeRows, {
    tenantId,
    ...columnsOf(nodes),
    hashes: nodes.map(({ hash }) => hash.toString('hex')),
  });
}

async function nodeHashes(tx: Transaction, tenantId: string, nodes: readonly TreeNode[]): Promise<Buffer[]> {
  if (nodes.length === 0) return [];
  const rows = await tx.run(findNodes, { tenantId, ...columnsOf(nodes) });
  return rows.map(({ hash }, position) => {
    if (hash === null)
      throw new IncompleteTree(`node ${nodes[position]?.index} of level ${nodes[position]?.level} is missing`);
    return hash;
  });
}

function columnsOf(nodes: readonly TreeNode[]): { levels: string[]; indexes: string[] } {
  return { levels: nodes.map(({ level }) => String(level)), indexes: nodes.map(({ index }) => String(index)) };
}
