/**
 * Handlers of the operations on applications, registered by the index of the module. They call record, evidence,
 * decisions and life, write the audit events and present the result to its reader. What a handler returns must go
 * through the presentation, which masks personal data.
 */
import type { AuditRow } from '../../audit/store.ts';
import { addMilliseconds } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import { actorOf } from '../../contract/operation.ts';
import type { FileStorage } from '../../providers/files/index.ts';
import { type HandlersOf, withBodyRules } from '../../request/handler.ts';
import { listPage } from '../../request/pagination.ts';
import { etagOf } from '../../request/preconditions.ts';
import { BlindIndex } from '../../rules/blind-index.ts';
import { shown } from '../../rules/mask.ts';
import { AuditTrail, type TrailDependencies } from '../audit-log/index.ts';
import { idOfType, listTimeline, recordsOf, textAt, timelineEntry } from '../decisions/index.ts';
import { type Inspector } from '../documents/index.ts';
import { readDecisionPolicy } from '../tenant-settings/index.ts';
import { considerApproval } from './decisions/automatic-approval.ts';
import { about, auditInvalidated, decisionHandlers, ofDecision } from './decisions/decision-handlers.ts';
import { consentBodyFaults, recordConsent } from './evidence/consents.ts';
import { documentHandlers } from './evidence/document-handlers.ts';
import { NOTHING } from './evidence/requirement-rules.ts';
import { currentRisk } from './evidence/risk-store.ts';
import { eraseApplication } from './life/erase.ts';
import { applicationBodyFaults } from './record/applicant.ts';
import { changedStatus, subjectOf } from './record/application.ts';
import {
  changedMembers,
  endRelationship,
  patchApplication,
  publishSubmitted,
  reopenApplication,
  submitApplication,
  withdrawApplication,
} from './record/change-applications.ts';
import { createApplication } from './record/create-application.ts';
import { writingDelay } from './record/list-store.ts';
import { lookup } from './record/lookup.ts';
import { present } from './record/present.ts';
import { Quotas } from './record/quotas.ts';
import { applicationPage, readContents } from './record/read-applications.ts';
import { submittedUnderSameNumber } from './record/same-tax-number-store.ts';

interface Dependencies extends TrailDependencies {
  readonly files: FileStorage;
  /** Inspects uploaded files in another process. */
  readonly inspector: Inspector;
}

