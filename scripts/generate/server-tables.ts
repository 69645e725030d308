/**
 * Writes the tables that the server reads at run time. Used by the pipeline and `make dev`. What is missing in a table
 * is not enforced.
 */
import { columns } from '../contract/dialect-columns.ts';
import { members } from '../contract/dialect.ts';
import { type Contract, type Schema, schemaName } from '../contract/contract.ts';
import type { JsonSchema } from '../contract/member.ts';
import { ContractError } from '../contract/read.ts';
import { bodyLimitsTable } from './body-limits.ts';
import type { ApiModel, OperationModel } from './model.ts';
import { runtimeContract } from './runtime-contract.ts';
import { generatedBy, literal } from './source-text.ts';

/**
 * Returns the files of `server/contract/generated` that the service reads at run time, by name; only the compiler reads
 * its types.
 */
export function serverFiles(contract: Contract, model: ApiModel): Readonly<Record<string, string>> {
  return {
    'contract.runtime.json': runtimeContract(contract),
    'operations.ts': operationsTable(model),
    'body-limits.ts': bodyLimitsTable(model),
    'problems.ts': problemsTable(model),
    'audit-actions.ts': auditActionsTable(contract),
    'masks.ts': masksTable(contract),
    'record-bounds.ts': recordBoundsTable(contract),
  };
}

/** Returns `server/contract/generated/operations.ts`: the data of each operation for the pipeline, in routing order. */
export function operationsTable(model: ApiModel): string {
  const entries = inRoutingOrder(model.operations).map((operation) => [operation.operationId, row(operation)]);
  return [
    `// ${generatedBy('scripts/generate.ts')}`,
    '/** What the dialect declares of an operation. */',
    `export interface Declared {\n${declared().join('\n')}\n}`,
    '',
    '/** Static paths stand before paths with parameters, so that binding in this order routes correctly. */',
    `export const operations = ${literal(Object.fromEntries(entries), 2)} as const;`,
    '',
  ].join('\n');
}

function declared(): string[] {
  return members.flatMap(([name, { column, schema, default: fallback, text }]) =>
    column === undefined
      ? []
      : [`  /** \`${name}\`: ${text}. */`, `  readonly ${column}: ${typeOf(schema, fallback)};`],
  );
}

/** Returns the TypeScript type of a column: that of the member's value, or of the fallback. */
function typeOf(schema: JsonSchema, fallback?: unknown): string {
  if (schema.const === true && fallback === false) return 'boolean';
  return fallback === null ? `${valueType(schema)} | null` : valueType(schema);
}

function valueType({ enum: values, items, properties, type }: JsonSchema): string {
  if (values !== undefined) return values.map((one) => `'${one}'`).join(' | ');
  if (items !== undefined) return `readonly ${typeOf(items)}[]`;
  if (properties === undefined) return type ?? 'unknown';
  const members = Object.entries(properties).map(([name, member]) => `readonly ${name}: ${typeOf(member)}`);
  return `{ ${members.join('; ')} }`;
}

function row(operation: OperationModel) {
  const responses = [...operation.successes, ...operation.failures];
  return {
    operationId: operation.operationId,
    method: operation.method,
    path: operation.path,
    tag: operation.tag,
    security: operation.security,
    ...Object.fromEntries(columns.map((name) => [name, operation[name]])),
    needsFullData: operation.needsFullData,
    showsPersons: operation.showsPersons,
    requestTypes: operation.body?.mediaTypes ?? [],
    responses: Object.fromEntries(responses.map((response) => [String(response.status), response.mediaTypes])),
    pagination: operation.pagination,
    deprecation: operation.deprecation,
    formerIds: operation.sdk.formerIds,
  };
}

/**
 * Sorts `/v1/applications/search` before `/v1/applications/{applicationId}`, and otherwise keeps the order of the
 * contract.
 */
function inRoutingOrder(operations: readonly OperationModel[]): OperationModel[] {
  const rank = (path: string) =>
    path
      .split('/')
      .map((segment) => (segment.startsWith('{') ? '1' : '0'))
      .join('');
  return [...operations].sort((a, b) => {
    if (rank(a.path) === rank(b.path)) return 0;
    return rank(a.path) < rank(b.path) ? -1 : 1;
  });
}

