import type { ApiModel, OperationModel, ResourceNode } from '../model.ts';
import { comment, dataType, fileMembers, functionSource, headerOption, isBinary, kebabCase, methodSource, paramsType, schemasOf } from './method.ts';

export function resourceFileName(node: ResourceNode): string {
  return `${kebabCase(node.path)}.ts`;
}

/** The source of one resource: a function for each operation, and a class with these as methods and its child resources. */
export function resourceFile(node: ResourceNode, model: ApiModel): string {
  const queries = node.operations.filter((operation) => operation.body === null && operation.parameters.query.length > 0);
  const functions = node.operations.map((operation) => functionSource(operation, node, model));
  return [importLines(node, model, queries), ...queries.map(paramsAlias), ...functions, classSource(node, model)].join('\n');
}

function paramsAlias(operation: OperationModel): string {
  return `${comment([`Query of {@link ${operation.sdk.method}}: ${operation.summary.toLowerCase()}.`], '')}export type ${paramsType(operation)} = NonNullable<${dataType(operation)}['query']>;\n`;
}

function classSource(node: ResourceNode, model: ApiModel): string {
  const uses = node.operations.length > 0;
  const children = node.children.map((child) => `  readonly ${child.name}: ${child.className};\n`).join('');
  const constructor = [
    ...node.children.map((child) => `    this.${child.name} = new ${child.className}(client);\n`),
    ...(uses ? ['    this.#client = client;\n'] : []),
  ].join('');
  return `/** \`client.${node.path}\` */\nexport class ${node.className} {\n${children}${uses ? '  readonly #client: Transport;\n' : ''}\n`
    + `  /** @internal */\n  constructor(client: Transport) {\n${constructor}  }\n${[...node.operations.map((operation) => methodSource(operation, model)), ...node.operations.flatMap(followMethod)].map((method) => `\n${method}`).join('')}}\n`;
}

function importLines(node: ResourceNode, model: ApiModel, queries: readonly OperationModel[]): string {
  const { operations } = node;
  const some = (test: (operation: OperationModel) => boolean): boolean => operations.some(test);
  const uploads = some((operation) => fileMembers(operation).length > 0);
  const types = [...operations.flatMap((operation) => schemasOf(operation, model)), ...queries.map(dataType)];
  return [
    line('import', some((o) => isBinary(o, model)) ? ['downloadOf', 'type Download'] : [], '../../core/download.ts'),
    line('import', uploads ? ['withFiles', 'type Upload'] : [], '../../core/files.ts'),
    line('import type', some((o) => o.follow !== null) ? ['FollowOptions'] : [], '../../core/follow.ts'),
    line('import', some((o) => o.follow !== null) ? ['Follow'] : [], '../../core/follow.ts'),
    line('import type', operations.length > 0 ? ['RequestOptions'] : [], '../../core/options.ts'),
    line('import', some((o) => o.pagination !== null) ? ['listOf', 'type PagePromise'] : [], '../../core/pagination.ts'),
    line('import type', some((o) => o.pagination === null) ? ['ApiPromise'] : [], '../../core/promise.ts'),
    line('import type', ['Transport'], '../../core/transport.ts'),
    operations.length > 0 ? "import * as api from '../sdk.gen.ts';\n" : '',
    line('import type', types, '../types.gen.ts'),
    line('import type', operations.flatMap((operation) => operation.parameters.header).map(headerOption), './header-options.ts'),
    ...node.children.map((child) => line('import', [child.className], `./${resourceFileName(child)}`)),
  ].join('');
}

function line(keyword: string, names: readonly string[], from: string): string {
  const unique = [...new Set(names)].sort();
  return unique.length === 0 ? '' : `${keyword} { ${unique.join(', ')} } from '${from}';\n`;
}

/** All resources below the root, parents first. */
export function resourceNodes(root: ResourceNode): ResourceNode[] {
  return root.children.flatMap((child) => [child, ...resourceNodes(child)]);
}

/** Classes share one namespace with the schemas; one that would be called like a schema is called a resource. */
export function withDistinctClasses(model: ApiModel): ApiModel {
  const rename = (node: ResourceNode): ResourceNode => ({
    ...node,
    className: node.className in model.schemas ? `${node.className}Resource` : node.className,
    children: node.children.map(rename),
  });
  return { ...model, resources: rename(model.resources) };
}

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
