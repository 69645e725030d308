import { Problem } from '../../contract/problem.ts';
import type { Context, Handlers } from '../../request/handler.ts';
import { listPage } from '../../request/pagination.ts';
import type { components } from '../../contract/generated/types.ts';
import { listMovers } from './compared-store.ts';
import { type Comparison, findComparison, comparisonsOf, lockComparison, runningShadow } from './comparison-store.ts';
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
): Promise<components['schemas']['RiskMoverPage']> {
  const { from, to } = ctx.query;
  return listPage(ctx, {
    rows: (wanted) => listMovers(ctx.tx, id, { from, to, ...wanted }),
    position: (row) => [row.id],
    item: presentMover,
    bind: { id },
  });
}

export const backtestHandlers: Pick<Handlers, Operations> = {
  listRiskBacktests: async (ctx) => {
    const { tx, now } = ctx;
    const { id } = await lookup(ctx).model(ctx.params.modelId).forReading();
    const page = await listPage(ctx, {
      ...comparisonsOf(tx, id),
      item: (row) => presentComparison(tx, row, now),
    });
    return ctx.reply(200, page);
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
    return ctx.reply(200, { ...shown, movers: await moverPage(ctx, found) });
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
};
