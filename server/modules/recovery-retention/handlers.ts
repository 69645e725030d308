/**
 * Handler of the erasure of a recovery's payloads, registered by the index of the module. Audits the first erasure
 * only.
 */
import type { HandlersOf } from '../../request/handler.ts';
import { erasePayloads } from './erase-payloads.ts';

export const recoveryRetentionHandlers = {
  eraseFundsRecoveryPayloads: async (ctx) => {
    const { isRepeated, ...removed } = await erasePayloads(ctx);
    if (!isRepeated)
      ctx.audit('funds_recovery.payloads_erased', { type: 'funds_recovery', id: ctx.params.fundsRecoveryId }, removed);
    return ctx.reply(204);
  },
} satisfies Pick<HandlersOf<'funds-recovery'>, 'eraseFundsRecoveryPayloads'>;
