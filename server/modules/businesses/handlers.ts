/** Handlers of the record of a business and of the steps of its life, registered by the index of the module. */
import { uuidv7 } from '../../base/uuid.ts';
import type { components } from '../../contract/generated/types.ts';
import { actorOf } from '../../contract/operation.ts';
import type { FileStorage } from '../../providers/files/index.ts';
import type { Context, HandlersOf } from '../../request/handler.ts';
import { environmentPage, orderOf, type Page } from '../../request/pagination.ts';
import { etagOf } from '../../request/preconditions.ts';
import { instantParameter } from '../../request/query.ts';
import { shown } from '../../rules/mask.ts';
import { normaliseTaxNumber } from '../../rules/tax-id.ts';
import { changedStatus } from '../decisions/index.ts';
import type { Inspector } from '../documents/index.ts';
import { about, auditInvalidated, ofDecision } from './audit.ts';
import {
  endRelationship,
  patchBusiness,
  reopenBusiness,
  submitBusiness,
  withdrawBusiness,
} from './change-businesses.ts';
import { present, readContents } from './contents.ts';
import { decisionHandlers } from './decision-handlers.ts';
import { evidenceHandlers } from './evidence-handlers.ts';
import { historyHandlers } from './history-handlers.ts';
import { businessLookups as lookup } from './lookup.ts';
import { assertHeadOffice, recordRegistration } from './registration.ts';
import { business, type Business, insertBusiness, listBusinesses } from './store.ts';

interface Dependencies {
  readonly files: FileStorage;
  /** Inspects uploaded files in another process. */
  readonly inspector: Inspector;
}

/**
 * Handlers of the record itself; the modules ownership, powers and business-packs hold the others below
 * `/v1/businesses`.
 */
type HandlersOfRecord = Pick<
  HandlersOf<'businesses'>,
  | 'createBusiness'
  | 'listBusinesses'
  | 'getBusiness'
  | 'updateBusiness'
  | 'submitBusiness'
  | 'withdrawBusiness'
  | 'reopenBusiness'
  | 'endBusinessRelationship'
  | 'createBusinessDecision'
  | 'reviewBusinessDecision'
  | 'createBusinessInformationRequest'
  | 'uploadBusinessDocument'
  | 'deleteBusinessDocument'
  | 'downloadBusinessDocument'
  | 'recordBusinessWaiver'
  | 'recordBusinessAttestation'
  | 'listBusinessTimeline'
  | 'eraseBusiness'
>;

async function businessPage(ctx: Context<'listBusinesses'>): Promise<Page<components['schemas']['Business']>> {
  const { tx, query } = ctx;
  const { registrationNumber, sort = '-createdAt' } = query;
  return environmentPage(ctx, {
    rows: ({ environment, after, count }) => {
      const filter = {
        environment,
        registrationNumber: registrationNumber === undefined ? undefined : normaliseTaxNumber(registrationNumber),
        externalId: query.externalId,
        createdAfter: instantParameter('createdAfter', query.createdAfter),
        createdBefore: instantParameter('createdBefore', query.createdBefore),
      };
      return listBusinesses(tx, filter, { direction: orderOf(sort).direction, after, count });
    },
    position: ({ createdAt, id }) => [createdAt, id],
    item: (row) => shown('Business', row, ctx),
  });
}

