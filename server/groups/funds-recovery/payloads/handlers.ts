import type { HandlersOf } from '../../../contract/handlers.ts';
import { erasePayloads } from './erase.ts';

export const payloads = {
  eraseFundsRecoveryPayloads: async (ctx) => {
    const { isRepeated, ...removed } = await erasePayloads(ctx);
    if (!isRepeated) ctx.audit('funds_recovery.payloads_erased', { type: 'funds_recovery', id: ctx.params.fundsRecoveryId }, removed);
    return ctx.reply(204);
  },
} satisfies Pick<HandlersOf<'funds-recovery'>, 'eraseFundsRecoveryPayloads'>;
