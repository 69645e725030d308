import { judged, type HandlersOf } from '../../contract/handlers.ts';
import { etagOf } from '../../http/etag.ts';
import type { Services } from '../../services.ts';
import { pathOf, toWire } from './api-key.ts';
import { difference, factsOf } from './changes.ts';
import { createKey } from './create.ts';
import { toWire as settingsToWire } from './document.ts';
import { listPage } from './list.ts';
import { replaceScopes } from './replace-scopes.ts';
import { revoke } from './revoke.ts';
import { rotateKey } from './rotate.ts';
import { settingsDifference } from './settings-changes.ts';
import { patchErrors } from './settings-errors.ts';
import { findSettings } from './settings-store.ts';
import { updateSettings } from './update-settings.ts';
import { patchKey } from './update.ts';

const DEFAULT_GRACE_HOURS = 24;

export const settings = ({ secrets, cursors, credentials }: Pick<Services, 'secrets' | 'cursors' | 'credentials'>) => ({
  listApiKeys: async (ctx) => ctx.reply(200, await listPage(cursors, ctx)),

  createApiKey: async ({ tx, principal, body, now, audit, reply }) => {
    const { key, secret } = await createKey(tx, secrets, principal, body, now);
    audit('api_key.created', { type: 'api_key', id: key.prefix }, { new: factsOf(key) });
    return reply(201, { apiKey: toWire(key, now), secret }, { Location: pathOf(key.prefix) });
  },

  updateApiKey: async ({ tx, principal, params: { prefix }, headers, body: patch, clientIp, now, audit, afterCommit, reply }) => {
    const { before, after } = await patchKey(tx, principal, { prefix, ifMatch: headers['if-match'], patch, clientIp, now });
    audit('api_key.updated', { type: 'api_key', id: prefix }, difference(before, after));
    afterCommit(() => credentials.forgetKey(prefix));
    return reply(200, toWire(after, now), { ETag: etagOf(after.version) });
  },

  replaceApiKeyScopes: async ({ tx, principal, params: { prefix }, headers, body: { scopes }, now, audit, afterCommit, reply }) => {
    const { before, after } = await replaceScopes(tx, principal, { prefix, ifMatch: headers['if-match'], scopes, now });
    if (after !== before) audit('api_key.scopes_changed', { type: 'api_key', id: prefix }, difference(before, after));
    afterCommit(() => credentials.forgetKey(prefix));
    return reply(200, toWire(after, now), { ETag: etagOf(after.version) });
  },

  rotateApiKey: async ({ tx, principal, params: { prefix }, body, now, audit, afterCommit, reply }) => {
    const { graceHours = DEFAULT_GRACE_HOURS } = body ?? {};
    const { key, secret, graceUntil } = await rotateKey(tx, secrets, principal, { prefix, graceHours, now });
    audit('api_key.rotated', { type: 'api_key', id: prefix }, { successorPrefix: key.prefix, graceUntil: graceUntil.toISOString() });
    afterCommit(() => credentials.forgetKey(prefix));
    return reply(201, { apiKey: toWire(key, now), secret }, { Location: pathOf(key.prefix) });
  },

  revokeApiKey: async ({ tx, principal, params: { prefix }, now, audit, afterCommit, reply }) => {
    const { ended, wasLastAdmin } = await revoke(tx, principal, prefix, now);
    if (ended !== null) audit('api_key.revoked', { type: 'api_key', id: prefix }, { old: factsOf(ended) });
    afterCommit(() => credentials.forgetKey(prefix));
    return reply(204, wasLastAdmin ? { 'X-Warning': 'last_admin_key_self' } : {});
  },

  getSettings: async ({ tx, principal, query, reply }) => {
    const found = await findSettings(tx, principal.tenantId);
    return reply(200, settingsToWire(found, query.section), { ETag: etagOf(found.version) });
  },

  updateSettings: judged<'updateSettings'>(patchErrors, async ({ tx, principal, headers, body: patch, stepUp, now, audit, afterCommit, reply }) => {
    const { before, after, sections, weakened } = await updateSettings(tx, principal, { ifMatch: headers['if-match'], patch, stepUp, now });
    audit('settings.updated', { type: 'settings', id: principal.tenantId }, { ...settingsDifference(before.settings, after.settings), sections, weakened });
    // Sessions carry what the tenant demands of them.
    afterCommit(() => credentials.forgetTenant(principal.tenantId));
    return reply(200, settingsToWire(after), { ETag: etagOf(after.version) });
  }),
} satisfies HandlersOf<'settings'>);