export const applicationHandlers = ({ files, inspector, ...dependencies }: Dependencies) => {
  const { secrets } = dependencies;
  const index = new BlindIndex(secrets.deriveKey('blind-index'));
  const quotas = new Quotas();
  const trail = new AuditTrail(dependencies);
  return {
    createApplication: withBodyRules<'createApplication'>(applicationBodyFaults, async (ctx) => {
      const { tx, principal, lookups, environment, body, now, timeIn, audit, reply } = ctx;
      ctx.setResourceEnvironment(environment);
      const { tenantId } = principal;
      const businessTime = timeIn(environment);
      const [delay, room, policy] = await Promise.all([
        writingDelay(tx, now),
        quotas.monthlyRoom(tx, { tenantId, environment }, businessTime),
        readDecisionPolicy(tx, tenantId),
      ]);
      const opening = {
        principal,
        lookups,
        environment,
        createdBy: actorOf(principal),
        policy,
        now: addMilliseconds(businessTime, delay),
      };
      const record = await createApplication(tx, { index, quotas, room }, opening, body);
      audit('application.created', about(record), {
        status: record.status,
        level: record.level,
        purpose: record.purpose,
      });
      if (record.status !== 'draft') {
        audit('application.submitted', about(record));
        considerApproval(tx, record, policy, now);
        await publishSubmitted(tx, record, { at: opening.now, now });
      }
      const isDraft = record.status === 'draft';
      const [others, risk] = await Promise.all([
        isDraft ? [] : submittedUnderSameNumber(tx, record.id),
        isDraft ? null : currentRisk(tx, subjectOf(record)),
      ]);
      return reply(
        201,
        present(
          record,
          {
            ...NOTHING,
            risk,
            decisions: [],
            informationRequests: [],
            policy,
            others,
          },
          ctx,
        ),
        { Location: `/v1/applications/${record.id}`, ETag: etagOf(record.version) },
      );
    }),

    listApplications: async (ctx) => ctx.reply(200, await applicationPage(ctx, index)),

    getApplication: async (ctx) => {
      const {
        tx,
        principal: { tenantId },
        params: { applicationId },
        reply,
      } = ctx;
      const [record, contents] = await Promise.all([
        lookup(ctx).application(applicationId).forReading(),
        readContents(tx, { tenantId, applicationId }),
      ]);
      return reply(200, present(record, contents, ctx), { ETag: etagOf(record.version) });
    },

    listApplicationTimeline: async (ctx) => {
      const { applicationId } = ctx.params;
      const page = await listPage(ctx, {
        rows: async ({ after, count }) => {
          const [, about] = await Promise.all([
            lookup(ctx).application(applicationId).forReading(),
            recordsOf(ctx.tx, subjectOf({ id: applicationId })),
          ]);
          return listTimeline(ctx.tx, { about, after: after && Number(after[0]), count });
        },
        position: ({ sequence }) => [sequence],
        item: entryOf,
      });
      return ctx.reply(200, page);
    },

    updateApplication: withBodyRules<'updateApplication'>(applicationBodyFaults, async (ctx) => {
      const { before, after, contents } = await patchApplication(ctx, index, ctx.body);
      ctx.audit('application.updated', about(after), changedMembers({ before, after }, ctx));
      // The update may have changed the tax number.
      const others = after.status === 'draft' ? [] : await submittedUnderSameNumber(ctx.tx, after.id);
      return ctx.reply(200, present(after, { ...contents, others }, ctx), { ETag: etagOf(after.version) });
    }),

    submitApplication: async (ctx) => {
      const { after, contents, answeredId } = await submitApplication(ctx, index);
      const {
        tx,
        principal: { tenantId },
        now,
      } = ctx;
      considerApproval(tx, after, contents.policy, now);
      ctx.audit('application.submitted', about(after));
      ctx.audit('application.status_changed', about(after), changedStatus(after));
      if (answeredId !== null)
        ctx.audit(
          'information_request.answered',
          { type: 'information_request', id: answeredId },
          { applicationId: after.id },
        );
      return ctx.reply(
        202,
        present(
          after,
          answeredId === null
            ? { ...contents, risk: await currentRisk(tx, subjectOf(after)) }
            : await readContents(tx, { tenantId, applicationId: after.id }),
          ctx,
        ),
        { ETag: etagOf(after.version) },
      );
    },

    withdrawApplication: async (ctx) => {
      const { before, after, contents, invalidated } = await withdrawApplication(ctx, index, ctx.body);
      ctx.audit('application.withdrawn', about(after), { reasonCode: after.statusReason });
      ctx.audit('application.status_changed', about(after), changedStatus(after));
      if (invalidated !== null) ctx.audit('decision.invalidated', ...ofDecision(invalidated, after));
      return ctx.reply(
        200,
        present(
          after,
          before.status === 'in_review'
            ? contents
            : await readContents(ctx.tx, { tenantId: ctx.principal.tenantId, applicationId: before.id }),
          ctx,
        ),
        { ETag: etagOf(after.version) },
      );
    },

    reopenApplication: async (ctx) => {
      const { after, contents } = await reopenApplication(ctx, index, ctx.body);
      ctx.audit('application.reopened', about(after), {
        reasonCode: after.statusReason,
        requestedBy: ctx.body.requestedBy,
      });
      ctx.audit('application.status_changed', about(after), changedStatus(after));
      return ctx.reply(200, present(after, contents, ctx), { ETag: etagOf(after.version) });
    },

    endRelationship: async (ctx) => {
      const { after, contents, renewedIds } = await endRelationship(ctx, index, ctx.body);
      for (const id of [after.id, ...renewedIds])
        ctx.audit('application.relationship_ended', about({ id }), {
          endedAt: after.relationshipEndedAt,
          reasonCode: ctx.body.reasonCode,
        });
      return ctx.reply(200, present(after, contents, ctx), { ETag: etagOf(after.version) });
    },

    eraseApplication: async (ctx) => {
      const {
        body: { reason, requestRef = null },
      } = ctx;
      const { application, erasedAt, files: left } = await eraseApplication(ctx);
      ctx.audit('subject.erased', about(application), { reason, requestRef, documents: left.length });
      // If a deletion fails, the hourly sweep removes the file.
      ctx.afterCommit(async () => {
        for (const key of left) await files.delete(key).catch(() => undefined);
      });
      return ctx.reply(202, {
        applicationId: application.id,
        reason,
        requestRef,
        documents: left.length,
        erasedAt,
      });
    },

    recordConsent: withBodyRules<'recordConsent'>(consentBodyFaults, async (ctx) => {
      const {
        params: { applicationId },
        audit,
        reply,
      } = ctx;
      const { consent, rejected, invalidated } = await recordConsent(ctx);
      const { id, action, purpose, legalBasis, textVersion } = consent;
      audit(
        action === 'granted' ? 'consent.granted' : 'consent.withdrawn',
        { type: 'consent', id },
        {
          applicationId,
          purpose,
          legalBasis,
          textVersion,
        },
      );
      for (const document of rejected)
        audit(
          'document.rejected',
          { type: 'document', id: document.id },
          { applicationId, type: document.type, rejectionCode: document.rejectionCode },
        );
      if (invalidated !== null) auditInvalidated(audit, invalidated, applicationId);
      return reply(201, shown('ConsentRecord', consent, ctx), { Location: `/v1/applications/${applicationId}` });
    }),
    ...documentHandlers({
      files,
      inspector,
      quotas,
      trail,
    }),
    ...decisionHandlers(index),
  } satisfies HandlersOf<'applications'>;
};

/** Presents an event of the timeline, with the consent that it is about. */
function entryOf(event: AuditRow): components['schemas']['ApplicationEvent'] {
  return {
    ...timelineEntry(event),
    consentId: idOfType(event, 'consent'),
    consentPurpose: event.resourceType === 'consent' ? textAt(event, 'purpose') : null,
  };
}
