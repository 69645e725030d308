import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../test/support/postgres.ts';
import type { TestDatabase } from '../../test/support/postgres.ts';

let test: TestDatabase;
beforeAll(async () => {
  const t = performance.now();
  test = await createTestDatabase();
  console.log('clone', performance.now() - t);
});
afterAll(() => test.close());

describe('transaction', () => {
  it('x', async () => {
    const id = await test.tenant();
    expect(id).toBeTruthy();
  });
});
