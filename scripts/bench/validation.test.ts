import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { RuntimeContract } from '../../server/contract/pruned-contract.ts';
import { Validators } from '../../server/request/validate.ts';
import { growContract } from './validation.ts';

const contract = JSON.parse(readFileSync('server/contract/generated/contract.runtime.json', 'utf8')) as RuntimeContract;

describe('a grown contract', () => {
  it.each([15, 60, 150])('has exactly %i operations, the measured ones in the middle', (count) => {
    const { operations, contract: grown } = growContract(contract, count);
    expect(operations).toHaveLength(count);
    expect(Object.values(grown.paths).flatMap((methods) => Object.values(methods))).toHaveLength(count);
    const place = operations.findIndex(({ operationId }) => operationId === 'getApplication') / count;
    expect(place).toBeGreaterThan(0.2);
    expect(place).toBeLessThan(0.8);
  });

  it('gives each copy schemas of its own, so that nothing is shared that would not be in a real contract', () => {
    const { contract: grown, operations } = growContract(contract, 150);
    const copy = operations.find(({ operationId }) => operationId.startsWith('getApplication_copy'));
    const text = JSON.stringify(grown.paths[copy?.path ?? '']?.['get']);
    expect(text).toContain('#/components/schemas/copy');
    expect(text).not.toMatch(/schemas\/[A-Z]/);
  });

  it('can be enforced', () => {
    const { contract: grown, operations } = growContract(contract, 40);
    const validators = new Validators(grown);
    for (const operation of operations) expect(validators.compile(operation).query).toBeDefined();
  });
});
