import type { ApiModel, OperationModel } from '../model.ts';

/** Whether the operation answers a file. */
export function isDownload({ successes: [first] }: OperationModel, model: ApiModel): boolean {
  return first !== undefined && (first.binary || model.schemas[first.schemaName ?? '']?.format === 'binary');
}

/** The name of the model that is answered, null for an empty answer. */
export function answeredModel(operation: OperationModel): string | null {
  const names = new Set(operation.successes.map((success) => success.schemaName));
  const [name] = names;
  if (names.size > 1) throw new Error(`${operation.operationId}: a call answers one model, not ${[...names].join(' or ')}`);
  return name ?? null;
}

/** The type that the asynchronous method is annotated with. */
export function answerType(operation: OperationModel, model: ApiModel): string {
  if (operation.pagination !== null) return `AsyncPaginator[models.${operation.pagination.itemSchema}]`;
  if (isDownload(operation, model)) return 'AsyncDownload';
  const name = answeredModel(operation);
  return name === null ? 'None' : `models.${name}`;
}
