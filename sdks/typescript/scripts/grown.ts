/** The package as it would be with more operations, to see today what it will weigh. */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Contract, Operation, PathItem, Schema } from '../../../scripts/contract/contract.ts';
import { projectContract } from '../../../scripts/contract/project.ts';
import { buildModel } from '../../../scripts/generate/build-model.ts';
import { camelCase, pascalCase } from '../../../scripts/generate/naming.ts';
import { generate } from '../../../scripts/generate/typescript-sdk/index.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

/**
 * What a compliance service grows by: resource, path, one of them, its operations, and members that no other schema
 * has. `l`, `c`, `g`, `u`, `d` are list, create, get, update and delete; a word is something that is done to one of
 * them. Those with `*` are enumerations or flags.
 */
const GROWTH = `
businesses.documents | /v1/businesses/{businessId}/documents | businessDocument | l c g d | fileName sizeBytes sha256 documentKind*
businesses.signatories | /v1/businesses/{businessId}/signatories | signatory | l c g d | powers* actsAlone* validUntil
cases | /v1/cases | complianceCase | l c g u assign close reopen escalate | caseKind* priority* assignee dueAt disposition* openedBy
cases.notes | /v1/cases/{caseId}/notes | caseNote | l c g d | text author visibility*
cases.reports | /v1/cases/{caseId}/reports | suspicionReport | l c g u file | narrative reportKind* filedAt receiptNumber
risk.models | /v1/risk/models | riskModel | l c g u activate retire | factors* weights thresholds modelState*
risk.assessments | /v1/risk/assessments | riskAssessment | l c g override | rating* points contributors* isOverridden*
workflows | /v1/workflows | workflow | l c g u publish archive | triggers* stepsTotal workflowState*
workflows.runs | /v1/workflows/{workflowId}/runs | workflowRun | l c g cancel | currentStep waitsFor* endedAt
webhooks.endpoints | /v1/webhooks/endpoints | webhookEndpoint | l c g u d rotate test | url subscribedTo* isPaused* signingSecret
webhooks.deliveries | /v1/webhooks/deliveries | webhookDelivery | l g redeliver | attempts lastStatus deliveryState*
risk.lists | /v1/risk/lists | countryList | l c g u activate review | listKind* source asOf entries
risk.backtests | /v1/risk/backtests | modelBacktest | l c g cancel | population matrix movers backtestState*
risk.overrides | /v1/risk/overrides | levelOverride | l c g revoke | level* reason endsAt
cases.documents | /v1/cases/{caseId}/documents | caseDocument | l c g d | pageCount caption
cases.resolutions | /v1/cases/{caseId}/resolutions | caseResolution | l c g review | outcome* rationale checker
cases.tasks | /v1/cases/{caseId}/tasks | caseTask | l c g u complete | checklistKey* dueOn doneBy
businesses.extracts | /v1/businesses/{businessId}/extracts | registryExtract | l c g | registrySource* retrievedAt
businesses.charts | /v1/businesses/{businessId}/charts | ownershipChart | l g recompute | layers cycles unresolvedPercent
verifications.documents | /v1/verifications/{verificationId}/documents | identityDocument | l c g | issuingState mrzType* expiresOn
verifications.checks | /v1/verifications/{verificationId}/checks | identityCheck | l g repeat | checkOutcome* checkedAt
verifications.providers | /v1/verifications/providers | checkProvider | l c g u d test | providerKind* endpoint isDefault*
workflows.instances | /v1/workflows/instances | processInstance | l c g cancel modify retry | businessKey variables instanceState*
workflows.incidents | /v1/workflows/incidents | processIncident | l g resolve | incidentKind* attempts
workflows.tables | /v1/workflows/tables | decisionTable | l c g u activate evaluate | hitPolicy* rules
workflows.messages | /v1/workflows/messages | processMessage | l c g | correlationKey ttlSeconds
workflows.migrations | /v1/workflows/migrations | instanceMigration | l c g cancel | fromVersion toVersion migrationState*
businesses.decisions | /v1/businesses/{businessId}/decisions | businessDecision | l c g review | verdict* justification
businesses.parties | /v1/businesses/{businessId}/parties | businessParty | l c g u d | partyKind* joinedOn leftOn
verifications.overrides | /v1/verifications/{verificationId}/overrides | checkOverride | l c g review | grounds endsOn
`;

const schemaRef = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const responses = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  406: 'NotAcceptable',
  429: 'TooManyRequests',
  503: 'ServiceUnavailable',
};

