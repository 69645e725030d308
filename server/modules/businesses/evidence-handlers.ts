/**
 * Handlers of the documents, requests for information, attestations and waivers of a business, registered by
 * handlers.ts. A file is inspected in another process before the transaction begins. Files are removed from storage
 * only after the commit.
 */
import type { FileStorage } from '../../providers/files/index.ts';
import { type Handlers, withBodyRules, withPreparation } from '../../request/handler.ts';
import { shown } from '../../rules/mask.ts';
import { reasonFaults } from '../../rules/reasons.ts';
import { Quotas } from '../applications/index.ts';
import { changedStatus, informationBodyFaults, presentInformationRequest, wireOf } from '../decisions/index.ts';
import { contentDisposition, type Inspector, openFile, uploadedChanges, type Verdict } from '../documents/index.ts';
import { openingKey } from '../subject-keys/index.ts';
import { about, auditInvalidated } from './audit.ts';
import { addDocument, askForInformation, attestRequirement, removeDocument, waiveRequirement } from './evidence.ts';
import { businessLookups as lookup } from './lookup.ts';
import { subjectOf } from './record.ts';

interface Dependencies {
  readonly files: FileStorage;
  readonly inspector: Inspector;
}

export const evidenceHandlers = ({ files, inspector }: Dependencies) => {
  const quotas = new Quotas();
  return {
    uploadBusinessDocument: withPreparation<'uploadBusinessDocument', Verdict>(
      ({ principal, files: { file } }) => inspector.inspect(principal.tenantId, file.bytes, file.declaredType),
      async (ctx, verdict) => {
        const { businessId } = ctx.params;
        const { document, isNew, invalidated } = await addDocument(ctx, verdict, { files, quotas });
        const location = { Location: `/v1/businesses/${businessId}/documents/${document.id}/content` };
        if (!isNew) return ctx.reply(200, shown('Document', document, ctx), location);
        ctx.audit(
          'document.uploaded',
          { type: 'document', id: document.id },
          { businessId, ...uploadedChanges(document, ctx.files.file) },
        );
        if (invalidated !== null) auditInvalidated(ctx.audit, invalidated, businessId);
        return ctx.reply(201, shown('Document', document, ctx), location);
      },
    ),

    downloadBusinessDocument: async (ctx) => {
      const { businessId, documentId } = ctx.params;
      const subject = subjectOf({ id: businessId });
      const { document, ...stored } = await lookup(ctx).storedDocument(subject, documentId).forReading();
      const key = await openingKey(ctx.tx, { type: subject.kind, id: subject.id });
      const data = await openFile(files, { id: document.id, ...stored }, key, ctx.signal);
      ctx.audit('document.downloaded', { type: 'document', id: documentId }, { businessId });
      return ctx.reply(
        200,
        { type: document.mimeType, data, size: document.sizeBytes },
        { 'Content-Disposition': contentDisposition(document.fileName) },
      );
    },

    deleteBusinessDocument: async (ctx) => {
      const { businessId, documentId } = ctx.params;
      const { type, sha256, storageKey } = await removeDocument(ctx, documentId);
      ctx.audit('document.deleted', { type: 'document', id: documentId }, { businessId, type, sha256 });
      // If the deletion fails, the sweep of the storage removes the orphaned file.
      ctx.afterCommit(() => files.delete(storageKey).catch(() => undefined));
      return ctx.reply(204);
    },

    createBusinessInformationRequest: withBodyRules<'createBusinessInformationRequest'>(
      informationBodyFaults,
      async (ctx) => {
        const { request, business } = await askForInformation(ctx, ctx.body);
        const { id, dueAt, items } = request;
        ctx.audit(
          'information_request.created',
          { type: 'information_request', id },
          { businessId: business.id, dueAt, requirements: items.map(({ requirementKey }) => requirementKey) },
        );
        ctx.audit('business.status_changed', about(business), changedStatus(business));
        return ctx.reply(201, presentInformationRequest(request, ctx), { Location: `/v1/businesses/${business.id}` });
      },
    ),

    recordBusinessAttestation: async (ctx) => {
      const { businessId } = ctx.params;
      const { attestation, invalidated } = await attestRequirement(ctx, ctx.body);
      ctx.audit(
        'requirement.attested',
        { type: 'attestation', id: attestation.id },
        { businessId, requirementKey: attestation.requirementKey },
      );
      if (invalidated !== null) auditInvalidated(ctx.audit, invalidated, businessId);
      return ctx.reply(201, shown('Attestation', wireOf(attestation), ctx), {
        Location: `/v1/businesses/${businessId}`,
      });
    },

    recordBusinessWaiver: withBodyRules<'recordBusinessWaiver'>(
      ({ action, reasonCode }) => reasonFaults('waiver', action, { '/reasonCode': reasonCode }),
      async (ctx) => {
        const { businessId } = ctx.params;
        const { waiver, invalidated } = await waiveRequirement(ctx, ctx.body);
        const { id, action, requirementKey, reasonCode } = waiver;
        ctx.audit(
          action === 'granted' ? 'requirement.waived' : 'requirement.waiver_revoked',
          { type: 'waiver', id },
          { businessId, requirementKey, reasonCode },
        );
        if (invalidated !== null) auditInvalidated(ctx.audit, invalidated, businessId);
        return ctx.reply(201, shown('Waiver', waiver, ctx), { Location: `/v1/businesses/${businessId}` });
      },
    ),
  } satisfies Partial<Handlers>;
};
