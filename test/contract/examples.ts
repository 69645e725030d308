/** All examples of the contract, by operation. Used by the tests of the validators. */
import { projectContract } from '../../scripts/contract/project.ts';
import { operations } from '../../server/contract/generated/operations.ts';
import type { Operation } from '../../server/contract/operation.ts';

type Node = Record<string, unknown>;

/** An example request of the contract, and all its example responses. */
export interface Shown {
  readonly operation: Operation;
  readonly params: Readonly<Record<string, string>>;
  /** Query parameters with their examples. */
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodies: readonly { readonly mediaType: string; readonly value: unknown }[];
  readonly answers: readonly { readonly status: number; readonly mediaType: string; readonly value: unknown }[];
}

const contract = projectContract() as unknown as Node;

function resolve(node: unknown): Node {
  const ref = (node as Node)['$ref'];
  if (typeof ref !== 'string') return node as Node;
  return resolve(
    ref
      .slice(2)
      .split('/')
      .reduce<unknown>((at, key) => (at as Node)[key.replaceAll('~1', '/')], contract),
  );
}

const entries = (node: unknown): [string, Node][] =>
  Object.entries((node ?? {}) as Node).map(([key, value]) => [key, resolve(value)]);

function examplesOf(content: unknown): { mediaType: string; value: unknown }[] {
  return entries(content).flatMap(([mediaType, media]) =>
    entries(media['examples']).map(([, example]) => ({ mediaType, value: example['value'] })),
  );
}

/** Returns all examples of `openapi.yaml`, by operation. */
export function shown(): Shown[] {
  const paths = contract['paths'] as Record<string, Node>;
  return (Object.values(operations) as readonly Operation[]).map((operation) => {
    const item = paths[operation.path] as Node;
    const described = item[operation.method] as Node;
    const parameters = [
      ...((item['parameters'] ?? []) as unknown[]),
      ...((described['parameters'] ?? []) as unknown[]),
    ].map(resolve);
    const of = (place: string) =>
      Object.fromEntries(
        parameters
          .filter((each) => each['in'] === place)
          .map((each) => [
            String(each['name']),
            Array.isArray(each['example']) ? String(each['example'][0]) : String(each['example']),
          ]),
      );
    return {
      operation,
      params: of('path'),
      query: of('query'),
      headers: of('header'),
      bodies: described['requestBody'] === undefined ? [] : examplesOf(resolve(described['requestBody'])['content']),
      answers: entries(described['responses']).flatMap(([status, response]) =>
        examplesOf(response['content']).map((example) => ({ status: Number(status), ...example })),
      ),
    };
  });
}
