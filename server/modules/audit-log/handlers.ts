/**
 * Handlers of the operations on the audit log, registered by the index of the module. Reading the log is itself an
 * audit event, once per search and not per page. Each handler passes the environments that the caller sees; without
 * them a test key would read live events.
 */
import { Problem } from '../../contract/problem.ts';
import type { HandlersOf } from '../../request/handler.ts';
import { filtersOf } from '../../request/pagination.ts';
import { type CheckpointDependencies, checkpointPage, CheckpointService, proveEvent } from './checkpoints.ts';
import { eventToWire, searchLog } from './events.ts';
import { downloadExport, orderExport, readExport } from './exports.ts';
import { findEvent } from './store.ts';
import { LogVerifier, type VerifierDependencies } from './verify.ts';

type Dependencies = CheckpointDependencies & VerifierDependencies;

export const auditLogHandlers = (dependencies: Dependencies) => {
  const checkpointing = new CheckpointService(dependencies);
  const verifier = new LogVerifier(dependencies, checkpointing.signer);
  return {
    listAuditEvents: async (ctx) => {
      const {
        principal: { tenantId },
        query,
        audit,
        reply,
      } = ctx;
      const page = await searchLog(ctx);
      // A search is one audit event, however many pages are read.
      if (query.cursor === undefined)
        audit('audit.viewed', { type: 'audit_log', id: tenantId }, { filters: filtersOf(query) });
      return reply(200, page);
    },

    getAuditEvent: async ({
      tx,
      principal: { tenantId },
      params: { eventId },
      visible,
      setResourceEnvironment,
      audit,
      reply,
    }) => {
      const event = await findEvent(tx, tenantId, eventId, visible);
      if (event === null) throw new Problem('not_found');
      setResourceEnvironment(event.environment);
      audit('audit.viewed', { type: 'audit_event', id: eventId });
      return reply(200, eventToWire(event));
    },

    getAuditEventProof: async (ctx) => ctx.reply(200, await proveEvent(ctx, checkpointing)),

    verifyAuditLog: async (ctx) => {
      const {
        principal: { tenantId },
        audit,
        reply,
      } = ctx;
      const found = await verifier.verify(ctx);
      const { valid, checked, checkpointsChecked } = found;
      if (valid) audit('audit.verified', { type: 'audit_log', id: tenantId }, { checked, checkpointsChecked });
      return reply(200, found);
    },

    createAuditExport: async (ctx) => {
      const made = await orderExport(ctx);
      const { format, includeProofs, filter } = made;
      ctx.audit('audit.exported', { type: 'audit_export', id: made.id }, { format, includeProofs, filter });
      return ctx.reply(202, made);
    },

    getAuditExport: async (ctx) => ctx.reply(200, await readExport(ctx, ctx.params.exportId)),

    downloadAuditExport: async (ctx) => {
      const {
        params: { exportId },
        audit,
        reply,
      } = ctx;
      const { content, disposition } = await downloadExport(ctx, exportId, dependencies);
      audit('audit.viewed', { type: 'audit_export', id: exportId });
      return reply(200, content, { 'Content-Disposition': disposition });
    },

    listAuditCheckpoints: async (ctx) => ctx.reply(200, await checkpointPage(ctx, checkpointing)),
  } satisfies HandlersOf<'audit'>;
};
