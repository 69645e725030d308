/** Tests of lookups, by which handlers find a record. */
import { describe, expect, it } from 'vitest';
import { each } from '../../test/support/each.ts';
import type { Environment } from '../contract/operation.ts';
import { Problem } from '../contract/problem.ts';
import type { Transaction } from '../database/transaction.ts';
import { lockingLookupOf, lookupOf } from './lookup.ts';

interface Row {
  readonly environment: Environment;
  readonly isErased: boolean;
}
interface Caller {
  readonly visible?: readonly Environment[];
  readonly sandboxEnabled?: boolean;
}

const METHODS = ['forReading', 'forChangeWithoutLock', 'forReadingWithLock', 'forChange'] as const;
const CHANGES: readonly string[] = ['forChange', 'forChangeWithoutLock'];

/** Looks a row up, and returns the result, how the row was read, and the environments that were named. */
async function outcomeOf(
  method: (typeof METHODS)[number],
  row: Row | null,
  { visible = ['live', 'sandbox'], sandboxEnabled = true }: Caller = {},
) {
  const named: Environment[] = [];
  const reads: string[] = [];
  const access = {
    tx: {} as Transaction,
    visible,
    sandboxEnabled,
    setResourceEnvironment: (environment: Environment) => void named.push(environment),
  };
  const read = (how: string) => () => {
    reads.push(how);
    return Promise.resolve(row);
  };
  const unerased = (one: Row) => (one.isErased ? 'erased' : 'record');
  const lookup = {
    ...lookupOf(access, { find: read('find'), unerased }),
    ...lockingLookupOf(access, { lock: read('lock'), unerased }),
  };
  const result = await lookup[method]().catch((error: unknown) => (error as Problem).code);
  return { result, reads, named };
}

describe.each(METHODS)('A lookup %s', (method) => {
  const how = method.startsWith('forReadingWith') || method === 'forChange' ? 'lock' : 'find';

  it('returns the record, and names its environment', async () => {
    expect(await outcomeOf(method, { environment: 'sandbox', isErased: false })).toEqual({
      result: 'record',
      reads: [how],
      named: ['sandbox'],
    });
  });

  it('does not find a record that is missing, or whose environment the caller does not see', async () => {
    const unseen = { visible: ['live'], sandboxEnabled: false } as const;
    for (const isErased of each([false, true]))
      expect(await outcomeOf(method, { environment: 'sandbox', isErased }, unseen)).toEqual({
        result: 'not_found',
        reads: [how],
        named: [],
      });
    expect(await outcomeOf(method, null)).toEqual({ result: 'not_found', reads: [how], named: [] });
  });

  it('rejects an erased record, whether it may be changed or not', async () => {
    for (const sandboxEnabled of each([false, true]))
      expect((await outcomeOf(method, { environment: 'sandbox', isErased: true }, { sandboxEnabled })).result).toBe(
        'erased',
      );
  });

  it('rejects only a change while the sandbox is off, and only of its records', async () => {
    const off = { sandboxEnabled: false };
    expect((await outcomeOf(method, { environment: 'sandbox', isErased: false }, off)).result).toBe(
      CHANGES.includes(method) ? 'sandbox_disabled' : 'record',
    );
    expect((await outcomeOf(method, { environment: 'live', isErased: false }, off)).result).toBe('record');
  });
});
