/**
 * Test of the cache of compiled validators: a changed component of the contract invalidates the operations that use it.
 */
import { expect, it } from 'vitest';
import contract from '../contract/generated/contract.runtime.json' with { type: 'json' };
import { operations } from '../contract/generated/operations.ts';
import type { Operation } from '../contract/operation.ts';
import { Problem } from '../contract/problem.ts';
import type { RuntimeContract } from '../contract/pruned-contract.ts';
import { Validators } from './validate.ts';
import { keepCompilations } from './validator-adapter.ts';

const login: Pick<Operation, 'operationId' | 'method' | 'path'> = operations.login;

/** Returns the validation errors of a sign-in with a password of 20 characters, or null if there are none. */
function errorsWith(changed: RuntimeContract): unknown {
  const input = {
    params: {},
    query: {},
    headers: {},
    body: { email: 'a@example.com', password: 'p'.repeat(20) },
  };
  try {
    new Validators(changed).compile(login).request(input, 'application/json');
    return null;
  } catch (error) {
    return error instanceof Problem ? error.members.errors : error;
  }
}

it('recompiles the operations that use a changed component', () => {
  // Turns the cache on, which only development and tests use.
  keepCompilations();
  const before = contract as unknown as RuntimeContract;
  const changed = structuredClone(contract);
  changed.components.schemas.LoginRequest.properties.password.maxLength = 12;
  expect(errorsWith(before)).toBeNull();
  expect(errorsWith(changed as unknown as RuntimeContract)).toMatchObject([{ pointer: '/password' }]);
  expect(errorsWith(before)).toBeNull();
});
