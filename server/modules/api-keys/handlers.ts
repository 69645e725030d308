/**
 * Handlers of the operations on API keys, registered by the index of the module. They call the rules, write the audit
 * event and shape the response. After the commit the credential cache forgets a changed key, because otherwise this
 * process could accept a revoked key until its entry expires. The secret appears only in the responses of creation and
 * rotation.
 */
import type { Secrets } from '../../base/secrets.ts';
import type { CredentialCache } from '../../identity/credential-cache.ts';
import type { Context, Handlers } from '../../request/handler.ts';
import { listPage, type Page } from '../../request/pagination.ts';
import { etagOf } from '../../request/preconditions.ts';
import { instantParameter } from '../../request/query.ts';
import { apiKeyDifference, apiKeyToWire, auditFactsOf, pathOfApiKey, type WireApiKey } from './api-key.ts';
import { patchKey, replaceScopes, revokeApiKey } from './change-key.ts';
import { visibleEnvironmentOf } from './delegation.ts';
import { createKey, rotateKey } from './issue-key.ts';
import { listKeys } from './store.ts';

async function apiKeyPage(ctx: Context<'listApiKeys'>): Promise<Page<WireApiKey>> {
  const { tx, principal, query, now } = ctx;
  const visible = visibleEnvironmentOf(principal);
  // A caller limited to the other environment gets an empty page, as if no such keys existed.
  const isHidden = visible !== null && query.environment !== undefined && query.environment !== visible;
  return listPage(ctx, {
    rows: async ({ after, count }) =>
      isHidden
        ? []
        : listKeys(tx, {
            tenantId: principal.tenantId,
            now,
            status: query.status ?? [],
            environment: query.environment ?? visible ?? undefined,
            unusedSince: instantParameter('unusedSince', query.unusedSince),
            createdAfter: instantParameter('createdAfter', query.createdAfter),
            createdBefore: instantParameter('createdBefore', query.createdBefore),
            after,
            count,
          }),
    position: ({ createdAt, id }) => [createdAt, id],
    item: (key) => apiKeyToWire(key, now),
  });
}

const DEFAULT_GRACE_HOURS = 24;

interface Dependencies {
  readonly secrets: Secrets;
  readonly credentials: CredentialCache;
}

export const apiKeyHandlers = ({ secrets, credentials }: Dependencies) =>
  ({
    listApiKeys: async (ctx) => ctx.reply(200, await apiKeyPage(ctx)),

    createApiKey: async ({ tx, principal, body, now, audit, reply }) => {
      const { key, secret } = await createKey(tx, secrets, principal, { wanted: body, now });
      audit('api_key.created', { type: 'api_key', id: key.prefix }, { new: auditFactsOf(key) });
      return reply(201, { apiKey: apiKeyToWire(key, now), secret }, { Location: pathOfApiKey(key.prefix) });
    },

    updateApiKey: async ({
      tx,
      principal,
      params: { prefix },
      headers,
      body: patch,
      clientIp,
      now,
      audit,
      afterCommit,
      reply,
    }) => {
      const { before, after } = await patchKey(tx, principal, {
        prefix,
        ifMatch: headers['if-match'],
        patch,
        clientIp,
        now,
      });
      audit('api_key.updated', { type: 'api_key', id: prefix }, apiKeyDifference(before, after));
      afterCommit(() => credentials.forgetKey(prefix));
      return reply(200, apiKeyToWire(after, now), { ETag: etagOf(after.version) });
    },

    replaceApiKeyScopes: async ({
      tx,
      principal,
      params: { prefix },
      headers,
      body: { scopes },
      now,
      audit,
      afterCommit,
      reply,
    }) => {
      const { before, after } = await replaceScopes(tx, principal, {
        prefix,
        ifMatch: headers['if-match'],
        scopes,
        now,
      });
      if (after !== before)
        audit('api_key.scopes_changed', { type: 'api_key', id: prefix }, apiKeyDifference(before, after));
      afterCommit(() => credentials.forgetKey(prefix));
      return reply(200, apiKeyToWire(after, now), { ETag: etagOf(after.version) });
    },

    rotateApiKey: async ({ tx, principal, params: { prefix }, body, now, audit, afterCommit, reply }) => {
      const { graceHours = DEFAULT_GRACE_HOURS } = body ?? {};
      const { key, secret, graceUntil } = await rotateKey(tx, secrets, principal, { prefix, graceHours, now });
      audit(
        'api_key.rotated',
        { type: 'api_key', id: prefix },
        { successorPrefix: key.prefix, graceUntil: graceUntil.toISOString() },
      );
      afterCommit(() => credentials.forgetKey(prefix));
      return reply(201, { apiKey: apiKeyToWire(key, now), secret }, { Location: pathOfApiKey(key.prefix) });
    },

    revokeApiKey: async ({ tx, principal, params: { prefix }, now, audit, afterCommit, reply }) => {
      const { revokedKey, wasLastAdmin } = await revokeApiKey(tx, principal, prefix, now);
      if (revokedKey !== null)
        audit('api_key.revoked', { type: 'api_key', id: prefix }, { old: auditFactsOf(revokedKey) });
      afterCommit(() => credentials.forgetKey(prefix));
      // Warns a key that revoked itself and was the last one that can administer the tenant; people still can.
      return reply(204, wasLastAdmin ? { 'X-Warning': 'last_admin_key_self' } : {});
    },
  }) satisfies Pick<
    Handlers,
    'listApiKeys' | 'createApiKey' | 'updateApiKey' | 'replaceApiKeyScopes' | 'rotateApiKey' | 'revokeApiKey'
  >;
