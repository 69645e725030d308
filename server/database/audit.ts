/** The audit log beyond its writing: its tree, its checkpoints, and the walk that verifies it. */
export { checkpointHash, isGenuine, signedText, type Checkpoint } from './audit-checkpoint.ts';
export { checkpointColumns, checkpointOf, checkpointsBetween, dueTenants, newestCheckpoint, type CheckpointRow, type StoredCheckpoint } from './audit-checkpoint-store.ts';
export { CHECKPOINTED } from './audit-announcement.ts';
export { ChainBroken, makeCheckpoint } from './audit-make-checkpoint.ts';
export { contentOf, type AuditRow } from './audit-row.ts';
export { readHead } from './audit-rows.ts';
export { CheckpointSigner, type CheckpointKey } from './audit-signer.ts';
export { IncompleteTree, subtreeHashes } from './audit-tree.ts';
export { RangeTooWide, verifyLog, type Verification, type VerifyOrder } from './audit-verify-log.ts';
export type { Failure, FailureKind } from './audit-walk.ts';
export { consistencyPath, inclusionPath } from './merkle-proof.ts';
