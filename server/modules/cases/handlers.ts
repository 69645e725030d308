import { actorOf, type SealedOperationId } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { FileStorage } from '../../providers/files/index.ts';
import type { Secrets } from '../../base/secrets.ts';
import { type Context, type HandlersOf, withBodyRules, withPreparation } from '../../request/handler.ts';
import { environmentPage, type Page } from '../../request/pagination.ts';
import { etagOf } from '../../request/preconditions.ts';
import { instantParameter } from '../../request/query.ts';
import { BlindIndex } from '../../rules/blind-index.ts';
import { shown } from '../../rules/mask.ts';
import { type Subject, subjectNamedBy } from '../../rules/subject.ts';
import { Quotas } from '../applications/index.ts';
import { contentDisposition, type Inspector, openFile, type Verdict } from '../documents/index.ts';
import { openingKey } from '../subject-keys/index.ts';
import { assignCases, takeNext } from './assign.ts';
import { auditJoined, type CaseAudit } from './audit-cases.ts';
import { lockSubject } from './case-subject.ts';
import { addCaseDocument } from './case-documents.ts';
import { listCases } from './list-store.ts';
import { lookup } from './lookup.ts';
import { addNote, auditNote, writeNote } from './notes.ts';
import { openCase } from './open-case.ts';
import { presentCase, presentInList } from './present.ts';
import { namedQueue, readCaseRules } from './queues.ts';
import { readCase } from './read-case.ts';
import { reopenCase } from './reopen.ts';
import { resolutionFaults, resolveCase } from './resolve.ts';
import { reviewResolution } from './review-resolution.ts';
import { type CaseRecord, type CaseType, lockOpenCase } from './store.ts';
import { caseSummary } from './summary-store.ts';
import { patchCase } from './update-case.ts';

interface Dependencies {
  readonly files: FileStorage;
  readonly inspector: Inspector;
  readonly secrets: Secrets;
}

/** Queue of a case for which the request names none. */
const DEFAULT_QUEUE = 'normal';

/** Types of cases that are about one kind of subject alone. */
const ONLY: Partial<Readonly<Record<CaseType, Subject['kind']>>> = {
  application_review: 'application',
  screening_hit: 'application',
  business_review: 'business',
};

/** Rejects a case of a type that the subject does not have. */
function assertSuits(type: CaseType, { kind }: Subject): void {
  const only = ONLY[type] ?? kind;
  if (only === kind) return;
  throw new Problem('validation_failed', {
    errors: [{ pointer: '/type', code: 'not_possible', message: `is a type of cases about an ${only} alone` }],
  });
}

async function create(ctx: Context<'createCase'>): Promise<CaseRecord> {
  const { tx, body, principal, timeIn, audit } = ctx;
  const subject = subjectNamedBy(body);
  assertSuits(body.type, subject);
  const {
    record: { environment },
  } = await lockSubject(ctx, subject);
  const open = await lockOpenCase(tx, subject, body.type);
  if (open !== null) throw new Problem('open_case_exists', { existingId: open.id });
  const queue = body.queue === undefined ? DEFAULT_QUEUE : namedQueue(await readCaseRules(tx), body.queue).key;
  const at = timeIn(environment);
  const opened = await openCase(tx, {
    environment,
    subject,
    type: body.type,
    queue,
    openedReason: 'manual',
    link: null,
    tags: body.tags ?? [],
    by: actorOf(principal),
    at,
  });
  auditJoined(audit as CaseAudit<'case.opened' | 'case.joined' | 'case.woken'>, {
    record: opened,
    outcome: 'opened',
    isWoken: false,
  });
  if (body.note === undefined) return opened;
  const { note, record } = await addNote(tx, opened, {
    text: body.note,
    documentIds: [],
    by: principal,
    at,
  });
  auditNote(audit, record, note);
  return record;
}

async function casePage(ctx: Context<'listCases'>): Promise<Page<ReturnType<typeof presentInList>>> {
  const { tx, query } = ctx;
  const { sort = 'dueAt' } = query;
  const { queues } = await readCaseRules(tx);
  const keys = queues.map(({ key }) => key);
  return environmentPage(ctx, {
    rows: ({ environment, after, count }) =>
      listCases(
        tx,
        {
          environment,
          statuses: query.status ?? [],
          types: query.type ?? [],
          queues: query.queue ?? [],
          assigneeId: assigneeOf(ctx),
          applicationId: query.applicationId,
          businessId: query.businessId,
          tag: query.tag,
          slaBreached: query.slaBreached,
          dueBefore: instantParameter('dueBefore', query.dueBefore),
        },
        {
          sort,
          queues: keys,
          after,
          count,
        },
      ),
    position: ({ sortKey, id }) => [sortKey, id],
    item: ({ sortKey: _, ...record }) => presentInList(record),
    // The order of the queues is a setting, so a change of it ends the cursors.
    bind: sort === 'queue' ? { keys } : {},
  });
}

