import type { ApiModel, OperationModel, ResourceNode } from '../model.ts';
import { comment } from './comment.ts';
import { followMethod } from './follow-method.ts';
import { headerOption } from './header-options.ts';
import { dataType, fileMembers, isBinary, kebabCase, methodSource, paramsType, schemasOf } from './method.ts';

export function resourceFileName(node: ResourceNode): string {
  return `${kebabCase(node.path)}.ts`;
}

/** The source of one resource: a class with its methods and its child resources. */
export function resourceFile(node: ResourceNode, model: ApiModel): string {
  const queries = node.operations.filter((operation) => operation.body === null && operation.parameters.query.length > 0);
  return [importLines(node, model, queries), ...queries.map(paramsAlias), classSource(node, model)].join('\n');
}

function paramsAlias(operation: OperationModel): string {
  return `${comment([`Query of {@link ${operation.sdk.method}}: ${operation.summary.toLowerCase()}.`], '')}export type ${paramsType(operation)} = NonNullable<${dataType(operation)}['query']>;\n`;
}

function classSource(node: ResourceNode, model: ApiModel): string {
  const uses = node.operations.length > 0;
  const children = node.children.map((child) => `  readonly ${child.name}: ${child.className};\n`).join('');
  const constructor = [
    ...node.children.map((child) => `    this.${child.name} = new ${child.className}(transport);\n`),
    ...(uses ? ['    this.#transport = transport;\n'] : []),
  ].join('');
  return `/** \`client.${node.path}\` */\nexport class ${node.className} {\n${children}${uses ? '  readonly #transport: Transport;\n' : ''}\n`
    + `  /** @internal */\n  constructor(transport: Transport) {\n${constructor}  }\n${[...node.operations.map((operation) => methodSource(operation, model)), ...node.operations.flatMap(followMethod)].map((method) => `\n${method}`).join('')}}\n`;
}

function importLines(node: ResourceNode, model: ApiModel, queries: readonly OperationModel[]): string {
  const { operations } = node;
  const some = (test: (operation: OperationModel) => boolean): boolean => operations.some(test);
  const uploads = some((operation) => fileMembers(operation).length > 0);
  const types = [...operations.flatMap((operation) => schemasOf(operation, model)), ...queries.map(dataType)];
  return [
    line('import type', [...(some((o) => isBinary(o, model)) ? ['Download'] : []), ...(uploads ? ['Upload'] : [])], '../../core/files.ts'),
    line('import', uploads ? ['withFiles'] : [], '../../core/files.ts'),
    line('import type', some((o) => o.follow !== null) ? ['FollowOptions'] : [], '../../core/follow.ts'),
    line('import', some((o) => o.follow !== null) ? ['Follow'] : [], '../../core/follow.ts'),
    line('import type', operations.length > 0 ? ['RequestOptions'] : [], '../../core/options.ts'),
    line('import type', some((o) => o.pagination !== null) ? ['PagePromise'] : [], '../../core/pagination.ts'),
    line('import type', some((o) => o.pagination === null) ? ['ApiPromise'] : [], '../../core/promise.ts'),
    line('import type', ['Transport'], '../../core/transport.ts'),
    line('import', operations.map((operation) => operation.operationId), '../sdk.gen.ts'),
    line('import type', types, '../types.gen.ts'),
    line('import type', operations.flatMap((operation) => operation.parameters.header).map(headerOption), './header-options.ts'),
    ...node.children.map((child) => line('import', [child.className], `./${resourceFileName(child)}`)),
  ].join('');
}

function line(keyword: string, names: readonly string[], from: string): string {
  const unique = [...new Set(names)].sort();
  return unique.length === 0 ? '' : `${keyword} { ${unique.join(', ')} } from '${from}';\n`;
}
