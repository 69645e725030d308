/** Test that validators are compiled again if a component of the contract has changed. */
import { expect, it } from 'vitest';
import contract from '../contract/generated/contract.runtime.json' with { type: 'json' };
import { operations } from '../contract/generated/operations.ts';
import type { Operation } from '../contract/operation.ts';
import { Problem } from '../contract/problem.ts';
import type { RuntimeContract } from '../contract/pruned-contract.ts';
import { Validators } from './validate.ts';
import { keepCompilations } from './validator-adapter.ts';

const login: Pick<Operation, 'operationId' | 'method' | 'path'> = operations.login;

/** Returns the problem of a password of 20 characters. */
function complaintOf(changed: RuntimeContract): unknown {
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
  keepCompilations();
  const before = contract as unknown as RuntimeContract;
  const changed = structuredClone(contract);
  changed.components.schemas.LoginRequest.properties.password.maxLength = 12;
  expect(complaintOf(before)).toBeNull();
  expect(complaintOf(changed as unknown as RuntimeContract)).toMatchObject([{ pointer: '/password' }]);
  expect(complaintOf(before)).toBeNull();
});