/** Returns `server/contract/generated/problems.ts`: the catalogue of RFC 9457 problems. */
export function problemsTable(model: ApiModel): string {
  const entries = model.problems.map(({ code, status, title, description }) => [code, { status, title, description }]);
  return [
    `// ${generatedBy('scripts/generate.ts')}`,
    `export const problems = ${literal(Object.fromEntries(entries), 1)} as const;`,
    '',
    'export type ProblemCode = keyof typeof problems;',
    '',
  ].join('\n');
}

/** Returns `server/contract/generated/audit-actions.ts`: every action of the audit log and its possible resources. */
export function auditActionsTable(contract: Contract): string {
  const actions = contract.components.schemas?.['AuditEvent']?.['x-audit-actions'] ?? {};
  return [
    `// ${generatedBy('scripts/generate.ts')}`,
    '/** The types of the resources that each action of the audit log may be about. */',
    `export const auditActions = ${literal(actions, 1)} as const;`,
    '',
    'export type AuditAction = keyof typeof auditActions;',
    '/** The type of the resource that an action is about. */',
    'export type AuditResourceType<A extends AuditAction = AuditAction> = (typeof auditActions)[A][number];',
    '',
  ].join('\n');
}

/**
 * Returns `server/contract/generated/masks.ts`: which members of a record are masked for some readers, and which
 * members contain records with masks of their own.
 */
export function masksTable(contract: Contract): string {
  const schemas = Object.entries(contract.components.schemas ?? {});
  const masks = new Map<string, Record<string, string>>();
  // Records that contain a masked record are added too, one level of nesting per round.
  for (let before = -1; before < masks.size; ) {
    before = masks.size;
    for (const [name, { properties = {} }] of schemas) {
      const entries = Object.entries(properties).flatMap(([member, schema]) => {
        const mask = schema['x-masked'] ?? held(schema).find((inner) => masks.has(inner));
        return mask === undefined ? [] : [[member, mask]];
      });
      if (entries.length > 0) masks.set(name, Object.fromEntries(entries));
    }
  }
  const inOrder = schemas.flatMap(([name]) => (masks.has(name) ? [[name, masks.get(name)]] : []));
  return [
    `// ${generatedBy('scripts/generate.ts')}`,
    '/** Of each record its masked members: how, or the name of the record that they hold. */',
    `export const masks = ${literal(Object.fromEntries(inOrder), 2)} as const;`,
    '',
  ].join('\n');
}

/**
 * Records that no request contains: imports, connectors and tasks receive them from outside, and responses show them.
 */
const TAKEN_IN = [
  'HitEntity',
  'QuarantinedName',
  'InfractionReport',
  'Refund',
  'RefundAccount',
  'TrackingGraph',
  'TrackedAccount',
  'TrackedTransaction',
] as const;

interface Bound {
  readonly length?: number;
  readonly items?: number;
  readonly each?: Bound;
}

/**
 * Returns `server/contract/generated/record-bounds.ts`: lengths and counts allowed in such a record, so that incoming
 * records are validated against the schema of the responses.
 */
export function recordBoundsTable(contract: Contract): string {
  const boundOf = ({ maxLength, maxItems, items }: Schema): Bound => ({
    ...(maxLength !== undefined && { length: maxLength }),
    ...(maxItems !== undefined && { items: maxItems, each: boundOf(items ?? {}) }),
  });
  const bounds = TAKEN_IN.map((name) => {
    const { properties } = contract.components.schemas?.[name] ?? {};
    if (properties === undefined)
      throw new ContractError(
        `The schema ${name}, whose records are judged when they are taken in, has no properties.`,
      );
    return [name, Object.fromEntries(Object.entries(properties).map(([member, schema]) => [member, boundOf(schema)]))];
  });
  return [
    `// ${generatedBy('scripts/generate.ts')}`,
    '/** The longest text of each member, or the most items and the bound of each. */',
    `export const recordBounds = ${literal(Object.fromEntries(bounds), 2)} as const;`,
    '',
  ].join('\n');
}

function held({ items = {}, oneOf = [], ...schema }: Schema): string[] {
  return [schema, items, ...oneOf].flatMap((node) => schemaName(node) ?? []);
}
