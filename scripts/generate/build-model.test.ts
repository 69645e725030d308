/** Tests of the model of operations, from which everything is generated. */
import { describe, expect, it } from 'vitest';
import { METHODS } from '../contract/contract.ts';
import type { Contract } from '../contract/contract.ts';
import { buildModel, resourceTree } from './build-model.ts';
import { fixtureContract } from './fixtures/contract.ts';
import { camelCase, pascalCase, pythonName, snakeCase } from './naming.ts';
import { operationsTable } from './server-tables.ts';

const model = buildModel(fixtureContract());
const operation = (id: string) => {
  const found = model.operations.find((candidate) => candidate.operationId === id);
  if (found === undefined) throw new Error(`no operation ${id}`);
  return found;
};

/** Returns the fixture with former names for `revokeApiKey`. */
function withAliases(aliases: readonly string[]): Contract {
  const contract = structuredClone(fixtureContract());
  const named = Object.values(contract.paths)
    .flatMap((item) => METHODS.map((method) => item[method]))
    .find((found) => found?.operationId === 'revokeApiKey');
  Object.assign(named!['x-sdk'], { aliases });
  return contract;
}

describe('the operations model', () => {
  it('keeps the order of the contract', () => {
    expect(model.operations.map((o) => o.operationId).slice(0, 3)).toEqual([
      'createToken',
      'getApplication',
      'updateApplication',
    ]);
  });

  it('orders path parameters as they stand in the path, path-level ones included', () => {
    expect(operation('downloadDocument').parameters.path.map((p) => p.name)).toEqual(['applicationId', 'documentId']);
  });

  it('names header parameters for each language', () => {
    expect(operation('createApplication').parameters.header[0]).toMatchObject({
      typescript: 'idempotencyKey',
      python: 'idempotency_key',
    });
    expect(operation('revokeApiKey').parameters.header[0]).toMatchObject({
      name: 'X-TOTP-Code',
      typescript: 'totpCode',
      python: 'totp_code',
    });
  });

  it('knows who needs a second factor, who is let in without one, and whose own record counts', () => {
    expect(operation('revokeApiKey')).toMatchObject({ stepUp: true, mfaExempt: false, self: null });
    expect(operation('getApplication')).toMatchObject({ stepUp: false, mfaExempt: false, self: null });
  });

  it('lists the members of a plain body and marks files', () => {
    const body = operation('uploadDocument').body;
    expect(body).toMatchObject({ kind: 'multipart', schemaName: 'DocumentUpload', required: true });
    expect(body?.members?.map((m) => [m.name, m.required, m.file])).toEqual([
      ['type', true, false],
      ['file', true, true],
    ]);
  });

  it('marks members that take null', () => {
    expect(operation('updateApplication').body?.members).toMatchObject([
      {
        name: 'externalId',
        python: 'external_id',
        nullable: true,
        required: false,
      },
    ]);
  });

  it('separates successes from failures and knows binary answers', () => {
    expect(operation('downloadDocument').successes).toMatchObject([
      { status: 200, binary: true, mediaTypes: ['application/pdf', 'image/png'] },
    ]);
    expect(operation('downloadDocument').failures.map((r) => r.status)).toEqual([401, 403]);
    expect(operation('revokeApiKey').successes).toMatchObject([{ status: 204, mediaType: null }]);
  });

  it('finds the item schema of a paginated list', () => {
    expect(operation('searchApplications').pagination).toEqual({ items: 'items', itemSchema: 'Application' });
  });

  it('builds the resource tree with class names and Python attributes', () => {
    const settings = model.resources.children.find((node) => node.name === 'settings');
    expect(settings?.operations).toEqual([]);
    expect(settings?.children).toMatchObject([
      {
        name: 'apiKeys',
        path: 'settings.apiKeys',
        className: 'SettingsApiKeys',
        python: 'api_keys',
      },
    ]);
    expect(operation('revokeApiKey').sdk).toMatchObject({
      typescript: 'settings.apiKeys.revoke',
      python: 'settings.api_keys.revoke',
    });
  });

  it('keeps what a method and its operation id were called before, where they stood', () => {
    const renamed = {
      ...operation('revokeApiKey'),
      sdk: buildModel(
        withAliases(['settings.removeApiKey', 'settings.apiKeys', 'keys.old.remove', 'removeApiKey']),
      ).operations.find(({ operationId }) => operationId === 'revokeApiKey')!.sdk,
    };
    expect(renamed.sdk.aliases.map(({ python }) => python)).toEqual([
      'settings.remove_api_key',
      'settings.api_keys',
      'keys.old.remove',
    ]);
    expect(renamed.sdk.formerIds).toEqual(['removeApiKey']);
    const [settings, keys] = resourceTree([renamed]).children;
    expect(settings?.aliases.map(({ name }) => name.method)).toEqual(['removeApiKey']);
    expect(settings?.children).toMatchObject([
      { name: 'apiKeys', aliases: [], formerly: { operationId: 'revokeApiKey' } },
    ]);
    expect(keys?.children).toMatchObject([
      {
        path: 'keys.old',
        operations: [],
        formerly: null,
        aliases: [{ name: { method: 'remove' }, operation: { operationId: 'revokeApiKey' } }],
      },
    ]);
  });

  it('reads the problem catalogue and the scopes', () => {
    expect(model.problems[0]).toEqual({
      code: 'authentication_required',
      status: 401,
      title: 'Authentication required',
      description: 'Send a credential.',
      members: [],
    });
    expect(Object.keys(model.scopes)).toEqual(['read', 'write']);
  });
});

