import type { Handler, Handlers } from '../contract/handlers.ts';
import type { Operation, OperationId } from '../contract/operation.ts';
import { operations } from '../contract/generated/operations.ts';
import { Endpoint, type Surroundings } from './endpoint.ts';
import { Routes } from './routes.ts';
import type { RuntimeContract } from './slim-contract.ts';
import type { BodyFaults } from './sound-part.ts';
import { Validators } from './validate.ts';

/** The contract has an operation that nobody has written yet. */
export class MissingHandler extends Error {
  override readonly name = 'MissingHandler';

  constructor({ operationId, tag }: Operation) {
    super(`${operationId} has no handler: write one in server/groups/${tag}/handlers.ts; a new group is named in server/app.ts, too. `
      + '`make types` says which type it must have.');
  }
}

/**
 * Ties every operation of the contract to its handler and compiles its checks. All of this happens at boot: a
 * missing handler or a contract that cannot be enforced stops the service before it listens.
 */
export function bind(contract: RuntimeContract, handlers: Handlers, around: Surroundings): Routes<Endpoint> {
  const routes = new Routes<Endpoint>();
  const validators = new Validators(contract);
  for (const operation of Object.values(operations) as readonly Operation[]) {
    const handler = handlers[operation.operationId] as Handler<OperationId> | undefined;
    if (handler === undefined) throw new MissingHandler(operation);
    routes.add(operation.method.toUpperCase(), operation.path, new Endpoint(operation, validators.compile(operation, handler.faults as BodyFaults | undefined), handler, around));
  }
  for (const path of Object.keys(contract.paths)) routes.at(path);
  return routes;
}
