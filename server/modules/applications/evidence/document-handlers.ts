/**
 * Handlers of the documents of an application and of its evidence pack, registered by handlers.ts. A file is inspected
 * in another process before the transaction begins, so that a slow file holds no lock. Files are removed from storage
 * only after the commit.
 */
import type { FileStorage } from '../../../providers/files/index.ts';
import { type HandlersOf, withPreparation } from '../../../request/handler.ts';
import { shown } from '../../../rules/mask.ts';
import { AuditTrail } from '../../audit-log/index.ts';
import { contentDisposition, type Inspector, openFile, uploadedChanges, type Verdict } from '../../documents/index.ts';
import { openingKey } from '../../subject-keys/index.ts';
import { about, auditInvalidated } from '../decisions/decision-handlers.ts';
import { subjectOf } from '../record/application.ts';
import { lookup } from '../record/lookup.ts';
import { Quotas } from '../record/quotas.ts';
import { addDocument, removeDocument } from './application-documents.ts';
import { evidencePack } from './evidence-pack.ts';

interface DocumentDependencies {
  readonly files: FileStorage;
  readonly inspector: Inspector;
  readonly quotas: Quotas;
  readonly trail: AuditTrail;
}

/** Handlers of the documents of an application, and of the archive that contains them. */
export const documentHandlers = ({ files, inspector, quotas, trail }: DocumentDependencies) =>
  ({
    uploadDocument: withPreparation<'uploadDocument', Verdict>(
      ({ principal, files: { file } }) => inspector.inspect(principal.tenantId, file.bytes, file.declaredType),
      async (ctx, verdict) => {
        const { document, isNew, invalidated } = await addDocument(ctx, verdict, { files, quotas });
        const {
          params: { applicationId },
          reply,
        } = ctx;
        const location = { Location: `/v1/applications/${applicationId}/documents/${document.id}/content` };
        if (!isNew) return reply(200, shown('Document', document, ctx), location);
        ctx.audit(
          'document.uploaded',
          { type: 'document', id: document.id },
          { applicationId, ...uploadedChanges(document, ctx.files.file) },
        );
        if (invalidated !== null) auditInvalidated(ctx.audit, invalidated, applicationId);
        return reply(201, shown('Document', document, ctx), location);
      },
    ),

    downloadDocument: async (ctx) => {
      const {
        tx,
        params: { applicationId, documentId },
        audit,
        reply,
        signal,
      } = ctx;
      const subject = subjectOf({ id: applicationId });
      const { document, ...stored } = await lookup(ctx).storedDocument(subject, documentId).forReading();
      const key = await openingKey(tx, { type: 'application', id: applicationId });
      const data = await openFile(files, { id: document.id, ...stored }, key, signal);
      audit('document.downloaded', { type: 'document', id: documentId }, { applicationId });
      return reply(
        200,
        { type: document.mimeType, data, size: document.sizeBytes },
        { 'Content-Disposition': contentDisposition(document.fileName) },
      );
    },

    downloadEvidencePack: async (ctx) => {
      const {
        params: { applicationId },
        audit,
        reply,
      } = ctx;
      const { archive, files: held, treeSize, disposition } = await evidencePack(ctx, { files, trail });
      audit('evidence_pack.exported', about({ id: applicationId }), { files: held, treeSize });
      return reply(200, archive, { 'Content-Disposition': disposition });
    },

    deleteDocument: async (ctx) => {
      const {
        params: { applicationId, documentId },
        audit,
        afterCommit,
        reply,
      } = ctx;
      const { type, sha256, storageKey } = await removeDocument(ctx);
      audit('document.deleted', { type: 'document', id: documentId }, { applicationId, type, sha256 });
      // If the deletion fails, the sweep of the storage removes the orphaned file.
      afterCommit(() => files.delete(storageKey).catch(() => undefined));
      return reply(204);
    },
  }) satisfies Pick<
    HandlersOf<'applications'>,
    'uploadDocument' | 'downloadDocument' | 'downloadEvidencePack' | 'deleteDocument'
  >;
