import { actorOf } from '../../contract/operation.ts';
import { type FieldError, Problem, type ProblemCode } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import type { Context, Handlers } from '../../request/handler.ts';
import { environmentPage, orderOf, type Page, type Position } from '../../request/pagination.ts';
import { etagOf } from '../../request/preconditions.ts';
import { modelFaults } from '../../risk/check-model.ts';
import type { SubjectType } from '../../risk/facts.ts';
import type { RiskModel } from '../../risk/model.ts';
import type { Json } from '../../base/canonical-json.ts';
import { createDraft, type Definition, keysOfKind, listDefinitions, reviseDraft } from '../definitions/index.ts';
import { requestModelActivation, reviewModelActivation } from './activation.ts';
import { factCatalogue } from './catalogue.ts';
import { runningShadow } from './comparison-store.ts';
import { lookup } from './lookup.ts';
import { presentModel, presentModelInList } from './present.ts';
import { activeLists, modelName, modelOf, shippedVersion, storeShipped, SUBJECT_TYPES } from './versions.ts';

const about = ({ id }: Pick<Definition, 'id'>) => ({ type: 'risk_model', id }) as const;

const CODES: readonly ProblemCode[] = [
  'band_gap',
  'band_overlap',
  'weights_sum_zero',
  'thresholds_inverted',
  'unknown_fact',
  'unknown_reference_list',
  'expression_type_error',
];

/** Rejects a model that could not score. The first fault determines the code of the problem; `errors` lists all. */
async function assertValid(
  tx: Transaction,
  model: RiskModel,
  { environment, subjectType }: { readonly environment: Definition['environment']; readonly subjectType: SubjectType },
  at: string,
): Promise<void> {
  const [catalogue, lists] = await Promise.all([factCatalogue(tx, subjectType), activeLists(tx, environment)]);
  const faults = modelFaults(model, catalogue, new Set(lists.keys()));
  const [first] = faults;
  if (first === undefined) return;
  const errors = faults
    .slice(0, MOST_ERRORS)
    .map(({ pointer, code, message }): FieldError => ({ pointer: `${at}${pointer}`, code, message }));
  throw new Problem(CODES.find((code) => code === first.code) ?? 'validation_failed', { errors });
}

const MOST_ERRORS = 100;

async function modelPage(ctx: Context<'listRiskModels'>): Promise<Page<ReturnType<typeof presentModelInList>>> {
  const { sort = '-number', status: statuses = [], subjectType } = ctx.query;
  const { direction } = orderOf(sort);
  const sign = direction === 'asc' ? 1 : -1;
  return environmentPage(ctx, {
    rows: async ({ environment, after, count }) => {
      const filter = {
        environment,
        kinds: ['risk_model'] as const,
        key: subjectType,
        statuses,
      };
      const stored = await listDefinitions(ctx.tx, filter, { direction, after, count });
      const shipped = await shippedUnstored(ctx, environment);
      const wanted = shipped.filter(
        ({ key }) =>
          (subjectType === undefined || key === subjectType) && (statuses.length === 0 || statuses.includes('active')),
      );
      return [...stored, ...wanted.filter((one) => after === null || sign * compare(positionOf(one), after) > 0)]
        .sort((one, other) => sign * compare(positionOf(one), positionOf(other)))
        .slice(0, count);
    },
    position: positionOf,
    item: presentModelInList,
  });
}

const positionOf = ({ number, id }: Definition): Position => [number, id];

function compare([number, id]: Position, [otherNumber, otherId]: Position): number {
  if (number !== otherNumber) return Number(number) - Number(otherNumber);
  return String(id) < String(otherId) ? -1 : Number(id !== otherId);
}

/** Returns the shipped models that have no row, because no other version was drafted yet. */
async function shippedUnstored(
  { tx }: Pick<Context<'listRiskModels'>, 'tx'>,
  environment: Definition['environment'],
): Promise<Definition[]> {
  const stored = await keysOfKind(tx, environment, 'risk_model');
  return SUBJECT_TYPES.filter((type) => !stored.includes(type)).map(
    (type) => shippedVersion(tx, modelName(environment, type))!,
  );
}

