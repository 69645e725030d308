import { actorOf } from '../../contract/actor.ts';
import { judged, prepared, type HandlersOf } from '../../contract/handlers.ts';
import { etagOf } from '../../http/etag.ts';
import type { Services } from '../../services.ts';
import { read, visibleTo } from './access.ts';
import { addDocument } from './add-document.ts';
import { BlindIndex } from './blind-index.ts';
import { certainFaults } from './certain-faults.ts';
import { patchApplication, submitApplication, withdrawApplication } from './change-application.ts';
import { changedMembers, changedStatus } from './changes.ts';
import { contentDisposition } from './content-disposition.ts';
import type { Verdict } from './inspection/inspector.ts';
import { listPage } from './list-page.ts';
import { openApplication } from './open-application.ts';
import { present, presentDocument } from './present.ts';
import { Quotas } from './quota.ts';
import { findDocument, listDocuments } from './store/documents.ts';
import { writingDelay } from './store/writing-time.ts';
import { later } from './time-of-change.ts';

export const applications = ({ secrets, cursors, files, inspector }: Pick<Services, 'secrets' | 'cursors' | 'files' | 'inspector'>) => {
  const index = new BlindIndex(secrets.deriveKey('blind-index'));
  const quotas = new Quotas();
  return {
    createApplication: judged<'createApplication'>(certainFaults, async (ctx) => {
      const { tx, principal, environment, body, now, timeIn, audit, reply } = ctx;
      ctx.touched(environment);
      const opening = { tenantId: principal.tenantId, personalData: principal.personalData, environment, createdBy: actorOf(principal), now: later(timeIn(environment), await writingDelay(tx, now)) };
      const record = await openApplication(tx, { index, quotas }, opening, body);
      audit('application.created', about(record), { status: record.status, level: record.level, purpose: record.purpose });
      if (record.status !== 'draft') audit('application.submitted', about(record));
      return reply(201, present(record, [], ctx), { Location: `/v1/applications/${record.id}`, ETag: etagOf(record.version) });
    }),

    listApplications: async (ctx) => ctx.reply(200, await listPage(ctx, index, cursors)),

    getApplication: async (ctx) => {
      const { tx, principal: { tenantId }, params: { applicationId }, reply } = ctx;
      const [record, documents] = await Promise.all([read(ctx, applicationId), listDocuments(tx, { tenantId, applicationId })]);
      return reply(200, present(record, documents, ctx), { ETag: etagOf(record.version) });
    },

    updateApplication: judged<'updateApplication'>(certainFaults, async (ctx) => {
      const { before, after, documents } = await patchApplication(ctx, index, ctx.body);
      ctx.audit('application.updated', about(after), changedMembers(before, after));
      return ctx.reply(200, present(after, documents, ctx), { ETag: etagOf(after.version) });
    }),

    submitApplication: async (ctx) => {
      const { after, documents } = await submitApplication(ctx, index);
      ctx.audit('application.submitted', about(after));
      ctx.audit('application.status_changed', about(after), changedStatus(after));
      return ctx.reply(202, present(after, documents, ctx), { ETag: etagOf(after.version) });
    },

    withdrawApplication: async (ctx) => {
      const { after, documents } = await withdrawApplication(ctx, index, ctx.body);
      ctx.audit('application.withdrawn', about(after), { reasonCode: after.statusReason });
      ctx.audit('application.status_changed', about(after), changedStatus(after));
      return ctx.reply(200, present(after, documents, ctx), { ETag: etagOf(after.version) });
    },

    uploadDocument: prepared<'uploadDocument', Verdict>(({ principal, file }) => inspector.inspect(principal.tenantId, file.bytes, file.declaredType), async (ctx, verdict) => {
      const { document, isNew } = await addDocument(ctx, verdict, { files, quotas });
      const { params: { applicationId }, reply } = ctx;
      const location = { Location: `/v1/applications/${applicationId}/documents/${document.id}/content` };
      if (!isNew) return reply(200, presentDocument(document, ctx), location);
      ctx.audit('document.uploaded', { type: 'document', id: document.id }, { applicationId, type: document.type, sha256: document.sha256 });
      return reply(201, presentDocument(document, ctx), location);
    }),

    downloadDocument: async (ctx) => {
      const { tx, principal: { tenantId }, params: { applicationId, documentId }, audit, reply, signal } = ctx;
      const { document, storageKey } = visibleTo(ctx, await findDocument(tx, { tenantId, applicationId, id: documentId }));
      const data = await files.open(storageKey, signal);
      audit('document.downloaded', { type: 'document', id: documentId }, { applicationId });
      return reply(200, { type: document.mimeType, data, size: document.sizeBytes }, { 'Content-Disposition': contentDisposition(document.fileName) });
    },
  } satisfies HandlersOf<'applications'>;
};

function about({ id }: { readonly id: string }) {
  return { type: 'application', id };
}
