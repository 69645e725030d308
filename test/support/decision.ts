import type { Operation } from '../../server/contract/operation.ts';
import { Problem } from '../../server/contract/problem.ts';
import { Authenticator } from '../../server/identity/authentication.ts';
import { authorizer } from '../../server/request/authorize.ts';
import type { Credential, TestService } from './service.ts';

const HERE = '127.0.0.1';

/**
 * Decides in this process if a caller may call an operation, with the functions that an endpoint runs for each request:
 * resolves the credential to a caller and compares the caller with the contract. Returns the refusal, or null.
 */
export function decisions({
  running: { services },
}: TestService): (operation: Operation, as: Credential) => Promise<Problem | null> {
  const { tokens, apiKeys: keys, credentials, failures, clock } = services;
  const security = new Authenticator({
    tokens,
    keys,
    credentials,
    failures,
    clock,
    onKeyUse: () => {},
  });
  const known = new Map<Operation, ReturnType<typeof authorizer>>();
  return async (operation, as) => {
    const authorize = known.get(operation) ?? authorizer(operation);
    known.set(operation, authorize);
    const headers = Object.fromEntries(Object.entries(as).map(([name, value]) => [name.toLowerCase(), value]));
    try {
      authorize(await security.authenticate(operation, headers, HERE), []);
      return null;
    } catch (error) {
      if (error instanceof Problem) return error;
      throw error;
    }
  };
}
