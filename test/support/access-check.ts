/**
 * Decides without HTTP whether a caller may call an operation, by the code of the service. Used by the tests of
 * permissions.
 */
import type { Operation } from '../../server/contract/operation.ts';
import { Problem } from '../../server/contract/problem.ts';
import { Authenticator } from '../../server/identity/authentication.ts';
import { authorizer } from '../../server/request/authorize.ts';
import type { Credential, TestService } from './service.ts';

const CLIENT_IP = '127.0.0.1';

/**
 * Checks without HTTP whether a caller may call an operation, with the same authentication and authorisation code as a
 * real request. Returns the Problem, or null if the call is allowed.
 */
export function accessCheck({
  running: { services },
}: TestService): (operation: Operation, credential: Credential) => Promise<Problem | null> {
  const { tokens, apiKeys: keys, credentials, failures, clock } = services;
  const authenticator = new Authenticator({
    tokens,
    keys,
    credentials,
    failures,
    clock,
    onKeyUse: () => {},
  });
  const authorizers = new Map<Operation, ReturnType<typeof authorizer>>();
  return async (operation, credential) => {
    const authorize = authorizers.get(operation) ?? authorizer(operation);
    authorizers.set(operation, authorize);
    const headers = Object.fromEntries(Object.entries(credential).map(([name, value]) => [name.toLowerCase(), value]));
    try {
      authorize(await authenticator.authenticate(operation, headers, CLIENT_IP), []);
      return null;
    } catch (error) {
      if (error instanceof Problem) return error;
      throw error;
    }
  };
}
