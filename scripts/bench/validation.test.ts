/** Test of the enlarged contract with which the benchmark measures validation. */
import { expect, it } from 'vitest';
import { Validators } from '../../server/request/validate.ts';
import { growContract } from './validation.ts';

it.each([15, 100])(
  'a contract of %i operations has the measured ones in the middle, shares no schema between ' +
    'copies, and can be enforced',
  (count) => {
    const { operations, contract } = growContract(count);
    expect([
      operations.length,
      Object.values(contract.paths).flatMap((methods) => Object.values(methods)).length,
    ]).toEqual([count, count]);
    const place = operations.findIndex(({ operationId }) => operationId === 'getApplication') / count;
    expect(Math.abs(place - 0.5)).toBeLessThan(0.3);
    for (const copy of operations.filter(({ operationId }) => operationId.includes('_copy'))) {
      expect(JSON.stringify(contract.paths[copy.path]?.[copy.method])).not.toMatch(/schemas\/[A-Z]/);
    }
    const validators = new Validators(contract);
    for (const operation of operations) expect(validators.compile(operation).query).toBeDefined();
  },
);
