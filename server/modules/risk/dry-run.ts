import { createHash } from 'node:crypto';
import { canonicalJson, type Json } from '../../base/canonical-json.ts';
import { type FieldError, Problem } from '../../contract/problem.ts';
import type { Context } from '../../request/handler.ts';
import { calendarDate } from '../../rules/brazilian-calendar.ts';
import { counterfactualsOf } from '../../risk/counterfactuals.ts';
import type { Fact, FactCatalogue, Facts, SubjectType } from '../../risk/facts.ts';
import { assessRisk } from '../../risk/score.ts';
import type { Definition } from '../definitions/index.ts';
import type { Assessable } from './assessable.ts';
import { MODEL_OF } from './assess.ts';
import { factCatalogue } from './catalogue.ts';
import { lookup } from './lookup.ts';
import { monthsOf, type Tried } from './present-assessment.ts';
import { type Snapshot, snapshotOf } from './snapshot.ts';
import { unscorable } from './unscorable.ts';
import { activeLists, activeModel, pinned } from './versions.ts';

/** Assesses the facts of an application or a business, or those that the request states, and stores nothing. */
export async function tryAssessment(ctx: Context<'createRiskAssessment'>): Promise<Tried> {
  const { tx, body, timeIn } = ctx;
  const assessable = await namedSubject(ctx);
  const environment = assessable?.record.environment ?? ctx.environment;
  const definition = await modelToTry(ctx, environment, assessable?.kind ?? null);
  const subjectType = definition.key as SubjectType;
  const [lists, catalogue] = await Promise.all([activeLists(tx, environment), factCatalogue(tx, subjectType)]);
  const at = timeIn(environment);
  const snapshot: Snapshot =
    assessable === null
      ? { facts: knownFacts(body.facts ?? {}, catalogue), today: calendarDate(at) }
      : await snapshotOf(tx, assessable, { at });
  const { model, lists: values, listVersions } = pinned(definition, lists);
  const inputs = { ...snapshot, lists: values };
  const outcome = assessRisk(model, inputs);
  if ('unscorable' in outcome) throw unscorable(outcome.missingFacts);
  ctx.setResourceEnvironment(environment);
  const now = at.toISOString();
  return {
    outcome,
    shown: {
      environment,
      applicationId: body.applicationId ?? null,
      businessId: body.businessId ?? null,
      modelId: definition.id,
      modelNumber: definition.number,
      modelChecksum: definition.checksum,
      lists: [...listVersions],
      reviewMonths: monthsOf(model, outcome.level),
      counterfactuals: [...counterfactualsOf(model, inputs, catalogue)],
      inputsChecksum: createHash('sha256')
        .update(canonicalJson(snapshot.facts as Json))
        .digest('hex'),
      trigger: 'manual',
      createdAt: now,
      lastRecalculatedAt: now,
      levelChangedAt: now,
    },
  };
}

/** Reads the subject that a request names; null if it states the facts. */
async function namedSubject(ctx: Context<'createRiskAssessment'>): Promise<Assessable | null> {
  const { applicationId, businessId } = ctx.body;
  if (applicationId !== undefined)
    return { kind: 'application', record: await lookup(ctx).application(applicationId).forReading() };
  if (businessId !== undefined)
    return { kind: 'business', record: await lookup(ctx).business(businessId).forReading() };
  return null;
}

async function modelToTry(
  ctx: Context<'createRiskAssessment'>,
  environment: Definition['environment'],
  kind: Assessable['kind'] | null,
): Promise<Definition> {
  const { modelId } = ctx.body;
  if (modelId === undefined) return activeModel(ctx.tx, environment, MODEL_OF[kind ?? 'application']);
  const found = await lookup(ctx).model(modelId).forReading();
  if (found.environment === environment && (kind === null || found.key === MODEL_OF[kind])) return found;
  const message = 'must be a version of the model for the same kind of subject and environment';
  throw new Problem('validation_failed', { errors: [{ pointer: '/modelId', code: 'unknown_model', message }] });
}

/** Rejects facts that the catalogue does not have, and values of another type. */
function knownFacts(stated: Readonly<Record<string, unknown>>, catalogue: FactCatalogue): Facts {
  const unknown = Object.keys(stated).filter((path) => !catalogue.has(path));
  const at = (path: string, code: string, message: string): FieldError => ({
    pointer: `/facts/${path.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    code,
    message,
  });
  if (unknown.length > 0)
    throw new Problem('unknown_fact', {
      errors: unknown.map((path) => at(path, 'unknown_fact', 'must be a fact that listRiskFacts lists')),
    });
  const mistyped = Object.entries(stated).filter(([path, value]) => !hasType(value, catalogue.get(path)!.type));
  if (mistyped.length > 0)
    throw new Problem('validation_failed', {
      errors: mistyped.map(([path]) => at(path, 'type', `must be of the type ${catalogue.get(path)!.type}`)),
    });
  return stated as Facts;
}

function hasType(value: unknown, type: Fact['type']): boolean {
  if (type === 'string_list') return Array.isArray(value);
  if (type === 'date')
    return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));
  return typeof value === type;
}