describe('what follows where the dialect is silent', () => {
  const id = 'createApplication';
  const changed = (members: object) => {
    const contract = structuredClone(fixtureContract());
    const operations = Object.values(contract.paths).flatMap((item) => METHODS.flatMap((method) => item[method] ?? []));
    Object.assign(operations.find(({ operationId }) => operationId === id) ?? {}, members);
    return buildModel(contract).operations.find(({ operationId }) => operationId === id);
  };

  it('is the quota of uploads, of the feed, or the usual one', () => {
    expect(operation('uploadDocument').rateLimit).toBe('uploads');
    expect(operation('searchApplications').rateLimit).toBe('default');
    expect(changed({ 'x-rate-limit': 'feed' })?.rateLimit).toBe('feed');
  });

  it('is a transaction of the tenant, of the platform for its staff, or of the handler where everybody may call', () => {
    expect(operation('getApplication').transaction).toBe('tenant');
    expect(operation('createToken').transaction).toBe('own');
    expect(changed({ 'x-roles': ['platform_admin'] })?.transaction).toBe('platform');
    expect(changed({ 'x-roles': ['platform_admin', 'owner'] })?.transaction).toBe('tenant');
    expect(changed({ 'x-transaction': 'platform' })?.transaction).toBe('platform');
  });

  it('is written into the table of the server with the sentence of the dialect', () => {
    const table = operationsTable(buildModel(fixtureContract()));
    expect(table).toMatch(
      /\/\*\* `x-human-only`: API keys and machine tokens are refused\. \*\/\n  readonly humanOnly: boolean;/,
    );
    expect(table).toContain(
      'readonly transitions: { readonly from: readonly string[]; readonly to: readonly string[] } | null;',
    );
    expect(table).toContain("readonly transaction: 'tenant' | 'platform' | 'own';");
  });
});

describe('naming', () => {
  it.each([
    ['externalId', 'externalId', 'ExternalId', 'external_id'],
    ['Idempotency-Key', 'idempotencyKey', 'IdempotencyKey', 'idempotency_key'],
    ['OAuthToken', 'oauthToken', 'OauthToken', 'oauth_token'],
    ['funds-recovery', 'fundsRecovery', 'FundsRecovery', 'funds_recovery'],
    ['error_description', 'errorDescription', 'ErrorDescription', 'error_description'],
  ])('%s → %s, %s, %s', (name, camel, pascal, snake) => {
    expect([camelCase(name), pascalCase(name), snakeCase(name)]).toEqual([camel, pascal, snake]);
  });

  it('gives a Python keyword a trailing underscore', () => {
    expect(pythonName('from')).toBe('from_');
    expect(pythonName('type')).toBe('type');
  });
});
