/**
 * Handlers of reading and changing the settings of a tenant, registered by the index of the module. After the commit
 * the credential cache forgets the tenant, because cached credentials contain requirements of the settings.
 */
import type { CredentialCache } from '../../identity/credential-cache.ts';
import { type Handlers, withBodyRules } from '../../request/handler.ts';
import { etagOf } from '../../request/preconditions.ts';
import { patchErrors } from './settings-rules.ts';
import { settingsToWire } from './settings.ts';
import { findSettings } from './store.ts';
import { settingsDifference, updateSettings } from './update-settings.ts';

interface Dependencies {
  readonly credentials: CredentialCache;
}

export const tenantSettingsHandlers = ({ credentials }: Dependencies) =>
  ({
    getSettings: async ({ tx, principal, query, reply }) => {
      const found = await findSettings(tx, principal.tenantId);
      return reply(200, settingsToWire(found, query.section), { ETag: etagOf(found.version) });
    },

    updateSettings: withBodyRules<'updateSettings'>(
      patchErrors,
      async ({ tx, principal, headers, body: patch, stepUp, resultFaults, now, audit, afterCommit, reply }) => {
        const { before, after, sections, weakened } = await updateSettings(tx, principal, {
          ifMatch: headers['if-match'],
          patch,
          stepUp,
          resultFaults,
          now,
        });
        audit(
          'settings.updated',
          { type: 'settings', id: principal.tenantId },
          { ...settingsDifference(before.settings, after.settings), sections, weakened },
        );
        // Cached credentials contain the requirements of the tenant's settings.
        afterCommit(() => credentials.forgetTenant(principal.tenantId));
        return reply(200, settingsToWire(after), { ETag: etagOf(after.version) });
      },
    ),
  }) satisfies Pick<Handlers, 'getSettings' | 'updateSettings'>;
