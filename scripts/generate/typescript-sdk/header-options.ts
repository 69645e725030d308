import type { ApiModel, OperationModel, ParameterModel } from '../model.ts';
import { pascalCase } from '../naming.ts';
import { comment } from './comment.ts';

/** One interface for each header parameter: what a call that declares it may carry in its options. */
export function headerOptionsFile(model: ApiModel): string {
  const parameters = new Map(model.operations.flatMap((operation) => operation.parameters.header).map((parameter) => [parameter.name, parameter]));
  return [...parameters.values()].map((parameter) =>
    `export interface ${headerOption(parameter)} {\n`
    + comment(parameter.description.trim().split('\n'), '  ')
    + `  readonly ${parameter.typescript}?: string | undefined;\n}\n`).join('\n');
}

export function headerOption(parameter: ParameterModel): string {
  return `${pascalCase(parameter.typescript)}Option`;
}

/** `options?: RequestOptions & IdempotencyKeyOption` */
export function optionsParameter(operation: OperationModel): string {
  const headers = operation.parameters.header;
  const types = headers.map((header) => (header.required ? `Required<${headerOption(header)}>` : headerOption(header)));
  return `options${headers.some((header) => header.required) ? '' : '?'}: ${['RequestOptions', ...types].join(' & ')}`;
}