export const businessHandlers = ({ files, inspector }: Dependencies) =>
  ({
    createBusiness: async (ctx) => {
      const { tx, environment, body, timeIn, reply } = ctx;
      ctx.setResourceEnvironment(environment);
      const now = timeIn(environment).toISOString();
      const record: Business = {
        id: uuidv7(),
        environment,
        externalId: body.externalId ?? null,
        legalName: body.legalName,
        tradeName: body.tradeName ?? null,
        registration: recordRegistration(body.registration, environment),
        legalForm: body.legalForm,
        level: body.level ?? 'standard',
        monthlyRevenue: body.monthlyRevenue ?? null,
        status: 'draft',
        statusReason: null,
        statusNote: null,
        resubmissionCount: 0,
        submittedAt: null,
        decidedAt: null,
        validUntil: null,
        reviewDueAt: null,
        relationshipEndedAt: null,
        expiresAt: null,
        version: 1,
        createdAt: now,
        updatedAt: now,
        createdBy: actorOf(ctx.principal),
      };
      // A branch that exists is a duplicate, even if its head office has been erased since.
      await insertBusiness(tx, record);
      await assertHeadOffice(tx, record);
      ctx.audit('business.created', about(record), { legalForm: record.legalForm });
      return reply(201, present(record, await readContents(tx, record.id), ctx), {
        Location: `/v1/businesses/${record.id}`,
      });
    },

    listBusinesses: async (ctx) => ctx.reply(200, await businessPage(ctx)),

    getBusiness: async (ctx) => {
      const [found, contents] = await Promise.all([
        lookup(ctx).business(ctx.params.businessId).forReading(),
        readContents(ctx.tx, ctx.params.businessId),
      ]);
      return ctx.reply(200, present(found, contents, ctx), { ETag: etagOf(found.version) });
    },

    updateBusiness: async (ctx) => {
      const { before, after, contents, invalidated } = await patchBusiness(ctx, ctx.body, ctx.resultFaults);
      ctx.audit(
        'business.updated',
        about(after),
        business.changed(before, after).map((member) => ({ op: 'replace', path: `/${member}` })),
      );
      if (invalidated === null) return ctx.reply(200, present(after, contents, ctx), { ETag: etagOf(after.version) });
      auditInvalidated(ctx.audit, invalidated, after.id);
      return ctx.reply(200, present(after, await readContents(ctx.tx, after.id), ctx), {
        ETag: etagOf(after.version),
      });
    },

    submitBusiness: async (ctx) => {
      const { after, answeredId } = await submitBusiness(ctx);
      ctx.audit('business.submitted', about(after));
      ctx.audit('business.status_changed', about(after), changedStatus(after));
      if (answeredId !== null)
        ctx.audit(
          'information_request.answered',
          { type: 'information_request', id: answeredId },
          { businessId: after.id },
        );
      return ctx.reply(202, present(after, await readContents(ctx.tx, after.id), ctx), { ETag: etagOf(after.version) });
    },

    withdrawBusiness: async (ctx) => {
      const { after, invalidated } = await withdrawBusiness(ctx, ctx.body);
      ctx.audit('business.withdrawn', about(after), { reasonCode: after.statusReason });
      ctx.audit('business.status_changed', about(after), changedStatus(after));
      if (invalidated !== null) ctx.audit('decision.invalidated', ...ofDecision(invalidated, after));
      return ctx.reply(200, present(after, await readContents(ctx.tx, after.id), ctx), { ETag: etagOf(after.version) });
    },

    reopenBusiness: async (ctx) => {
      const { after, contents } = await reopenBusiness(ctx, ctx.body);
      ctx.audit('business.reopened', about(after), {
        reasonCode: after.statusReason,
        requestedBy: ctx.body.requestedBy,
      });
      ctx.audit('business.status_changed', about(after), changedStatus(after));
      return ctx.reply(200, present(after, contents, ctx), { ETag: etagOf(after.version) });
    },

    endBusinessRelationship: async (ctx) => {
      const { after, contents } = await endRelationship(ctx, ctx.body);
      ctx.audit('business.relationship_ended', about(after), {
        endedAt: after.relationshipEndedAt,
        reasonCode: ctx.body.reasonCode,
      });
      return ctx.reply(200, present(after, contents, ctx), { ETag: etagOf(after.version) });
    },
    ...evidenceHandlers({ files, inspector }),
    ...decisionHandlers,
    ...historyHandlers({ files }),
  }) satisfies HandlersOfRecord;
