import { actorOf } from '../../contract/actor.ts';
import type { HandlersOf } from '../../contract/handlers.ts';
import type { Services } from '../../services.ts';
import { resetSandbox } from './reset.ts';
import { readStatus } from './status.ts';
import { switchOff, switchOn } from './store.ts';

function pending(): never {
  throw new Error('being written');
}

export const sandbox = ({ credentials, files }: Services) => ({
  getSandbox: async ({ tx, now, reply }) => reply(200, await readStatus(tx, now)),

  enableSandbox: async ({ tx, principal, now, audit, afterCommit, reply }) => {
    const { tenantId } = principal;
    const changed = await tx.count(switchOn, { tenantId, now, actor: JSON.stringify(actorOf(principal)) });
    if (changed > 0) audit('sandbox.enabled', { type: 'tenant', id: tenantId });
    afterCommit(() => credentials.forgetTenant(tenantId));
    return reply(200, await readStatus(tx, now));
  },

  disableSandbox: async ({ tx, principal: { tenantId }, now, audit, afterCommit, reply }) => {
    const changed = await tx.count(switchOff, { tenantId, now });
    if (changed > 0) audit('sandbox.disabled', { type: 'tenant', id: tenantId });
    afterCommit(() => credentials.forgetTenant(tenantId));
    return reply(200, await readStatus(tx, now));
  },

  deleteSandboxData: async ({ tx, principal: { tenantId }, audit, afterCommit, reply }) => {
    const begun = performance.now();
    const { storageKeys, ...deleted } = await resetSandbox(tx);
    audit('sandbox.reset', { type: 'tenant', id: tenantId }, { deleted });
    // A file that stays behind here is an orphan, which the storage sweeps; the rows are gone either way.
    afterCommit(async () => { await Promise.allSettled(storageKeys.map((key) => files.delete(key))); });
    return reply(200, { deleted, durationMs: Math.round(performance.now() - begun) });
  },
    createSimulation: pending,
} satisfies HandlersOf<'sandbox'>);
