import { resolve } from '../../generate/contract.ts';
import type { Contract, MediaType, Operation, RequestBody, Response } from '../../generate/contract.ts';
import type { DiffRule, Impact } from '../change.ts';
import { operationPairs } from '../pairs.ts';

type Contents = Readonly<Record<string, { readonly content: Readonly<Record<string, MediaType>>; readonly sent: boolean }>>;

/** Without a schema everything may be sent and nothing may be relied on. */
export const mediaSchemaChanged: DiffRule = (base, revision) => operationPairs(base, revision).flatMap(({ place, ...pair }) => {
  const after = contentsOf(revision, pair.revision);
  return Object.entries(contentsOf(base, pair.base)).flatMap(([name, { content, sent }]) => Object.entries(content).flatMap(([type, media]) => {
    const now = after[name]?.content[type];
    if (now === undefined || (media.schema === undefined) === (now.schema === undefined)) return [];
    const lost = now.schema === undefined;
    const impact: Impact = lost === sent ? 'minor' : 'major';
    return [{ impact, place, message: `${name} in ${type} ${lost ? 'lost its schema' : 'has a schema now'}` }];
  }));
});

function contentsOf(contract: Contract, operation: Partial<Operation>): Contents {
  const { requestBody, responses = {} } = operation;
  const answers = Object.entries(responses).map(([status, node]) => [status, { content: resolve<Response>(contract, node).content ?? {}, sent: false }] as const);
  const body = requestBody === undefined ? [] : [['body', { content: resolve<RequestBody>(contract, requestBody).content, sent: true }] as const];
  return Object.fromEntries([...body, ...answers]);
}