/** A machine has no cases, so `me` finds none for it. */
function assigneeOf({ query: { assigneeId }, principal }: Context<'listCases'>): string | null | undefined {
  if (assigneeId === 'none') return null;
  if (assigneeId !== 'me') return assigneeId?.toLowerCase();
  return principal.kind === 'user' ? principal.userId : NOBODY;
}

const NOBODY = '00000000-0000-0000-0000-000000000000';

export const caseHandlers = ({ files, inspector, secrets }: Dependencies) => {
  const index = new BlindIndex(secrets.deriveKey('blind-index'));
  const quotas = new Quotas();
  const present = async (ctx: Pick<Context<'getCase'>, 'tx' | 'principal'>, record: CaseRecord) =>
    presentCase(record, await readCase(ctx.tx, record), ctx);
  return {
    createCase: async (ctx) => {
      const record = await create(ctx);
      return ctx.reply(201, await present(ctx, record), { Location: `/v1/cases/${record.id}` });
    },

    listCases: async (ctx) => ctx.reply(200, await casePage(ctx)),

    getCaseSummary: async ({ tx, environment, timeIn, setResourceEnvironment, reply }) => {
      setResourceEnvironment(environment);
      const { queues } = await readCaseRules(tx);
      const keys = queues.map(({ key }) => key);
      return reply(200, await caseSummary(tx, environment, timeIn(environment), keys));
    },

    takeNextCase: async (ctx) => {
      const record = await takeNext(ctx);
      return ctx.reply(200, { reviewCase: record === null ? null : await present(ctx, record) });
    },

    assignCases: async (ctx) => ctx.reply(200, { items: await assignCases(ctx) }),

    getCase: async (ctx) => {
      const record = await lookup(ctx).reviewCase(ctx.params.caseId).forReading();
      return ctx.reply(200, await present(ctx, record), { ETag: etagOf(record.version) });
    },

    updateCase: async (ctx) => {
      const record = await patchCase(ctx);
      return ctx.reply(200, await present(ctx, record), { ETag: etagOf(record.version) });
    },

    createCaseNote: async (ctx) => {
      const note = await writeNote(ctx);
      return ctx.reply(201, shown('CaseNote', note, ctx), { Location: `/v1/cases/${ctx.params.caseId}` });
    },

    uploadCaseDocument: withPreparation<'uploadCaseDocument', Verdict>(
      ({ principal, files: { file } }) => inspector.inspect(principal.tenantId, file.bytes, file.declaredType),
      async (ctx, verdict) => {
        const { document, isNew } = await addCaseDocument(ctx, verdict, { files, quotas });
        const { caseId } = ctx.params;
        if (!isNew) return ctx.reply(200, shown('Document', document, ctx));
        const { id, type, sha256 } = document;
        ctx.audit('document.uploaded', { type: 'document', id }, { caseId, type, sha256 });
        return ctx.reply(201, shown('Document', document, ctx), {
          Location: `/v1/cases/${caseId}/documents/${document.id}/content`,
        });
      },
    ),

    downloadCaseDocument: async (ctx) => {
      const { tx, params, audit, reply, signal } = ctx;
      const reviewCase = await lookup(ctx).reviewCase(params.caseId).forReading();
      const { id: caseId } = reviewCase;
      const { kind, id } = subjectNamedBy(reviewCase);
      const { document, ...stored } = await lookup(ctx).storedCaseDocument(caseId, params.documentId).forReading();
      const key = await openingKey(tx, { type: kind, id });
      const data = await openFile(files, { id: document.id, ...stored }, key, signal);
      audit('document.downloaded', { type: 'document', id: document.id }, { caseId });
      return reply(
        200,
        { type: document.mimeType, data, size: document.sizeBytes },
        { 'Content-Disposition': contentDisposition(document.fileName) },
      );
    },

    resolveCase: withBodyRules<'resolveCase'>(resolutionFaults, async (ctx) => {
      const resolution = await resolveCase(ctx, index);
      const status = resolution.status === 'pending_review' ? 202 : 200;
      return ctx.reply(status, shown('CaseResolution', resolution, ctx));
    }),

    reviewCaseResolution: async (ctx) =>
      ctx.reply(200, shown('CaseResolution', await reviewResolution(ctx, index), ctx)),

    reopenCase: async (ctx) => {
      const record = await reopenCase(ctx);
      return ctx.reply(200, await present(ctx, record), { ETag: etagOf(record.version) });
    },
  } satisfies Omit<HandlersOf<'cases'>, 'listWork' | SealedOperationId>;
};
