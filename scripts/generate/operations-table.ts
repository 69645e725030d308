import { generatedBy } from './header.ts';
import { literal } from './literal.ts';
import type { ApiModel, OperationModel } from './model.ts';

/** `server/contract/generated/operations.ts`: what the pipeline must know of each operation, in routing order. */
export function operationsTable(model: ApiModel): string {
  const entries = inRoutingOrder(model.operations).map((operation) => [operation.operationId, row(operation)]);
  return [
    `// ${generatedBy('scripts/generate.ts')}`,
    '/** Static paths stand before paths with parameters, so that binding in this order routes correctly. */',
    `export const operations = ${literal(Object.fromEntries(entries), 2)} as const;`,
    '',
  ].join('\n');
}

function row(operation: OperationModel) {
  const responses = [...operation.successes, ...operation.failures];
  return {
    operationId: operation.operationId,
    method: operation.method,
    path: operation.path,
    tag: operation.tag,
    security: operation.security,
    roles: operation.roles,
    humanOnly: operation.humanOnly,
    self: operation.self,
    stepUp: operation.stepUp,
    mfaExempt: operation.mfaExempt,
    needsFullData: operation.needsFullData,
    showsPersons: operation.showsPersons,
    idempotent: operation.idempotent,
    requestTypes: operation.body?.mediaTypes ?? [],
    responses: Object.fromEntries(responses.map((response) => [String(response.status), response.mediaTypes])),
    auditEvents: operation.auditEvents,
    transitions: operation.transitions,
    pagination: operation.pagination,
    acknowledges: operation.acknowledges,
    deprecation: operation.deprecation,
    sdk: { resource: operation.sdk.resource, method: operation.sdk.method },
  };
}

/** `/v1/applications/search` before `/v1/applications/{applicationId}`; otherwise the order of the contract. */
function inRoutingOrder(operations: readonly OperationModel[]): OperationModel[] {
  const rank = (path: string) => path.split('/').map((segment) => (segment.startsWith('{') ? '1' : '0')).join('');
  return [...operations].sort((a, b) => (rank(a.path) < rank(b.path) ? -1 : rank(a.path) > rank(b.path) ? 1 : 0));
}
