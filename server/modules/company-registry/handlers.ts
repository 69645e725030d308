/** Handlers of the answers of registries and of the differences from what is declared. */
import { actorOf } from '../../contract/operation.ts';
import type { Handlers } from '../../request/handler.ts';
import { assertNotClosed, auditInvalidated, reviewAgain } from '../businesses/index.ts';
import { openedRow, sealedRow, sealingKey } from '../subject-keys/index.ts';
import { askRegistry, fetchedEvent } from './ask.ts';
import { lookup } from './lookup.ts';
import { presentDifference, presentRegistry, registryOf } from './present.ts';
import { type DifferenceRow, registryDifference, storeResolution } from './store.ts';

type Operations = 'getBusinessRegistry' | 'fetchBusinessRegistry' | 'resolveRegistryDifference';

export const registryHandlers: Pick<Handlers, Operations> = {
  getBusinessRegistry: async (ctx) => {
    const business = await lookup(ctx).business(ctx.params.businessId).forReading();
    return ctx.reply(200, await registryOf(ctx, business));
  },

  fetchBusinessRegistry: async (ctx) => {
    const { business, answer, differences } = await askRegistry(ctx, ctx.params.businessId, ctx.audit);
    ctx.audit('registry.fetched', ...fetchedEvent(answer, differences));
    return ctx.reply(201, presentRegistry(business, answer, differences, ctx), {
      Location: `/v1/businesses/${business.id}/registry`,
    });
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
