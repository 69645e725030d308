import type { OperationModel, ParameterModel } from '../model.ts';

/** The headers without which a call would be refused: `If-Match`, too, where the contract documents 428 (RFC 6585 section 3). */
export function neededHeaders({ parameters, failures }: OperationModel): readonly ParameterModel[] {
  const conditional = failures.some(({ status }) => status === 428);
  return parameters.header.filter(({ name, required }) => required || (conditional && name === 'If-Match'));
}