interface Added {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

/** As many operations as the contract is going to have. */
export const GROWN_TO = 230;

/** The contract with as many operations, always the same ones, and with the schemas that they need. */
export function grownContract(contract: Contract, count: number): Contract {
  const known = buildModel(contract).operations.length;
  // What the contract has by now is left out.
  const rows = GROWTH.trim()
    .split('\n')
    .map((row) => row.split('|').map((cell) => cell.trim()))
    .filter(([, path = '']) => !(path in contract.paths));
  const added = rows
    .flatMap(([resource = '', path = '', noun = '', kinds = '']) =>
      kinds.split(' ').map((kind) => grown(resource, path, pascalCase(noun), kind)),
    )
    .filter(({ path, method }) => !(method in (contract.paths[path] ?? {})));
  if (known + added.length < count) throw new Error(`there are only ${known + added.length} operations`);
  const paths: Record<string, PathItem> = { ...contract.paths };
  for (const { path, method, operation } of added.slice(0, Math.max(0, count - known)))
    paths[path] = { ...paths[path], [method]: operation };
  const schemas = rows.flatMap(([, , noun = '', , members = '']) => schemasOf(pascalCase(noun), members.split(' ')));
  return {
    ...contract,
    paths,
    components: { ...contract.components, schemas: { ...contract.components.schemas, ...Object.fromEntries(schemas) } },
  };
}

function grown(resource: string, base: string, noun: string, kind: string): Added {
  const id = `${camelCase(
    base
      .replace(/\{.*?\}\//g, '')
      .split('/')
      .at(-1)
      ?.replace(/(ies|s)$/, '') ?? '',
  )}Id`;
  const one = `${base}/{${id}}`;
  const body = (name: string, type = 'application/json'): object => ({
    requestBody: {
      required: true,
      description: 'What is asked for.',
      content: { [type]: { schema: schemaRef(name), examples: { one: { summary: 'One', value: {} } } } },
    },
  });
  const [place, method, name, schema, more]: [string, string, string, string | null, object] = (
    {
      l: [
        base,
        'get',
        'list',
        `${noun}List`,
        {
          'x-pagination': { items: 'items' },
          parameters: [{ $ref: '#/components/parameters/Limit' }, { $ref: '#/components/parameters/Cursor' }],
        },
      ],
      c: [
        base,
        'post',
        'create',
        noun,
        {
          'x-idempotent': true,
          parameters: [{ $ref: '#/components/parameters/IdempotencyKey' }],
          ...body(`${noun}Create`),
        },
      ],
      g: [one, 'get', 'get', noun, {}],
      u: [
        one,
        'patch',
        'update',
        noun,
        {
          parameters: [{ $ref: '#/components/parameters/IfMatch' }],
          ...body(`${noun}Update`, 'application/merge-patch+json'),
        },
      ],
      d: [one, 'delete', 'delete', null, {}],
    } as Record<string, [string, string, string, string | null, object]>
  )[kind] ?? [
    `${one}/${kind}`,
    'post',
    kind,
    noun,
    {
      'x-idempotent': true,
      parameters: [{ $ref: '#/components/parameters/IdempotencyKey' }],
      ...body(`${noun}Update`),
    },
  ];
  const { parameters = [], ...rest } = more as { readonly parameters?: readonly object[] };
  const operation = {
    operationId: `${name}${noun}${kind === 'l' ? 's' : ''}`,
    summary: `${pascalCase(name)} it`,
    description: 'As the summary says.',
    tags: ['applications'],
    security: [{ bearerAuth: ['read'] }, { apiKey: ['read'] }, { oauth2: ['read'] }],
    'x-sdk': { resource, method: name },
    'x-roles': ['owner'],
    ...rest,
    parameters: [
      ...[...place.matchAll(/\{(\w+)\}/g)].map(([, path]) => ({
        name: path,
        in: 'path',
        required: true,
        description: 'Its id.',
        schema: schemaRef('Id'),
        example: 'a',
      })),
      ...parameters,
    ],
    responses: {
      ...(schema === null
        ? { 204: { description: 'Done.' } }
        : { 200: { description: 'Done.', content: { 'application/json': { schema: schemaRef(schema) } } } }),
      ...Object.fromEntries(
        Object.entries(responses).map(([status, response]) => [status, { $ref: `#/components/responses/${response}` }]),
      ),
    },
  };
  return { path: place, method, operation: operation as unknown as Operation };
}

function schemasOf(noun: string, members: readonly string[]): (readonly [string, Schema])[] {
  const properties = Object.fromEntries(
    members.map((member): [string, Schema] => {
      if (!member.endsWith('*')) return [member, { type: 'string' }];
      const name = member.slice(0, -1);
      if (member.startsWith('is') || member === 'actsAlone*') return [name, { type: 'boolean' }];
      return [name, { type: 'string', enum: ['one', 'two', 'three'] }];
    }),
  );
  const object = (required: readonly string[]): Schema => ({
    type: 'object',
    description: 'It.',
    required: [...required],
    properties: { id: schemaRef('Id'), ...properties },
  });
  return [
    [noun, object(['id'])],
    [`${noun}Create`, object([])],
    [`${noun}Update`, object([])],
    [
      `${noun}List`,
      {
        type: 'object',
        required: ['items', 'cursor', 'hasMore'],
        properties: {
          items: { type: 'array', items: schemaRef(noun) },
          cursor: { type: ['string', 'null'] },
          hasMore: { type: 'boolean' },
        },
      },
    ],
  ];
}

/** The sources of the package with as many operations, in a folder of their own; `use` is given it. */
export async function withGrown<T>(count: number, use: (sources: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'grown-sdk-'));
  try {
    const contract = grownContract(projectContract(), count);
    mkdirSync(join(folder, 'src'));
    cpSync(join(ROOT, 'sdks/typescript/package.json'), join(folder, 'package.json'));
    cpSync(join(ROOT, 'sdks/typescript/src'), join(folder, 'src'), { recursive: true });
    await generate(contract, buildModel(contract), { directory: folder, root: ROOT });
    return await use(join(folder, 'src'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
