/** Tests of the tables that are generated for the service. */
import { describe, expect, it } from 'vitest';
import { buildModel } from './build-model.ts';
import { fixtureContract } from './fixtures/contract.ts';
import { auditActionsTable, masksTable, operationsTable, problemsTable } from './server-tables.ts';

const model = buildModel(fixtureContract());

describe('the operation table', () => {
  const table = operationsTable(model);

  it('lists static paths before paths with parameters', () => {
    const ids = [...table.matchAll(/operationId: '(\w+)'/g)].map(([, id]) => id);
    expect(ids.indexOf('searchApplications')).toBeLessThan(ids.indexOf('getApplication'));
    expect([...ids].sort()).toEqual(model.operations.map(({ operationId }) => operationId).sort());
  });

  it('holds media types, scopes and roles as literals', () => {
    expect(table).toContain(
      "responses: { '200': ['application/pdf', 'image/png'], '401': ['application/problem+json'], '403': " +
        "['application/problem+json'] },",
    );
    expect(table).toContain("security: [{ bearerAuth: ['admin'] }],");
    expect(table).toMatch(/} as const;\n$/);
  });
});

describe('the problem catalogue', () => {
  it('is keyed by code', () => {
    expect(problemsTable(model)).toContain(
      "  insufficient_scope: { status: 403, title: 'Scope missing', description: 'The credential lacks a scope.' },\n",
    );
  });
});

describe('the actions of the audit log', () => {
  it('are keyed by name, each with the types of the resources that it is about', () => {
    const AuditEvent = {
      type: 'object',
      'x-audit-actions': { 'thing.created': ['thing'], 'thing.viewed': ['thing', 'thing_list'] },
    };
    const table = auditActionsTable({ ...fixtureContract(), components: { schemas: { AuditEvent } } });
    expect(table).toContain(
      "= {\n  'thing.created': ['thing'],\n  'thing.viewed': ['thing', 'thing_list'],\n} as const;\n",
    );
  });
});

describe('the masks', () => {
  it('name the masked members of a record, and lead to the records that it holds, however deep one with masks stands', () => {
    const contract = fixtureContract();
    const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    const table = masksTable({
      ...contract,
      components: {
        schemas: {
          Outer: { type: 'object', properties: { inner: ref('Inner'), plain: ref('Plain') } },
          Inner: {
            type: 'object',
            properties: {
              people: { type: 'array', items: ref('Person') },
              owner: { oneOf: [ref('Person'), { type: 'null' }], 'x-masked': 'removed' },
            },
          },
          Person: {
            type: 'object',
            properties: { name: { type: 'string', 'x-masked': 'initials' }, country: { type: 'string' } },
          },
          Plain: { type: 'object', properties: { country: { type: 'string' } } },
        },
      },
    });
    expect(table.slice(table.indexOf('export'))).toBe(
      'export const masks = {\n' +
        '  Outer: {\n' +
        "    inner: 'Inner',\n" +
        '  },\n' +
        '  Inner: {\n' +
        "    people: 'Person',\n" +
        "    owner: 'removed',\n" +
        '  },\n' +
        '  Person: {\n' +
        "    name: 'initials',\n" +
        '  },\n' +
        '} as const;\n',
    );
  });
});
