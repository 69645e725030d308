/**
 * Test of every operation with ids of another tenant: it finds and changes nothing. Also of the database's own
 * protection.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '../../server/contract/operation.ts';
import { withClient } from '../../server/database/pool.ts';
import { namesRecord, paramsOf } from '../operations/records.ts';
import { newApplication } from '../operations/application-records.ts';
import { refusal, success } from '../support/api.ts';
import { exampleCall, expectDocumented, send, validCall } from '../support/calls.ts';
import { everything, rowsWhere, tablesOf } from '../support/contents.ts';
import { everyOperation, hasPathParameters } from '../support/contract.ts';
import { credentialOf, schemesOf } from '../support/credentials.ts';
import { each } from '../support/each.ts';
import { takeInRecovery } from '../support/recoveries.ts';
import { useService, type Problem } from '../support/service.ts';

const service = await useService({ directory: true });

beforeAll(async () => {
  for (const tenant of [service.acme, service.other]) {
    for (let i = 0; i < 3; i++) await newApplication(service, tenant);
    for (let i = 0; i < 2; i++) await takeInRecovery(service.database.database, tenant.id);
  }
});

/** Returns every row of the other tenant, except the traces of its own calls. */
const theirRows = () => everything(service.database, service.other.id);

/** Records of the other tenant for each operation, created once, because these tests do not change them. */
const known = new Map<Operation, ReturnType<typeof paramsOf>>();

function theirParams(operation: Operation): ReturnType<typeof paramsOf> {
  const params = known.get(operation) ?? paramsOf(service, service.other, operation);
  known.set(operation, params);
  return params;
}

/** Operations of tenants; staff of the platform may reach every tenant by the others. */
const ofTenants = everyOperation.filter(({ roles }) => !(roles.length === 1 && roles[0] === 'platform_admin'));

const reaching = ofTenants
  .filter(namesRecord)
  .flatMap((operation) => schemesOf(operation).map((scheme) => ({ name: operation.operationId, operation, scheme })));

describe('with the ids of another tenant', () => {
  it.each(reaching)('$name does not find anything by $scheme, and changes nothing', async ({ operation, scheme }) => {
    const params = await theirParams(operation);
    const [before, as] = [await theirRows(), await credentialOf(service.acme, operation, scheme)];
    const { call, ...request } = exampleCall(operation, params);
    const answer = await send<Problem>(service, { ...request, call: { ...call, as } });
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
    expectDocumented(operation, answer);
    for (const id of Object.values(params)) expect(answer.text).not.toContain(id);
    expect(await theirRows()).toEqual(before);
  });

  it.each(reaching.filter(({ scheme }) => scheme === 'apiKey'))(
    '$name answers as for an unknown id',
    async ({ operation }) => {
      const as = await credentialOf(service.acme, operation, 'apiKey');
      const [foreign, unknown] = await Promise.all(
        [await theirParams(operation), {}].map(async (params) => {
          const { call, ...request } = exampleCall(operation, params);
          return send<Problem>(service, { ...request, call: { ...call, as } });
        }),
      );
      expect({ ...foreign!.body, instance: '', requestId: '' }).toEqual({
        ...unknown!.body,
        instance: '',
        requestId: '',
      });
      expect([...foreign!.headers.keys()]).toEqual([...unknown!.headers.keys()]);
    },
  );

  it('a document cannot be read through an application of one’s own', async () => {
    const [theirs, ours] = [
      await paramsOf(service, service.other, { path: '{applicationId}{documentId}' }),
      await newApplication(service, service.acme),
    ];
    const as = await service.acme.key(['read']);
    const { status } = await service.request(
      'GET',
      `/v1/applications/${ours}/documents/${theirs['documentId']}/content`,
      { as },
    );
    expect(status).toBe(404);
  });

  it('an externalId and a person are unique within one tenant only', async () => {
    const body = {
      purpose: 'account_opening',
      level: 'basic',
      externalId: 'shared',
      submit: true,
      applicant: {
        fullName: 'Maria da Silva',
        dateOfBirth: '1990-04-12',
        taxId: { type: 'cpf', value: '52998224725' },
      },
    };
    for (const tenant of [service.acme, service.other]) {
      const answer = await service.request('POST', '/v1/applications', { as: await tenant.key(['write']), body });
      expect(answer.status, answer.text).toBe(201);
    }
  });

  it('an idempotency key of another tenant is a new one', async () => {
    const body = { purpose: 'other', applicant: { fullName: 'Ana Lima' } } as const;
    const ids = await Promise.all(
      [service.acme, service.other].map(
        async (tenant) =>
          (
            await success(
              service.api.POST('/v1/applications', {
                headers: { ...(await tenant.key(['write'])), 'Idempotency-Key': 'shared' },
                body,
              }),
            )
          ).body.id,
      ),
    );
    expect(new Set(ids).size).toBe(2);
  });
});

