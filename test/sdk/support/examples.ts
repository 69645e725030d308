/** Calls of each operation by the examples of the contract. Used by tests of both SDKs. */
import { operations } from '../../../server/contract/generated/operations.ts';
import type { OperationModel } from '../../../scripts/generate/model.ts';
import type { OperationId } from '../../../server/contract/operation.ts';
import { callOf } from '../../operations.ts';
import { exampleBodies } from '../../support/contract.ts';
import type { CallInput } from './sdk.ts';

/** Content of an uploaded file. */
export const FILE = new Uint8Array(Buffer.from('\x89PNG\r\n\x1a\n and 8 bits: \xff\x00\r\n--', 'latin1'));

/**
 * Returns calls of an operation: with every parameter, and with each body that the contract shows or the table of calls
 * has. Values that only a running service could give are those of the contract.
 */
export function examplesOf(operation: OperationModel): readonly CallInput[] {
  const { path, query, header } = operation.parameters;
  const shown = (parameters: typeof query, all: boolean): Record<string, unknown> =>
    Object.fromEntries(
      parameters
        .filter(({ required, example }) => example !== undefined && (all || required))
        .map(({ name, example }) => [name, example]),
    );
  const input = (all: boolean, body?: Readonly<Record<string, unknown>>): CallInput => ({
    path: path.map(({ example }) => String(example)),
    query: shown(query, all),
    headers: shown(header, all) as Record<string, string>,
    // Omits an empty body if the body is optional, because Python's keyword arguments cannot distinguish an empty body
    // from none.
    ...(body && (operation.body?.required || Object.keys(body).length > 0) && withFiles(operation, body)),
  });
  const called = operations[operation.operationId as OperationId];
  const { body, otherBody } = callOf(called);
  const shownBodies = exampleBodies(called).map(({ value }) => value);
  const full = [body, otherBody].flatMap((make) => (make === undefined ? [] : [{ ...shownBodies[0], ...make() }]));
  const bodies = operation.body === null ? [undefined] : [...shownBodies, ...full];
  return [input(true, bodies[0]), ...bodies.map((body) => input(false, body))];
}

/** Returns the members in the order of the contract, because Python's keyword arguments have no order of their own. */
function withFiles(
  { body }: OperationModel,
  example: Readonly<Record<string, unknown>>,
): Pick<CallInput, 'body' | 'files'> {
  if (!body?.members) return { body: example };
  const present = body.members.filter(({ name }) => name in example);
  return {
    body: Object.fromEntries(present.filter(({ file }) => !file).map(({ name }) => [name, example[name]])),
    files: Object.fromEntries(
      present
        .filter(({ file }) => file)
        .map(({ name }) => [
          name,
          { name: typeof example[name] === 'string' ? example[name] : 'picture.png', type: 'image/png', bytes: FILE },
        ]),
    ),
  };
}
