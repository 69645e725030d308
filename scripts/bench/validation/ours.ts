import { Routes } from '../../../server/request/routes.ts';
import { type OperationValidator, Validators } from '../../../server/request/validate.ts';
import type { Candidate } from './candidate.ts';
import type { GrownContract } from './grow-contract.ts';

/** The service's own validation as its pipeline uses it: look the route up, read the query, check, answer, check. */
export function ours({ contract, operations }: GrownContract): Candidate {
  const routes = new Routes<OperationValidator>();
  const validators = new Validators(contract);
  for (const operation of operations) routes.add(operation.method.toUpperCase(), operation.path, validators.compile(operation));
  return ({ method, path, headers, body, status, answer }) => {
    const match = routes.find(path);
    const validator = match?.methods.get(method);
    if (match === null || validator === undefined) throw new Error(`no operation at ${method} ${path}`);
    const params: Record<string, unknown> = {};
    validator.pathParameters.forEach((name, index) => (params[name] = match.values[index]));
    const declared: Record<string, unknown> = {};
    for (const name of validator.headerParameters) if (headers[name] !== undefined) declared[name] = headers[name];
    validator.request({ params, query: validator.query.read(''), headers: declared, body }, method === 'POST' ? 'application/json' : null);
    const violations = validator.response(status, 'application/json', answer);
    if (violations !== null) throw new Error(`the answer breaks the contract: ${JSON.stringify(violations)}`);
  };
}
