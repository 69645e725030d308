import type { components } from '../../contract/generated/types.ts';
import { actorOf } from '../../contract/operation.ts';
import { type FieldError, Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import { requestedThreshold, type Threshold } from '../../ownership/threshold.ts';
import { millionthsOf } from '../../ownership/graph.ts';
import type { Context, Handlers } from '../../request/handler.ts';
import { listPage } from '../../request/pagination.ts';
import { assertMatch, etagOf } from '../../request/preconditions.ts';
import { calendarDate } from '../../rules/brazilian-calendar.ts';
import { shown } from '../../rules/mask.ts';
import {
  assertNotClosed,
  auditInvalidated,
  type Business,
  businessLookups as lookup,
  reviewAgain,
} from '../businesses/index.ts';
import { businessDocuments } from '../documents/index.ts';
import { openingKey } from '../subject-keys/index.ts';
import { type Assessment, assessmentOf } from './assessment.ts';
import { type Opened, openedVersion } from './opened-version.ts';
import { NO_OWNERS, type RecordedGraph, recordedGraph, recordedGraphFaults } from './recorded-graph.ts';
import { MILLIONTHS, recordVersion, replacedChanges, thresholdFor } from './record-version.ts';
import { latestVersion, type OwnershipVersionSummary, versionsOf, numberedVersion } from './store.ts';

type Schemas = components['schemas'];

const MOST_ERRORS = 100;
const TOO_INTRICATE = 'cannot be computed in a moment: leave out holdings that hardly matter';

/** Returns a version of a business, or version 0 if nothing is recorded. */
async function readVersion(
  ctx: Pick<Context<'getOwnership'>, 'tx' | 'timeIn'>,
  { id, environment }: Business,
  versionNumber?: number,
): Promise<Opened> {
  const { tx } = ctx;
  const row = versionNumber === undefined ? await latestVersion(tx, id) : await numberedVersion(tx, id, versionNumber);
  if (row !== null) return openedVersion(row, await openingKey(tx, { type: 'business', id }));
  if (versionNumber !== undefined) throw new Problem('not_found');
  const assessment = assessmentOf(NO_OWNERS, calendarDate(ctx.timeIn(environment)), await thresholdFor(tx, id))!;
  return {
    graph: NO_OWNERS,
    assessment,
    version: 0,
    createdAt: null,
    createdBy: null,
  };
}

/** Assesses a version for another day or threshold than those of its record. */
function assessed({ graph, assessment }: Opened, day: string, wanted: Threshold): Assessment {
  const { asOf, threshold: used } = assessment;
  const isRecorded =
    asOf === day &&
    Math.round(used.percent * MILLIONTHS) === wanted.millionths &&
    used.comparator === wanted.comparator;
  if (isRecorded) return assessment;
  const found = assessmentOf(graph, day, wanted);
  if (found === null)
    throw new Problem('invalid_parameter', {
      errors: [{ parameter: 'asOf', code: 'too_intricate', message: `names a day whose holdings ${TOO_INTRICATE}` }],
    });
  return found;
}

function presented(
  { id, environment }: Business,
  { graph, version, createdAt, createdBy }: Opened,
  assessment: Assessment,
): Schemas['Ownership'] {
  return {
    businessId: id,
    environment,
    version,
    ...graph,
    assessment,
    createdAt,
    createdBy,
  };
}

/** Rejects a graph with faults. All are named at once, the first hundred of them. */
async function assertValid(tx: Transaction, business: Business, graph: RecordedGraph): Promise<void> {
  const named = graph.edges.flatMap(({ evidenceDocumentId }) => evidenceDocumentId ?? []);
  const documents = await businessDocuments(tx, business.id, [...new Set(named)]);
  const unknown = graph.edges.flatMap(({ evidenceDocumentId: id }, index): FieldError[] =>
    id === null || documents.has(id)
      ? []
      : [
          {
            pointer: `/edges/${index}/evidenceDocumentId`,
            code: 'not_found',
            message: 'must name a document of the business',
          },
        ],
  );
  const errors = [...recordedGraphFaults(graph, business.environment), ...unknown].slice(0, MOST_ERRORS);
  if (errors.length > 0) throw new Problem('validation_failed', { errors });
}

/** Returns the threshold that a request asks for. It may only find more owners than the policy. */
async function askedThreshold(
  { tx, query }: Pick<Context<'getBeneficialOwners'>, 'tx' | 'query'>,
  business: Business,
): Promise<Threshold> {
  const { thresholdPercent, comparator } = query;
  const millionths = thresholdPercent === undefined ? undefined : millionthsOf(thresholdPercent);
  const refuse = (code: string, message: string): Problem =>
    new Problem('invalid_parameter', { errors: [{ parameter: 'thresholdPercent', code, message }] });
  if (millionths === null) throw refuse('too_many_decimals', 'has more than six decimals');
  const wanted = requestedThreshold(await thresholdFor(tx, business.id), {
    ...(millionths !== undefined && { millionths }),
    ...(comparator !== undefined && { comparator }),
  });
  if (wanted === null)
    throw refuse('threshold_above_policy', 'must find at least the owners that the policy of the settings finds');
  return wanted;
}

type Operations = 'getOwnership' | 'replaceOwnership' | 'listOwnershipVersions' | 'getBeneficialOwners';

export const ownershipHandlers = (): Pick<Handlers, Operations> => ({
  getOwnership: async (ctx) => {
    const { tx, query, params } = ctx;
    const business = await lookup(ctx).business(params.businessId).forReading();
    const version = await readVersion(ctx, business, query.versionNumber);
    const assessment =
      query.asOf === undefined
        ? version.assessment
        : assessed(version, query.asOf, await thresholdFor(tx, business.id));
    return ctx.reply(200, shown('Ownership', presented(business, version, assessment), ctx), {
      ETag: etagOf(version.version),
    });
  },

  replaceOwnership: async (ctx) => {
    const { tx, body, params, headers } = ctx;
    const business = await lookup(ctx).business(params.businessId).forChange();
    if (headers['if-match'] === undefined) throw new Problem('precondition_required');
    assertNotClosed(business.status);
    const before = await latestVersion(tx, business.id);
    assertMatch(headers['if-match'], before?.version ?? 0);
    const graph = recordedGraph(body);
    await assertValid(tx, business, graph);
    const { id: businessId, environment } = business;
    const at = ctx.timeIn(environment);
    const assessment = assessmentOf(graph, calendarDate(at), await thresholdFor(tx, business.id));
    if (assessment === null)
      throw new Problem('validation_failed', {
        errors: [{ pointer: '/edges', code: 'too_intricate', message: TOO_INTRICATE }],
      });
    const version = await recordVersion(tx, business, {
      graph,
      assessment,
      version: (before?.version ?? 0) + 1,
      by: actorOf(ctx.principal),
      at,
      now: ctx.now,
    });
    ctx.audit('ownership.replaced', { type: 'business', id: businessId }, replacedChanges(version));
    const invalidated = await reviewAgain(ctx, business);
    if (invalidated !== null) auditInvalidated(ctx.audit, invalidated, businessId);
    return ctx.reply(200, shown('Ownership', presented(business, version, assessment), ctx), {
      ETag: etagOf(version.version),
    });
  },

  listOwnershipVersions: async (ctx) => {
    const { id } = await lookup(ctx).business(ctx.params.businessId).forReading();
    const page = await listPage(ctx, {
      ...versionsOf(ctx.tx, id),
      item: inList,
    });
    return ctx.reply(200, page);
  },

  getBeneficialOwners: async (ctx) => {
    const { query, params } = ctx;
    const business = await lookup(ctx).business(params.businessId).forReading();
    const wanted = await askedThreshold(ctx, business);
    const version = await readVersion(ctx, business);
    const assessment = assessed(version, query.asOf ?? calendarDate(ctx.timeIn(business.environment)), wanted);
    const found = { businessId: business.id, versionNumber: version.version, assessment };
    return ctx.reply(200, shown('BeneficialOwners', found, ctx));
  },
});

function inList(row: OwnershipVersionSummary): Schemas['OwnershipVersion'] {
  const { id, version, partyCount, edgeCount, isComplete, unresolved, beneficialOwners, createdAt, createdBy } = row;
  return {
    id,
    version,
    partyCount,
    edgeCount,
    complete: isComplete,
    unresolvedPercent: unresolved / MILLIONTHS,
    beneficialOwners,
    createdAt,
    createdBy,
  };
}
