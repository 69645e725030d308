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
import { type Assessment, assessmentOf, reassessed } from './assessment.ts';
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

/** Refuses a request for what cannot be computed in a moment. */
function tooIntricate(parameter: 'asOf' | 'thresholdPercent'): Problem {
  const message = `asks for what ${TOO_INTRICATE}`;
  return new Problem('invalid_parameter', { errors: [{ parameter, code: 'too_intricate', message }] });
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
function askedThreshold(
  { thresholdPercent, comparator }: Context<'getBeneficialOwners'>['query'],
  policy: Threshold,
): Threshold {
  const millionths = thresholdPercent === undefined ? undefined : millionthsOf(thresholdPercent);
  const refuse = (code: string, message: string): Problem =>
    new Problem('invalid_parameter', { errors: [{ parameter: 'thresholdPercent', code, message }] });
  if (millionths === null) throw refuse('too_many_decimals', 'has more than six decimals');
  const wanted = requestedThreshold(policy, {
    ...(millionths !== undefined && { millionths }),
    ...(comparator !== undefined && { comparator }),
  });
  if (wanted === null)
    throw refuse('threshold_above_policy', 'must find at least the owners that the policy of the settings finds');
  return wanted;
}

/**
 * Returns the assessment of the latest version that a request asks for. Without a day and a stricter threshold there
 * always is one: if that of today cannot be computed in a moment, it is the recorded one, on which requirements rest.
 */
async function beneficialOwners(
  { tx, query, timeIn }: Pick<Context<'getBeneficialOwners'>, 'tx' | 'query' | 'timeIn'>,
  business: Business,
  version: Opened,
): Promise<Assessment> {
  const policy = await thresholdFor(tx, business.id);
  const wanted = askedThreshold(query, policy);
  const found = reassessed(version, query.asOf ?? calendarDate(timeIn(business.environment)), wanted);
  if (found !== null) return found;
  if (query.asOf !== undefined) throw tooIntricate('asOf');
  const isStricter = wanted.millionths !== policy.millionths || wanted.comparator !== policy.comparator;
  if (isStricter) throw tooIntricate('thresholdPercent');
  return version.assessment;
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
        : reassessed(version, query.asOf, await thresholdFor(tx, business.id));
    if (assessment === null) throw tooIntricate('asOf');
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
    const business = await lookup(ctx).business(ctx.params.businessId).forReading();
    const version = await readVersion(ctx, business);
    const assessment = await beneficialOwners(ctx, business, version);
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