/** Returns the content of a new draft: that of the request, or that of the version which it names. */
async function contentOf(ctx: Context<'createRiskModel'>): Promise<RiskModel> {
  const { subjectType, definition, baseModelId } = ctx.body;
  if ((definition === undefined) === (baseModelId === undefined)) {
    const message = 'must be present, or baseModelId in its place, and not both';
    throw new Problem('validation_failed', { errors: [{ pointer: '/definition', code: 'required', message }] });
  }
  if (definition !== undefined) return definition;
  const base = await lookup(ctx).model(baseModelId!).forReading();
  if (base.key === subjectType && base.environment === ctx.environment) return modelOf(base);
  const message = 'must be a version of the model for the same kind of subject and environment';
  throw new Problem('validation_failed', { errors: [{ pointer: '/baseModelId', code: 'unknown_model', message }] });
}

type Operations =
  | 'listRiskModels'
  | 'createRiskModel'
  | 'getRiskModel'
  | 'replaceRiskModel'
  | 'activateRiskModel'
  | 'reviewRiskModelActivation';

export const modelHandlers: Pick<Handlers, Operations> = {
  listRiskModels: async (ctx) => ctx.reply(200, await modelPage(ctx)),

  createRiskModel: async (ctx) => {
    const { tx, environment, principal, now, body } = ctx;
    const document = await contentOf(ctx);
    await assertValid(tx, document, { environment, subjectType: body.subjectType }, '/definition');
    ctx.setResourceEnvironment(environment);
    const name = modelName(environment, body.subjectType);
    await storeShipped(tx, name);
    const made = await createDraft(tx, {
      ...name,
      document: document as unknown as Json,
      createdBy: actorOf(principal),
      now,
    });
    ctx.audit('risk_model.created', about(made), { subjectType: body.subjectType, number: made.number });
    return ctx.reply(201, await presentModel(tx, made), { Location: `/v1/risk/models/${made.id}` });
  },

  getRiskModel: async (ctx) => {
    const found = await lookup(ctx).model(ctx.params.modelId).forReading();
    return ctx.reply(200, await presentModel(ctx.tx, found), { ETag: etagOf(found.version) });
  },

  replaceRiskModel: async (ctx) => {
    const { tx, headers, body, now } = ctx;
    const found = await lookup(ctx).model(ctx.params.modelId).forChangeWithoutLock();
    const subjectType = found.key as SubjectType;
    await assertValid(tx, body, { environment: found.environment, subjectType }, '');
    const shadow = await runningShadow(tx, found.environment, subjectType);
    if (shadow?.modelId === found.id) throw new Problem('shadow_running');
    const revised = await reviseDraft(tx, found.id, {
      document: body as unknown as Json,
      ifMatch: headers['if-match'],
      now,
    });
    ctx.audit('risk_model.updated', about(revised), { checksum: revised.checksum });
    return ctx.reply(200, await presentModel(tx, revised), { ETag: etagOf(revised.version) });
  },

  activateRiskModel: async (ctx) => {
    const found = await lookup(ctx).model(ctx.params.modelId).forChangeWithoutLock();
    const pending = await requestModelActivation(ctx, found);
    ctx.audit('risk_model.activation_requested', about(pending), {
      checksum: pending.checksum,
      backtestId: ctx.body.backtestId ?? null,
    });
    return ctx.reply(202, await presentModel(ctx.tx, pending));
  },

  reviewRiskModelActivation: async (ctx) => {
    const found = await lookup(ctx).model(ctx.params.modelId).forChangeWithoutLock();
    const { definition, before, outcome, refusal } = await reviewModelActivation(ctx, found);
    if (outcome === 'confirmed') {
      ctx.audit('risk_model.activated', about(definition), { checksum: definition.checksum });
      ctx.audit('risk_model.retired', about(before));
    } else ctx.audit('risk_model.activation_returned', about(definition), { outcome });
    if (refusal !== null) throw refusal.keeping();
    return ctx.reply(200, await presentModel(ctx.tx, definition));
  },
};
