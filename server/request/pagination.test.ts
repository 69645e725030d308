/** Tests of cursors and pages. */
import { describe, expect, it } from 'vitest';
import { each } from '../../test/support/each.ts';
import { Problem } from '../contract/problem.ts';
import { Cursors, environmentPage, filtersOf, listPage, orderOf, pageOf } from './pagination.ts';

const cursors = new Cursors(Buffer.alloc(32, 7));
const binding = { tenantId: 'a', operationId: 'listApplications', filters: { status: ['draft'], sort: '-createdAt' } };
const position = ['2026-11-03T12:00:00.000Z', '0197f2c8-5b1e-7d3a-a4c2-7e9b0d1f6a21'] as const;

const codeOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
  return 'accepted';
};

describe('a cursor', () => {
  const cursor = cursors.encode(binding, position);

  it('returns the position for the list that it was created for', () => {
    expect(cursors.decode(binding, cursor)).toEqual(position);
    expect(cursors.decode({ ...binding, filters: { sort: '-createdAt', status: ['draft'] } }, cursor)).toEqual(
      position,
    );
  });

  it('is refused if any bit is changed', () => {
    const bytes = Buffer.from(cursor, 'base64url');
    for (const at of each(bytes.keys())) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] as number) ^ 1;
      expect(codeOf(() => cursors.decode(binding, changed.toString('base64url')))).toBe('invalid_cursor');
    }
  });

  it('is refused for another tenant, another operation and under another key, without saying why', () => {
    expect(codeOf(() => cursors.decode({ ...binding, tenantId: 'b' }, cursor))).toBe('invalid_cursor');
    expect(codeOf(() => cursors.decode({ ...binding, operationId: 'listApiKeys' }, cursor))).toBe('invalid_cursor');
    expect(codeOf(() => new Cursors(Buffer.alloc(32, 8)).decode(binding, cursor))).toBe('invalid_cursor');
  });

  it('is refused with other filters, and says so', () => {
    expect(
      codeOf(() => cursors.decode({ ...binding, filters: { sort: 'createdAt', status: ['draft'] } }, cursor)),
    ).toBe('cursor_filter_mismatch');
  });

  it.each([
    '',
    'a',
    'AAAA',
    `${'A'.repeat(2000)}`,
    `${cursor}=`,
    ` ${cursor}`,
    `${cursor}A`,
    'ö',
    cursor.toLowerCase(),
  ])('is not %j', (text) => {
    expect(codeOf(() => cursors.decode(binding, text))).toBe('invalid_cursor');
  });
});

describe('a page', () => {
  const rows = [1, 2, 3].map((n) => ({ id: `id-${n}`, createdAt: `t-${n}` }));
  const next = {
    cursors,
    binding,
    positionOf: ({ createdAt, id }: { id: string; createdAt: string }) => [createdAt, id],
  };

  it('has a cursor to its last item if one more row than the limit was read', () => {
    const page = pageOf(rows, 2, ({ id }) => id, next);
    expect(page).toMatchObject({ items: ['id-1', 'id-2'], hasMore: true });
    expect(cursors.decode(binding, page.cursor as string)).toEqual(['t-2', 'id-2']);
  });

  it('is the last one otherwise', () => {
    expect(pageOf(rows, 3, ({ id }) => id, next)).toEqual({
      items: ['id-1', 'id-2', 'id-3'],
      cursor: null,
      hasMore: false,
    });
    expect(pageOf([], 3, ({ id }: { id: string }) => id, next as never)).toEqual({
      items: [],
      cursor: null,
      hasMore: false,
    });
  });

  it('is bound to everything in the query except `cursor` and `limit`', () => {
    expect(filtersOf({ cursor: 'x', limit: 2, status: ['draft'] })).toEqual({ status: ['draft'] });
  });
});

