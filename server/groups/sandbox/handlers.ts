import { actorOf } from '../../contract/actor.ts';
import { judged, type HandlersOf } from '../../contract/handlers.ts';
import { uuidv7 } from '../../database/index.ts';
import { Problem } from '../../http/problem.ts';
import { assertWritable } from '../../http/writable.ts';
import type { Services } from '../../services.ts';
import { Attendance } from './funds-recovery/attendance.ts';
import { sandboxDirectory } from './funds-recovery/handlers.ts';
import { resetSandbox } from './reset.ts';
import { simulate } from './simulate.ts';
import { readSimulation, simulationFaults } from './simulation-request.ts';
import { readStatus } from './status.ts';
import { findSwitch, switchOff, switchOn } from './store.ts';

export const sandbox = (services: Services) => {
  const { credentials, files } = services;
  const attendance = new Attendance(services);
  return {
    getSandbox: async ({ tx, now, reply }) => reply(200, await readStatus(tx, now)),

    enableSandbox: async ({ tx, principal, now, audit, afterCommit, reply }) => {
      const { tenantId } = principal;
      const changed = await tx.count(switchOn, { tenantId, now, actor: JSON.stringify(actorOf(principal)) });
      if (changed > 0) audit('sandbox.enabled', { type: 'tenant', id: tenantId });
      afterCommit(() => credentials.forgetTenant(tenantId));
      return reply(200, await readStatus(tx, now));
    },

    disableSandbox: async ({ tx, principal, now, audit, afterCommit, reply }) => {
      const { tenantId } = principal;
      // Its reach ends at the sandbox, and what others create would be real from now on.
      if (principal.kind !== 'user' && principal.keyEnvironment === 'test') throw new Problem('scope_escalation', { detail: 'A test key does not turn the switch.' });
      const [tenant] = await tx.run(findSwitch, { tenantId });
      if (tenant?.status === 'onboarding') throw new Problem('not_live_yet');
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
      afterCommit(() => credentials.forgetTenant(tenantId));
      afterCommit(async () => { await Promise.allSettled(storageKeys.map((key) => files.delete(key))); });
      return reply(200, { deleted, durationMs: Math.round(performance.now() - begun) });
    },

    createSimulation: judged<'createSimulation'>(simulationFaults, async ({ tx, principal: { tenantId }, body, now, visible, sandboxEnabled, touched, audit, afterCommit, reply }) => {
      assertWritable('sandbox', { sandboxEnabled });
      touched('sandbox');
      const simulationId = uuidv7();
      const effects = await simulate({ tx, tenantId, simulationId, visible, now }, readSimulation(body));
      audit('sandbox.simulated', { type: 'simulation', id: simulationId }, { type: body.type, target: body.target, parameters: body.parameters, effects: effects.length });
      afterCommit(() => credentials.forgetTenant(tenantId));
      if (body.type === 'advance_clock') afterCommit(() => attendance.attend(tenantId));
      return reply(202, { simulationId, type: body.type, effects });
    }),
    ...sandboxDirectory(services, attendance),
  } satisfies HandlersOf<'sandbox'>;
};