describe('a credential', () => {
  it('of another tenant reads that tenant, whatever else the request says', async () => {
    const as = { ...(await service.acme.key(['read'])), 'X-Tenant-Id': service.other.id };
    const { body } = await success(
      service.api.GET('/v1/applications', { params: { query: { limit: 100 } }, headers: as }),
    );
    const theirs = await service.database.sql<{ id: string }>('SELECT id FROM application WHERE tenant_id = $1', [
      service.other.id,
    ]);
    expect(body.items?.some(({ id }) => theirs.some((row) => row.id === id))).toBe(false);
  });

  it('signed for a key of another tenant is worthless', async () => {
    const prefix = (await service.other.key(['admin']))['X-API-Key']!.slice(0, 17);
    const token = service.running.services.tokens.forClient(
      {
        prefix,
        tenantId: service.acme.id,
        scopes: ['admin'],
        environment: 'live',
      },
      3600,
    );
    const answer = await refusal(
      service.api.GET('/v1/applications', { headers: { Authorization: `Bearer ${token}` } }),
    );
    expect([answer.status, answer.body.code]).toEqual([401, 'token_revoked']);
  });
});

describe('row-level security alone', () => {
  it('hides every table of tenants from the role that serves requests', async () => {
    const tables = Object.keys(
      await rowsWhere(service.database, (columns) => (columns.has('tenant_id') ? 'true' : null)),
    );
    expect(tables.length).toBeGreaterThanOrEqual(10);
    await withClient(service.database.app, async (client) => {
      for (const table of tables) {
        const seen = await client
          .query(`SELECT DISTINCT tenant_id FROM ${table}`)
          .catch((error: { code: string }) => error.code);
        // The role gets no row, or has no right to query the table.
        if (typeof seen !== 'string') expect(seen.rows, table).toEqual([]);
        else expect(seen, table).toBe('42501');
      }
      await client.query('BEGIN');
      await client.query(`SELECT set_config('app.tenant_id', $1, true)`, [service.acme.id]);
      const rows = await client.query<{ tenant_id: string }>('SELECT DISTINCT tenant_id FROM application');
      expect(rows.rows).toEqual([{ tenant_id: service.acme.id }]);
    });
  });

  it('is forced on every table that has a tenant', async () => {
    const open = await service.database.sql<{ name: string }>(`
      SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id'
      WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
        AND NOT (c.relrowsecurity AND c.relforcerowsecurity)`);
    expect(open).toEqual([]);
    expect([...(await tablesOf(service.database)).keys()]).toEqual(
      expect.arrayContaining(['application', 'document', 'api_key', 'audit_event']),
    );
  });
});

describe('these tests', () => {
  it('reach every operation that takes an id', () => {
    const covered = new Set(reaching.map(({ name }) => name));
    const others = everyOperation
      .filter(hasPathParameters)
      .map(({ operationId }) => operationId)
      .filter((id) => !covered.has(id));
    // The exceptions are operations about tenants themselves, about watch lists, which belong to no tenant, and about
    // steps and reference lists, which have the same name in every tenant.
    expect(others.sort()).toEqual([
      'activateReferenceList',
      'dismissChecklistStep',
      'getReferenceList',
      'getTenant',
      'replaceReferenceList',
      'replaceTenantStatus',
      'returnWatchListProposal',
      'updateTenant',
      'uploadWatchList',
    ]);
  });

  it('would succeed with ids of one’s own', async () => {
    for (const operation of each(everyOperation.filter(hasPathParameters))) {
      const answer = await send(service, await validCall(service, service.acme, operation));
      expect(answer.status, `${operation.operationId} ${answer.text}`).toBeLessThan(300);
    }
  });
});
