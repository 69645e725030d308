/**
 * Faults in database rights, the contract, both SDKs and the dashboard. Used by main.ts. The quoted text of each must
 * stand in its file exactly once, so a change of that file must be made here too.
 */
import type { Fault } from './fault.ts';

const SECURITY = 'server/database/row-level-security.ts';
const PYTHON_RETRY = 'sdks/python/src/compliance_onboarding/_retry.py';

export const ofDatabase: readonly Fault[] = [
  {
    breaks: 'A row can be written into another tenant.',
    file: SECURITY,
    before: 'USING (${column} = ${currentTenant}) WITH CHECK (${column} = ${currentTenant})`',
    after: 'USING (${column} = ${currentTenant}) WITH CHECK (true)`',
  },
  {
    breaks: 'The owner of a table sees the rows of all tenants.',
    file: SECURITY,
    before: 'ALTER TABLE ${table} FORCE ROW LEVEL SECURITY',
    after: 'ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY',
  },
  {
    breaks: 'A record can change its environment.',
    file: SECURITY,
    before: "  'environment',\n  'env',\n",
    after: "  'env',\n",
  },
  {
    breaks: 'A right that an old migration gave stays, although its table does not declare it.',
    file: 'server/database/rights.ts',
    before: '`REVOKE INSERT, UPDATE ON ${table.name} FROM ${roles[role]}`,',
    after: '',
  },
  {
    breaks: 'A note about a waiver is kept as it was written.',
    file: 'server/modules/decisions/waiver-store.ts',
    before: "note: text().sealed().erasedTo(''),",
    after: "note: text().erasedTo(''),",
  },
];

export const ofContract: readonly Fault[] = [
  {
    breaks: 'The contract was changed and nothing generated.',
    file: 'openapi.yaml',
    before: "occupation: { oneOf: [{ $ref: '#/components/schemas/Occupation' }, { type: 'null' }], x-masked: removed }",
    after: "occupation: { oneOf: [{ $ref: '#/components/schemas/Occupation' }, { type: 'null' }] }",
  },
  {
    breaks: 'The name of the mother is shown to those who see persons masked.',
    file: 'openapi.yaml',
    generate: true,
    before: "motherName: { oneOf: [{ $ref: '#/components/schemas/PersonName' }, { type: 'null' }], x-masked: removed }",
    after: "motherName: { oneOf: [{ $ref: '#/components/schemas/PersonName' }, { type: 'null' }] }",
  },
  {
    breaks: 'An example is not what its schema says.',
    file: 'openapi.yaml',
    generate: true,
    before: 'value: { schedule: { kind: interval, intervalDays: 90 } }',
    after: 'value: { schedule: { kind: interval, intervalDays: monthly } }',
  },
  {
    breaks: 'Machines are let in where only people may triage an alert.',
    file: 'openapi.yaml',
    generate: true,
    before:
      '      x-sdk: { resource: monitoring.alerts, method: triage }\n' +
      '      x-roles: [compliance_officer, analyst]\n' +
      '      x-human-only: true\n',
    after:
      '      x-sdk: { resource: monitoring.alerts, method: triage }\n      x-roles: [compliance_officer, analyst]\n',
  },
];

export const ofClients: readonly Fault[] = [
  {
    breaks: 'The TypeScript SDK repeats after 503 what must not be repeated.',
    file: 'sdks/typescript/src/core/retry.ts',
    before: '[409, 425, 429].includes',
    after: '[409, 425, 429, 503].includes',
  },
  {
    breaks: 'The TypeScript SDK stops at an empty page though more follows.',
    file: 'sdks/typescript/src/core/pagination.ts',
    before: 'if (!this.hasMore) return null;',
    after: 'if (!this.hasMore || this.items.length === 0) return null;',
  },
  {
    breaks: 'The TypeScript SDK waits a tenth of what it is asked to.',
    file: 'sdks/typescript/src/core/retry-after.ts',
    before: 'return Number(value) * 1000;',
    after: 'return Number(value) * 100;',
  },
  {
    breaks: 'The TypeScript SDK throws away a token that was renewed meanwhile.',
    file: 'sdks/typescript/src/core/token-manager.ts',
    before: 'if (this.#current?.token !== token) return;',
    after: "if (token === '') return;",
  },
  {
    breaks: 'The Python SDK repeats after 500 what must not be repeated.',
    file: PYTHON_RETRY,
    before: 'failure.status in {409, 425, 429} or',
    after: 'failure.status in {409, 425, 429, 500} or',
  },
  {
    breaks: 'The Python SDK comes back sooner than it is asked to.',
    file: PYTHON_RETRY,
    before: 'return asked if asked <= LONGEST_ASKED_WAIT else None',
    after: 'return min(asked, LONGEST_ASKED_WAIT)',
  },
  {
    breaks: 'A second click on a form of the dashboard is another request.',
    file: 'server/pages/dashboard/ui/idempotency-key.ts',
    before: 'if (now !== last.current.content) last.current =',
    after: 'last.current =',
  },
  {
    breaks: 'The dashboard does not renew a token that the service refuses.',
    file: 'server/pages/dashboard/core/send.ts',
    before: 'if (response.status !== 401) return response;',
    after: 'if (response.status !== 407) return response;',
  },
];
