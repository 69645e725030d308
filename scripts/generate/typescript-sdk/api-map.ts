import type { ApiModel, OperationModel, ResourceNode } from '../model.ts';
import { oneLine } from './comment.ts';
import { followSignature } from './follow-method.ts';
import { parameterList, resultType } from './method.ts';
import { resourceFileName } from './resource-file.ts';
import { resourceNodes } from './resource-nodes.ts';

/** api.md: every call of the package on one page. */
export function apiMap(model: ApiModel): string {
  const resources = resourceNodes(model.resources).filter((node) => node.operations.length > 0);
  return `# ${model.title} ${model.version}: every call\n\n`
    + 'The last argument of every call takes `signal`, `timeout`, `deadline`, `maxRetries`, `headers` and `query`. Each call is also a\n'
    + 'function of `compliance-onboarding/functions`, named in the last column, which takes a client before the arguments.\n\n'
    + resources.map((node) => section(node, model)).join('\n');
}

function section(node: ResourceNode, model: ApiModel): string {
  return `## \`client.${node.path}\`\n\nSource: [\`${resourceFileName(node)}\`](src/generated/resources/${resourceFileName(node)})\n\n`
    + '| Call | Answer | | Function |\n|---|---|---|---|\n'
    + node.operations.map((operation) => `| \`${call(operation)}\` | \`${resultType(operation, model).replaceAll('|', '\\|')}\` | ${oneLine(operation.summary)} · \`${operation.method.toUpperCase()} ${operation.path}\` | \`${operation.operationId}\` |\n`).join('')
    + node.operations.map(followRow).join('');
}

function followRow(operation: OperationModel): string {
  const signature = followSignature(operation);
  return signature === null ? '' : `| \`follow(options?)\` | \`${signature.result}\` | Follow \`${operation.sdk.method}\` without end, acknowledging what was processed | |\n`;
}

function call(operation: OperationModel): string {
  return `${operation.sdk.method}(${parameterList(operation).map((parameter) => parameter.replace(/: .*$/s, '')).join(', ')})`;
}
