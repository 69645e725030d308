import { type FieldError, Problem } from '../../contract/problem.ts';
import type { Context, Handlers } from '../../request/handler.ts';
import type { Access } from '../../request/lookup.ts';
import { namedSubject } from '../../rules/subject.ts';
import { environmentPage, orderOf, type Page } from '../../request/pagination.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Assessable } from './assessable.ts';
import { auditedMembers } from './assess-task.ts';
import { assess } from './assess.ts';
import { type Assessment, listAssessments } from './assessment-store.ts';
import { factCatalogue } from './catalogue.ts';
import { tryAssessment } from './dry-run.ts';
import { lookup } from './lookup.ts';
import { overrideLevel } from './override.ts';
import { presentInList } from './present.ts';
import { presentAssessment, presentTried } from './present-assessment.ts';
import { unscorable } from './unscorable.ts';

type Schemas = components['schemas'];

const about = ({ id }: Pick<Assessment, 'id'>) => ({ type: 'risk_assessment', id }) as const;

async function assessmentPage(ctx: Context<'listRiskAssessments'>): Promise<Page<Schemas['RiskAssessmentSummary']>> {
  const { level = [], applicationId, businessId, modelId, overridden, superseded = false, sort } = ctx.query;
  const order = orderOf(sort ?? '-createdAt');
  return environmentPage(ctx, {
    rows: ({ environment, after, count }) => {
      const filter = {
        environment,
        applicationId,
        businessId,
        levels: level,
        modelId,
        overridden,
        superseded,
      };
      return listAssessments(ctx.tx, filter, { ...order, after, count });
    },
    position: (row) => [row[order.by], row.id],
    item: presentInList,
  });
}

/** Lists what a request to assess must not combine. */
function combinationFaults({
  applicationId,
  businessId,
  facts,
  modelId,
  dryRun = false,
}: Context<'createRiskAssessment'>['body']) {
  const isNamed = applicationId !== undefined || businessId !== undefined;
  const faults: FieldError[] = [];
  const refuse = (pointer: string, code: string, message: string) => faults.push({ pointer, code, message });
  if (applicationId !== undefined && businessId !== undefined)
    refuse('/businessId', 'not_allowed', 'must be left out, because applicationId names the subject');
  if (!isNamed && facts === undefined)
    refuse(
      '/applicationId',
      'required',
      'must be present, unless businessId names the subject or a dry run states the facts',
    );
  if (isNamed && facts !== undefined)
    refuse('/facts', 'not_allowed', 'must be left out, because the facts are those of the subject');
  if (!dryRun && facts !== undefined) refuse('/facts', 'not_allowed', 'must be left out, unless it is a dry run');
  if (!dryRun && modelId !== undefined)
    refuse('/modelId', 'not_allowed', 'must be left out, unless it is a dry run, because the active model counts');
  return faults;
}

type Operations =
  | 'listRiskFacts'
  | 'listRiskAssessments'
  | 'createRiskAssessment'
  | 'getRiskAssessment'
  | 'overrideRiskAssessment';

export const assessmentHandlers: Pick<Handlers, Operations> = {
  listRiskFacts: async ({ tx, query: { subjectType }, reply }) => {
    const types = subjectType === undefined ? (['individual', 'business'] as const) : [subjectType];
    const catalogues = await Promise.all(types.map((type) => factCatalogue(tx, type)));
    const facts = new Map(catalogues.flatMap((catalogue) => [...catalogue]));
    return reply(200, { items: [...facts.values()].sort((one, other) => (one.path < other.path ? -1 : 1)) });
  },

  listRiskAssessments: async (ctx) => ctx.reply(200, await assessmentPage(ctx)),

  createRiskAssessment: async (ctx) => {
    const { tx, body, now, timeIn, reply } = ctx;
    const errors = combinationFaults(body);
    if (errors.length > 0) throw new Problem('validation_failed', { errors });
    if (body.dryRun === true) return reply(200, presentTried(ctx, await tryAssessment(ctx)));
    const assessable = await lockedSubject(ctx, body);
    const assessed = await assess(tx, assessable, 'manual', { at: timeIn(assessable.record.environment), now });
    if (assessed.is === 'unscorable') throw unscorable(assessed.missingFacts);
    const { assessment } = assessed;
    if (assessed.is === 'unchanged') return reply(200, await presentAssessment(ctx, await stored(ctx, assessment)));
    ctx.audit('risk.assessed', about(assessment), auditedMembers(assessment));
    return reply(201, await presentAssessment(ctx, await stored(ctx, assessment)), {
      Location: `/v1/risk/assessments/${assessment.id}`,
    });
  },

  getRiskAssessment: async (ctx) => {
    const found = await lookup(ctx).assessment(ctx.params.assessmentId).forReading();
    return ctx.reply(200, await presentAssessment(ctx, found, { recompute: ctx.query.recompute === true }));
  },

  overrideRiskAssessment: async (ctx) => {
    const found = await lookup(ctx).assessment(ctx.params.assessmentId).forChangeWithoutLock();
    await lockedSubject(ctx, found);
    const overridden = await overrideLevel(ctx, found);
    const { level, reasonCode, expiresAt } = ctx.body;
    ctx.audit('risk.overridden', about(found), {
      ...namedSubject(found),
      level,
      reasonCode,
      expiresAt,
    });
    return ctx.reply(200, await presentAssessment(ctx, overridden));
  },
};

/** Locks the subject that a request or an assessment names. */
async function lockedSubject(
  ctx: Access,
  { applicationId = null, businessId = null }: { applicationId?: string | null; businessId?: string | null },
): Promise<Assessable> {
  return applicationId === null
    ? { kind: 'business', record: await lookup(ctx).business(businessId!).forChange() }
    : { kind: 'application', record: await lookup(ctx).application(applicationId).forChange() };
}

/** Reads an assessment that the request has written. */
function stored(ctx: Context<'createRiskAssessment'>, { id }: Assessment): Promise<Assessment> {
  return lookup(ctx).assessment(id).forReading();
}
