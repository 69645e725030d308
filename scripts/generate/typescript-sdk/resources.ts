/** Writes the types of the resources of the TypeScript SDK. Used by index.ts. */
import type { ApiModel, OperationModel, ResourceNode } from '../model.ts';
import type { ProblemCodes } from '../problem-codes.ts';
import {
  dataType,
  fileMembers,
  hasQuery,
  headerOption,
  isBinary,
  kebabCase,
  methodSource,
  parameterList,
  paramsType,
  resultType,
  schemasOf,
} from './method.ts';
import { comment } from './text.ts';

export function resourceFileName(node: ResourceNode): string {
  return `${kebabCase(node.path)}.ts`;
}

/**
 * Returns the type of one resource: the methods of its operations, and its child resources. `tree.ts` of the runtime
 * creates the objects.
 */
export function resourceFile(node: ResourceNode, model: ApiModel, codes: ProblemCodes): string {
  const queries = node.operations.filter(hasQuery);
  const children = node.children.map((child) => `  readonly ${child.name}: ${child.className};\n`).join('');
  const methods = [
    ...(node.formerly === null ? [] : [formerly('', node.formerly, model)]),
    ...node.operations.map((operation) => methodSource(operation, model, codes)),
    ...node.operations.flatMap(followMethod),
    ...node.aliases.map(({ name, operation }) => formerly(name.method, operation, model)),
  ];
  const type =
    `/** \`client.${node.path}\` */\n` +
    `export interface ${node.className} {\n` +
    `${[...(children === '' ? [] : [children]), ...methods].join('\n')}}\n`;
  return [importLines(node, model, queries), ...queries.map(paramsAlias), type].join('\n');
}

function paramsAlias(operation: OperationModel): string {
  const name = paramsType(operation);
  return (
    `${comment([`Query of {@link ${operation.sdk.method}}: ${operation.summary.toLowerCase()}.`], '')}export type ` +
    `${name} = NonNullable<${dataType(operation)}['query']>;\n` +
    operation.sdk.formerIds
      .map(
        (operationId) =>
          '\n' +
          `/** @deprecated Renamed to {@link ${name}}. */\n` +
          `export type ${paramsType({ ...operation, operationId })} = ${name};\n`,
      )
      .join('')
  );
}

/**
 * Returns a method under its former name; without a name, the call signature of a resource that has the former name of
 * a method.
 */
function formerly(name: string, operation: OperationModel, model: ApiModel): string {
  return (
    `  /** @deprecated Renamed to \`client.${operation.sdk.typescript}\`. */\n` +
    `  ${name}(${parameterList(operation)}): ${resultType(operation, model)};\n`
  );
}

function importLines(node: ResourceNode, model: ApiModel, queries: readonly OperationModel[]): string {
  const operations = [
    ...node.operations,
    ...node.aliases.map(({ operation }) => operation),
    ...(node.formerly === null ? [] : [node.formerly]),
  ];
  const moved = operations.filter((operation) => hasQuery(operation) && !node.operations.includes(operation));
  const some = (test: (operation: OperationModel) => boolean): boolean => operations.some(test);
  const types = [...operations.flatMap((operation) => schemasOf(operation, model)), ...queries.map(dataType)];
  return [
    line('import type', some((o) => isBinary(o, model)) ? ['Download'] : [], '../../core/download.ts'),
    line('import type', some((o) => fileMembers(o).length > 0) ? ['Upload'] : [], '../../core/files.ts'),
    line(
      'import type',
      node.operations.some((o) => o.follow !== null) ? ['Follow', 'FollowOptions'] : [],
      '../../core/follow.ts',
    ),
    line('import type', operations.length > 0 ? ['RequestOptions'] : [], '../../core/options.ts'),
    line('import type', some((o) => o.pagination !== null) ? ['PagePromise'] : [], '../../core/pagination.ts'),
    line('import type', some((o) => o.pagination === null) ? ['ApiPromise'] : [], '../../core/promise.ts'),
    line('import type', types, '../types.gen.ts'),
    line(
      'import type',
      operations.flatMap((operation) => operation.parameters.header).map(headerOption),
      './header-options.ts',
    ),
    ...node.children.map((child) => line('import type', [child.className], `./${resourceFileName(child)}`)),
    ...moved.map((operation) =>
      line('import type', [paramsType(operation)], `./${kebabCase(operation.sdk.resource)}.ts`),
    ),
  ].join('');
}

export function line(keyword: string, names: readonly string[], from: string): string {
  const unique = [...new Set(names)].sort();
  return unique.length === 0 ? '' : `${keyword} { ${unique.join(', ')} } from '${from}';\n`;
}

/** Returns all resources below the root, parents first. */
export function resourceNodes(root: ResourceNode): ResourceNode[] {
  return root.children.flatMap((child) => [child, ...resourceNodes(child)]);
}

/** Renames classes that would have the name of a schema, because both share one namespace. */
export function withDistinctClasses(model: ApiModel): ApiModel {
  const rename = (node: ResourceNode): ResourceNode => ({
    ...node,
    className: node.className in model.schemas ? `${node.className}Resource` : node.className,
    children: node.children.map(rename),
  });
  return { ...model, resources: rename(model.resources) };
}

/** Returns the options and the result of `follow`. */
export function followSignature(
  operation: OperationModel,
): { readonly options: string; readonly result: string } | null {
  if (operation.follow === null || operation.pagination === null) return null;
  const { itemSchema } = operation.pagination;
  return { options: `options?: FollowOptions<${itemSchema}>`, result: `Follow<${itemSchema}>` };
}

/** Returns the method `follow` of a list that the contract marks with `x-follow`; empty for other operations. */
export function followMethod(operation: OperationModel): string[] {
  const signature = followSignature(operation);
  if (signature === null || operation.follow === null) return [];
  return [
    comment(
      [
        `Follow {@link ${operation.sdk.method}} without end.`,
        '',
        `Reads on when the server asks to (\`${operation.follow.interval}\`, \`Retry-After\`), survives outages, ` +
          'and acknowledges a page only after each of its',
        'events was processed, which is when the next one is asked for. Ends when `signal` fires. Events may come ' +
          'again after a crash: drop',
        'those whose id you have processed.',
        '',
        '@throws {ApiError} What waiting cannot heal: a refused credential, a missing scope, a ' +
          'cursor of another consumer.',
      ],
      '  ',
    ) + `  follow(${signature.options}): ${signature.result};\n`,
  ];
}
