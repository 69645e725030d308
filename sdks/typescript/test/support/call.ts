/** Calls the method of an operation with the examples of the contract. Used by tests over all operations. */
import type { OperationModel, SdkName } from '../../../../scripts/generate/model.ts';
import type { ApiPromise, ComplianceOnboarding } from '../../src/index.ts';

/** What is looked at of any answer; a page has these members, and other answers have what they have. */
export interface AnyData {
  readonly items: readonly unknown[];
  readonly cursor: string | null;
  readonly hasMore: boolean;
}

type AnyMethod = (...args: readonly unknown[]) => ApiPromise<AnyData>;

export function callOf(
  client: ComplianceOnboarding,
  operation: OperationModel,
  options: object = {},
  { resource, method }: SdkName = operation.sdk,
): ApiPromise<AnyData> {
  const node = resource
    .split('.')
    .reduce<unknown>((above, name) => (above as Record<string, unknown>)[name], client) as Record<string, AnyMethod>;
  return node[method]!(...argumentsOf(operation, options));
}

export function argumentsOf(operation: OperationModel, options: object = {}): unknown[] {
  const { path, query, header } = operation.parameters;
  const required = Object.fromEntries(
    query.filter((parameter) => parameter.required).map(({ name, example }) => [name, example]),
  );
  const ofQuery = query.length > 0 ? [required] : [];
  const params = operation.body !== null ? [bodyOf(operation)] : ofQuery;
  const headers = Object.fromEntries(
    header.filter((parameter) => parameter.required).map(({ typescript, example }) => [typescript, example]),
  );
  return [...path.map(({ example }) => String(example)), ...params, { ...headers, ...options }];
}

function bodyOf({ body }: OperationModel): unknown {
  const files = (body?.members ?? []).filter(({ file }) => file).map(({ name }) => [name, new Uint8Array([1, 2, 3])]);
  return body?.example === undefined ? undefined : { ...(body.example as object), ...Object.fromEntries(files) };
}
