import type { ApiModel, OperationModel } from '../model.ts';
import { snakeCase } from '../naming.ts';
import { isDownload } from './answer.ts';
import { constantName, header, str } from './text.ts';

export function operationConstant(operation: OperationModel): string {
  return constantName(snakeCase(operation.operationId));
}

/** `operations.py`: one constant per operation. */
export function operationsModule(model: ApiModel): string {
  const constants = model.operations.map((operation) => {
    const facts = [
      `name=${str(operation.operationId)}`,
      `method=${str(operation.method.toUpperCase())}`,
      `path=${str(operation.path)}`,
      ...security(operation),
      // A file may come in a format that a later contract adds.
      ...(isDownload(operation, model) ? ['accept="*/*"'] : []),
      ...(operation.idempotent ? ['keyed=True'] : []),
    ];
    return `${operationConstant(operation)} = Operation(${facts.join(', ')})\n`;
  });
  return `${header()}"""The operations of the contract."""\n\nfrom compliance_onboarding._operation import Operation\n\n${constants.join('')}`;
}

function security({ security }: OperationModel): string[] {
  const schemes = [...new Set(security.flatMap((requirement) => Object.keys(requirement)))];
  return schemes.length === 0 ? [] : [`security=(${schemes.map((scheme) => `${str(scheme)},`).join(' ')})`];
}
