/**
 * Reading the audit log of a tenant: events, proofs, checkpoints, verification, exports.
 *
 * How the chain and its Merkle tree are built is the layer `server/audit`; every other module writes by `appendAudit`
 * or the `audit` of its context. This module only reads, except that a proof may need a checkpoint (RFC 9162) which is
 * then made on demand, and that an export is a record. It may use audit, request, tasks, database and rules.
 *
 * `GET /v1/audit/events/{id}/proof`: `proveEvent` finds the event in the caller's tenant, takes the newest checkpoint
 * that covers it or makes one (at most every ten seconds), and reads the hashes between leaf and root. If a hash below
 * a signed checkpoint is missing, the log was tampered with: the alarm is raised and the request fails.
 *
 * `POST /v1/audit/exports`: `orderExport` records which part of the log is wanted, and a task reads that part once, to
 * verify that it is complete and to measure the file. Each download produces the file from the log, which never
 * changes.
 *
 * An evidence pack of another module: `AuditTrail` finds the checkpoint that covers all events about given records, and
 * returns the events with their proofs, in the form of an export.
 */
import type { Module } from '../../tasks/module.ts';
import { auditExportTask } from './exports.ts';
import { auditLogHandlers } from './handlers.ts';
import { checkpointJob } from './checkpoints.ts';

export { searchLog } from './events.ts';
export { AuditTrail, type TrailDependencies } from './trail.ts';
export { LogVerifier, type VerifierDependencies } from './verify.ts';

export const auditLogModule = {
  name: 'audit-log',
  handlers: auditLogHandlers,
  tasks: [auditExportTask],
  jobs: [checkpointJob],
} satisfies Module<never>;
