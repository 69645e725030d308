import type { OperationModel } from '../model.ts';
import { comment } from './comment.ts';

/** What `follow` is called with and answers. */
export function followSignature(operation: OperationModel): { readonly options: string; readonly result: string } | null {
  if (operation.follow === null || operation.pagination === null) return null;
  const { itemSchema } = operation.pagination;
  return { options: `options?: FollowOptions<${itemSchema}>`, result: `Follow<${itemSchema}>` };
}

/** The method `follow` beside a list that the contract marks with `x-follow`; none beside others. */
export function followMethod(operation: OperationModel): string[] {
  const signature = followSignature(operation);
  if (signature === null || operation.follow === null) return [];
  const { acknowledge, interval } = operation.follow;
  return [comment([
    `Follow {@link ${operation.sdk.method}} without end.`, '',
    `Reads on when the server asks to (\`${interval}\`, \`Retry-After\`), survives outages, and acknowledges a page only after each of its`,
    'events was processed, which is when the next one is asked for. Ends when `signal` fires. Events may come again after a crash: drop',
    'those whose id you have processed.', '',
    '@throws {ApiError} What waiting cannot heal: a refused credential, a missing scope, a cursor of another consumer.',
  ], '  ')
    + `  follow(${signature.options}): ${signature.result} {\n`
    + `    return new Follow({\n`
    + `      list: (query, request) => this.${operation.sdk.method}(query, request),\n`
    + `      acknowledge: (cursor, request) => this.${acknowledge}({ cursor }, request),\n`
    + `      interval: '${interval}',\n`
    + `    }, options);\n  }\n`];
}
