import { Problem } from '../../contract/problem.ts';
import type { Context, Handlers } from '../../request/handler.ts';
import { type Cursors, DEFAULT_LIMIT, filtersOf, pageOf } from '../../request/pagination.ts';
import type { components } from '../../contract/generated/types.ts';
import { listMovers } from './compared-store.ts';
import { type Comparison, findComparison, listComparisons, lockComparison, runningShadow } from './comparison-store.ts';
import { cancelBacktest, requestBacktest } from './comparisons.ts';
import { lookup } from './lookup.ts';
import { presentComparison, presentMover } from './present.ts';
import { endShadow, startShadow } from './shadow.ts';

const about = ({ id }: Pick<Comparison, 'id'>) => ({ type: 'risk_backtest', id }) as const;

type Operations =
  | 'listRiskBacktests'
  | 'createRiskBacktest'
  | 'getRiskBacktest'
  | 'cancelRiskBacktest'
  | 'startRiskShadow'
  | 'stopRiskShadow';

async function moverPage(
  ctx: Context<'getRiskBacktest'>,
  { id }: Comparison,
  cursors: Cursors,
): Promise<components['schemas']['RiskMoverPage']> {
  const {
    tx,
    principal: { tenantId },
    query,
    operationId,
  } = ctx;
  const { limit = DEFAULT_LIMIT, from, to } = query;
  const binding = { tenantId, operationId, filters: { ...filtersOf(query), id } };
  const after = query.cursor === undefined ? null : cursors.decode(binding, query.cursor);
  const rows = await listMovers(tx, id, {
    from,
    to,
    after,
    count: limit + 1,
  });
  return pageOf(rows, limit, presentMover, { cursors, binding, positionOf: (row) => [row.id] });
}

export const backtestHandlers = ({ cursors }: { readonly cursors: Cursors }): Pick<Handlers, Operations> => ({
  listRiskBacktests: async (ctx) => {
    const {
      tx,
      principal: { tenantId },
      query,
      operationId,
      now,
    } = ctx;
    const model = await lookup(ctx).model(ctx.params.modelId).forReading();
    const { limit = DEFAULT_LIMIT } = query;
    const binding = { tenantId, operationId, filters: { ...filtersOf(query), modelId: model.id } };
    const after = query.cursor === undefined ? null : cursors.decode(binding, query.cursor);
    const rows = await listComparisons(tx, model.id, { after, count: limit + 1 });
    const { items, ...rest } = pageOf(rows, limit, (row) => row, {
      cursors,
      binding,
      positionOf: (row) => [row.createdAt, row.id],
    });
    return ctx.reply(200, {
      ...rest,
      items: await Promise.all(items.map((one) => presentComparison(tx, one, now))),
    });
  },

  createRiskBacktest: async (ctx) => {
    const model = await lookup(ctx).model(ctx.params.modelId).forChangeWithoutLock();
    const made = await requestBacktest(ctx, model);
    ctx.audit('backtest.requested', about(made), { modelId: model.id, baselineModelId: made.baselineId });
    return ctx.reply(202, await presentComparison(ctx.tx, made, ctx.now));
  },

  getRiskBacktest: async (ctx) => {
    const found = await lookup(ctx).backtest(ctx.params.backtestId).forReading();
    const shown = await presentComparison(ctx.tx, found, ctx.now);
    return ctx.reply(200, { ...shown, movers: await moverPage(ctx, found, cursors) });
  },

  cancelRiskBacktest: async (ctx) => {
    const found = await lookup(ctx).backtest(ctx.params.backtestId).forChange();
    const cancelled = await cancelBacktest(ctx.tx, found, ctx.now);
    ctx.audit('backtest.cancelled', about(cancelled), { modelId: cancelled.modelId });
    return ctx.reply(200, await presentComparison(ctx.tx, cancelled, ctx.now));
  },

  startRiskShadow: async (ctx) => {
    const draft = await lookup(ctx).model(ctx.params.modelId).forChangeWithoutLock();
    const made = await startShadow(ctx, draft);
    ctx.audit('risk_shadow.started', about(made), { modelId: draft.id, endsAt: made.endsAt });
    return ctx.reply(201, await presentComparison(ctx.tx, made, ctx.now), {
      Location: `/v1/risk/backtests/${made.id}`,
    });
  },

  stopRiskShadow: async (ctx) => {
    const { tx, now } = ctx;
    const model = await lookup(ctx).model(ctx.params.modelId).forChangeWithoutLock();
    const shadow = await runningShadow(tx, model.environment, model.key as Comparison['subjectType']);
    if (shadow?.modelId !== model.id) throw new Problem('shadow_not_running');
    await endShadow(tx, (await lockComparison(tx, shadow.id))!, now);
    const ended = (await findComparison(tx, shadow.id))!;
    ctx.audit('risk_shadow.ended', about(ended), { modelId: model.id });
    return ctx.reply(204);
  },
});
