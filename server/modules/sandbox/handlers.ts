/**
 * Handlers of the sandbox: switch, reset, simulations, status. Registered by the index of the module. After a change of
 * the switch the credential cache forgets the tenant, because the switch decides where requests go. Files of a reset
 * are deleted after the commit.
 */
import { uuidv7 } from '../../base/uuid.ts';
import { actorOf } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { CredentialCache } from '../../identity/credential-cache.ts';
import { assertEnvironmentWritable } from '../../identity/tenant.ts';
import type { FileStorage } from '../../providers/files/index.ts';
import { type Handlers, withBodyRules } from '../../request/handler.ts';
import type { Due } from '../../tasks/due.ts';
import type { LoadedLists } from '../screenings/index.ts';
import { resetSandbox } from './reset-store.ts';
import { readSimulation, simulate, simulationFaults } from './simulations.ts';
import { readStatus } from './status.ts';
import { findSwitch, switchOff, switchOn } from './store.ts';

interface Dependencies {
  readonly credentials: CredentialCache;
  readonly files: FileStorage;
  readonly watchLists: LoadedLists;
  /** Work that becomes due if the clock is moved. */
  readonly dues: readonly Due[];
  /** Updates the feed of recoveries after the clock was moved, before the response is sent. */
  readonly follower: { follow(tenantId: string): Promise<void> };
}

export const sandboxHandlers = ({ credentials, files, watchLists, dues, follower }: Dependencies) =>
  ({
    getSandbox: async ({ tx, now, reply }) => reply(200, await readStatus(tx, now)),

    enableSandbox: async ({ tx, principal, now, audit, afterCommit, reply }) => {
      const { tenantId } = principal;
      const changed = await tx.count(switchOn, { tenantId, now, actor: actorOf(principal) });
      if (changed > 0) audit('sandbox.enabled', { type: 'tenant', id: tenantId });
      afterCommit(() => credentials.forgetTenant(tenantId));
      return reply(200, await readStatus(tx, now));
    },

    disableSandbox: async ({ tx, principal, now, audit, afterCommit, reply }) => {
      const { tenantId } = principal;
      // A test key is confined to the sandbox, and with the switch off other clients would create live records.
      if (principal.kind !== 'user' && principal.keyEnvironment === 'test')
        throw new Problem('scope_escalation', { detail: 'A test key does not turn the switch.' });
      const [tenant] = await tx.run(findSwitch, { tenantId });
      if (tenant?.status === 'onboarding') throw new Problem('not_live_yet');
      const changed = await tx.count(switchOff, { tenantId, now });
      if (changed > 0) audit('sandbox.disabled', { type: 'tenant', id: tenantId });
      afterCommit(() => credentials.forgetTenant(tenantId));
      return reply(200, await readStatus(tx, now));
    },

    deleteSandboxData: async ({ tx, principal: { tenantId }, audit, afterCommit, reply }) => {
      const startedAt = performance.now();
      const { storageKeys, ...deleted } = await resetSandbox(tx);
      audit('sandbox.reset', { type: 'tenant', id: tenantId }, { deleted });
      // If a deletion fails here, the file is an orphan, which the storage sweeps; the rows are deleted in any case.
      afterCommit(() => credentials.forgetTenant(tenantId));
      afterCommit(async () => {
        await Promise.allSettled(storageKeys.map((key) => files.delete(key)));
      });
      return reply(200, { deleted, durationMs: Math.round(performance.now() - startedAt) });
    },

    createSimulation: withBodyRules<'createSimulation'>(
      simulationFaults,
      async ({
        tx,
        principal: { tenantId },
        body,
        now,
        visible,
        sandboxEnabled,
        setResourceEnvironment,
        audit,
        afterCommit,
        reply,
      }) => {
        assertEnvironmentWritable('sandbox', { sandboxEnabled });
        setResourceEnvironment('sandbox');
        const simulationId = uuidv7();
        const context = {
          tx,
          tenantId,
          simulationId,
          visible,
          now,
          watchLists,
          dues,
          audit,
        };
        const effects = await simulate(context, readSimulation(body));
        const facts = {
          type: body.type,
          target: body.target,
          parameters: body.parameters,
          effects: effects.length,
        };
        audit('sandbox.simulated', { type: 'simulation', id: simulationId }, facts);
        afterCommit(() => credentials.forgetTenant(tenantId));
        if (body.type === 'advance_clock') afterCommit(() => follower.follow(tenantId));
        return reply(202, { simulationId, type: body.type, effects });
      },
    ),
  }) satisfies Pick<
    Handlers,
    'getSandbox' | 'enableSandbox' | 'disableSandbox' | 'deleteSandboxData' | 'createSimulation'
  >;
