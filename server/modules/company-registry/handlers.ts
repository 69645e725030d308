/** Handlers of the answers of registries and of the differences from what is declared. */
import { createHash } from 'node:crypto';
import { canonicalJson, type Json } from '../../base/canonical-json.ts';
import { uuidv7 } from '../../base/uuid.ts';
import type { components } from '../../contract/generated/types.ts';
import { actorOf } from '../../contract/operation.ts';
import { Problem, unavailable } from '../../contract/problem.ts';
import { RegistryError, type RegistryFinding, registryFor } from '../../providers/business-registry/index.ts';
import type { Context, Handlers } from '../../request/handler.ts';
import { assertNotClosed, auditInvalidated, type Business, reviewAgain } from '../businesses/index.ts';
import { publish } from '../subject-events/index.ts';
import { openedRow, sealedRow, sealingKey } from '../subject-keys/index.ts';
import { compareAgain } from './compare.ts';
import { lookup } from './lookup.ts';
import { presentDifference, presentRegistry, registryOf } from './present.ts';
import {
  type AnswerRow,
  type DifferenceRow,
  insertAnswer,
  registryAnswer,
  registryDifference,
  storeResolution,
} from './store.ts';

type Schemas = components['schemas'];

/** Asks the registry of the environment. A registry that does not answer is unavailable, and nothing is stored. */
async function ask({ environment, registration, legalName }: Business): Promise<{ source: string } & RegistryFinding> {
  const registry = registryFor(environment);
  if (registry === null) throw new Problem('provider_not_configured');
  try {
    return { source: registry.source, ...(await registry.find({ number: registration.number, legalName })) };
  } catch (error) {
    if (error instanceof RegistryError) throw unavailable('dependency_unavailable');
    throw error;
  }
}

async function fetchAnswer(ctx: Context<'fetchBusinessRegistry'>): Promise<Schemas['BusinessRegistry']> {
  const { tx, principal, params } = ctx;
  const business = await lookup(ctx).business(params.businessId).forChange();
  assertNotClosed(business.status);
  const { source, ...finding } = await ask(business);
  const { id: businessId, environment } = business;
  const at = ctx.timeIn(environment);
  const row: AnswerRow = {
    id: uuidv7(),
    environment,
    businessId,
    source,
    situation: finding.situation,
    state: finding.state,
    city: finding.city,
    finding: JSON.stringify(finding),
    contentHash: createHash('sha256')
      .update(canonicalJson(finding as unknown as Json), 'utf8')
      .digest('hex'),
    createdAt: at.toISOString(),
    createdBy: actorOf(principal),
  };
  const key = await sealingKey(tx, { type: 'business', id: businessId }, { environment, now: at });
  insertAnswer(tx, sealedRow(registryAnswer, row, key));
  const differences = await compareAgain(tx, business, finding, { key, at });
  ctx.audit(
    'registry.fetched',
    { type: 'registry_answer', id: row.id },
    {
      businessId,
      source,
      situation: row.situation,
      differences: differences.length,
    },
  );
  await publish(tx, {
    type: 'registry.answered',
    subject: { kind: 'business', id: businessId },
    environment,
    at,
    now: ctx.now,
  });
  const invalidated = await reviewAgain(ctx, business);
  if (invalidated !== null) auditInvalidated(ctx.audit, invalidated, businessId);
  return presentRegistry(business, row, differences, ctx);
}

type Operations = 'getBusinessRegistry' | 'fetchBusinessRegistry' | 'resolveRegistryDifference';

export const registryHandlers: Pick<Handlers, Operations> = {
  getBusinessRegistry: async (ctx) => {
    const business = await lookup(ctx).business(ctx.params.businessId).forReading();
    return ctx.reply(200, await registryOf(ctx, business));
  },

  fetchBusinessRegistry: async (ctx) => {
    const found = await fetchAnswer(ctx);
    return ctx.reply(201, found, { Location: `/v1/businesses/${found.businessId}/registry` });
  },

  resolveRegistryDifference: async (ctx) => {
    const { tx, body, params, principal } = ctx;
    const business = await lookup(ctx).business(params.businessId).forChange();
    assertNotClosed(business.status);
    const { environment, id: businessId } = business;
    const found = await lookup(ctx).difference(businessId, params.differenceId).forChangeWithoutLock();
    const at = ctx.timeIn(environment);
    const key = await sealingKey(tx, { type: 'business', id: businessId }, { environment, now: at });
    const row: DifferenceRow = {
      ...openedRow(registryDifference, found, key),
      resolution: body.resolution,
      note: body.note,
      resolvedAt: at.toISOString(),
      resolvedBy: actorOf(principal),
    };
    storeResolution(tx, sealedRow(registryDifference, row, key));
    const { id, field, resolution } = row;
    ctx.audit('registry.difference_resolved', { type: 'registry_difference', id }, { businessId, field, resolution });
    const invalidated = await reviewAgain(ctx, business);
    if (invalidated !== null) auditInvalidated(ctx.audit, invalidated, businessId);
    return ctx.reply(200, presentDifference(row, ctx));
  },
};