describe('the page of a list', () => {
  const stored = [1, 2, 3].map((n) => ({ id: `id-${n}` }));
  const request = {
    operationId: 'listNotes',
    principal: { tenantId: 'a' },
    params: { applicationId: 'one' },
    query: { limit: 2 },
    cursors,
  };
  const rowsAfter = ({ after, count }: { after: readonly unknown[] | null; count: number }) =>
    Promise.resolve(stored.filter(({ id }) => after === null || id > String(after[0])).slice(0, count));
  const list = { rows: rowsAfter, position: ({ id }: { id: string }) => [id], item: ({ id }: { id: string }) => id };

  it('continues after the last row of the page that its cursor names', async () => {
    const first = await listPage(request, list);
    expect(first).toEqual({ items: ['id-1', 'id-2'], cursor: expect.any(String), hasMore: true });
    const query = { limit: 2, cursor: first.cursor as string };
    expect(await listPage({ ...request, query }, list)).toEqual({ items: ['id-3'], cursor: null, hasMore: false });
  });

  it('waits for items that are still being presented', async () => {
    const page = await listPage(request, { ...list, item: ({ id }) => Promise.resolve(`shown ${id}`) });
    expect(page.items).toEqual(['shown id-1', 'shown id-2']);
  });

  it('shows 25 items unless the request names a limit', async () => {
    const counts: number[] = [];
    const rows = ({ count }: { count: number }) => {
      counts.push(count);
      return Promise.resolve([]);
    };
    await listPage({ ...request, query: {} }, { ...list, rows });
    expect(counts).toEqual([26]);
  });

  it('refuses a cursor of another record', async () => {
    const { cursor } = await listPage(request, list);
    const other = { ...request, params: { applicationId: 'two' }, query: { limit: 2, cursor: cursor as string } };
    await expect(listPage(other, list)).rejects.toMatchObject({ code: 'cursor_filter_mismatch' });
  });

  it('refuses a cursor of another record, whatever else the cursor is bound to', async () => {
    const bound = { ...list, bind: { userId: 'one' } };
    const { cursor } = await listPage(request, bound);
    const other = { ...request, params: { applicationId: 'two' }, query: { limit: 2, cursor: cursor as string } };
    await expect(listPage(other, bound)).rejects.toMatchObject({ code: 'cursor_filter_mismatch' });
  });

  it('refuses a cursor that was bound to another value', async () => {
    const { cursor } = await listPage(request, { ...list, bind: { userId: 'one' } });
    const next = { ...request, query: { limit: 2, cursor: cursor as string } };
    await expect(listPage(next, { ...list, bind: { userId: 'two' } })).rejects.toMatchObject({
      code: 'cursor_filter_mismatch',
    });
  });
});

describe('the page of a list of one environment', () => {
  const named: string[] = [];
  const request = {
    operationId: 'listNotes',
    principal: { tenantId: 'a' },
    params: {},
    query: {},
    cursors,
    environment: 'live',
    visible: ['live'],
    setResourceEnvironment: (environment: string) => void named.push(environment),
  } as const;
  const list = {
    rows: ({ environment }: { environment: string }) => Promise.resolve([environment, environment]),
    position: (row: string) => [row],
    item: (row: string) => row,
  };

  it('shows the effective environment by default, and names it', async () => {
    named.length = 0;
    expect(await environmentPage(request, list)).toMatchObject({ items: ['live', 'live'] });
    expect(named).toEqual(['live']);
  });

  it('is empty for an environment that the caller does not see', async () => {
    named.length = 0;
    const page = await environmentPage({ ...request, query: { environment: 'sandbox' } }, list);
    expect(page).toEqual({ items: [], cursor: null, hasMore: false });
    expect(named).toEqual([]);
  });

  it('refuses a cursor of another environment', async () => {
    const { cursor } = await environmentPage({ ...request, query: { limit: 1 } }, list);
    const other = { ...request, environment: 'sandbox', visible: ['sandbox'] } as const;
    const query = { limit: 1, cursor: cursor as string };
    await expect(environmentPage({ ...other, query }, list)).rejects.toMatchObject({ code: 'cursor_filter_mismatch' });
  });
});

describe('the order that `sort` names', () => {
  it('is descending after a minus sign', () => {
    expect(orderOf('-createdAt')).toEqual({ by: 'createdAt', direction: 'desc' });
    expect(orderOf('name')).toEqual({ by: 'name', direction: 'asc' });
  });
});
