/** API tests of the list of members. */
import { beforeAll, describe, expect, it } from 'vitest';
import { refusal, refused, success } from '../support/api.ts';
import { shared, type Answer } from '../support/service.ts';
import { startUsersWorld, type Team, type User, type UserFilters, type UserList } from './users-world.ts';

let team: Team;
/** Users by name, in the order of their creation. */
const people: User[] = [];

const world = await shared(startUsersWorld());
beforeAll(async () => {
  team = await world.tenant();
  const { sql } = world.service.database;
  await success(team.patch(team.owner.id, { name: 'Olga Reis' }));
  for (const [name, role] of [
    ['Ana Lima', 'admin'],
    ['bruno LIMA', 'analyst'],
    ['Carla_Dias', 'analyst'],
    ['Zoë Ávila', 'auditor'],
  ] as const) {
    const { id } = await team.person(role, { secondFactor: role === 'admin' });
    await success(team.patch(id, { name }));
    people.push((await success(team.get(id))).body);
  }
  const [ana, bruno, carla] = people;
  await sql(
    `UPDATE membership SET created_at = '2026-01-01T00:00:00Z', last_login_at = '2026-03-01T00:00:00Z'
      WHERE user_id = $1`,
    [ana?.id],
  );
  await sql(
    `UPDATE membership SET created_at = '2026-01-02T00:00:00Z', last_login_at = '2026-02-01T00:00:00Z'
      WHERE user_id = $1`,
    [bruno?.id],
  );
  await sql(
    `UPDATE membership SET created_at = '2026-01-02T00:00:00Z', updated_at = '2026-01-05T00:00:00Z' WHERE user_id = $1`,
    [carla?.id],
  );
  await success(team.patch(people[3]?.id ?? '', { status: 'deactivated' }));
  await world.tenant();
});

const names = async (query: UserFilters): Promise<string[]> =>
  (await success(team.list(query))).body.items.map(({ name }) => name);

describe('the list of users', () => {
  it('has the members of the tenant and nobody else, newest first', async () => {
    const { status, body } = await success(team.list());
    expect(status).toBe(200);
    expect(body).toMatchObject({ cursor: null, hasMore: false });
    expect(body.items).toHaveLength(5);
    expect(
      body.items
        .slice(2)
        .map(({ name }) => name)
        .at(-1),
    ).toBe('Ana Lima');
  });

  it.each([
    [{ role: ['analyst'] }, ['Carla_Dias', 'bruno LIMA']],
    [{ role: ['analyst', 'admin'] }, ['Ana Lima', 'Carla_Dias', 'bruno LIMA']],
    [{ status: ['deactivated'] }, ['Zoë Ávila']],
    [{ status: ['active'], role: ['admin'] }, ['Ana Lima']],
    [{ status: ['invited'] }, []],
    [{ q: 'lima' }, ['Ana Lima', 'bruno LIMA']],
    [{ q: 'ÁVILA' }, ['Zoë Ávila']],
    [{ q: 'a_d' }, ['Carla_Dias']],
    [{ q: '%' }, []],
    [{ q: 'auditor-' }, ['Zoë Ávila']],
    [{ mfaEnabled: true }, ['Ana Lima']],
    [{ mfaEnabled: false, role: ['analyst'] }, ['Carla_Dias', 'bruno LIMA']],
    [{ createdBefore: '2026-01-02T00:00:00Z' }, ['Ana Lima']],
    [{ createdAfter: '2026-01-02T00:00:00Z', createdBefore: '2026-01-03T00:00:00Z' }, ['Carla_Dias', 'bruno LIMA']],
    [{ updatedAfter: '2026-01-05T00:00:01Z', role: ['analyst'] }, ['bruno LIMA']],
  ] satisfies [UserFilters, string[]][])('with %j has %j', async (query, expected) => {
    expect((await names(query)).sort()).toEqual([...expected].sort());
  });

  it.each([
    ['name', ['Ana Lima', 'bruno LIMA', 'Carla_Dias', 'Olga Reis', 'Zoë Ávila']],
    ['-name', ['Zoë Ávila', 'Olga Reis', 'Carla_Dias', 'bruno LIMA', 'Ana Lima']],
  ] as const)('by %s ignores the case', async (sort, expected) => {
    expect(await names({ sort })).toEqual(expected);
  });

  it('by last sign-in lists people who never signed in last', async () => {
    expect((await names({ sort: '-lastLoginAt' })).slice(0, 2)).toEqual(['Ana Lima', 'bruno LIMA']);
    expect((await names({ sort: 'lastLoginAt' })).slice(3)).toEqual(['bruno LIMA', 'Ana Lima']);
  });

  /** Returns the listed users of all pages, one page after the other. */
  async function pagesOf(
    sort: 'name' | '-name' | 'lastLoginAt' | '-lastLoginAt' | 'createdAt' | '-createdAt',
    limit: number,
  ): Promise<string[]> {
    const paged: string[] = [];
    let cursor: string | undefined;
    do {
      const { body }: Answer<UserList> = await success(
        team.list({ sort, limit, ...(cursor !== undefined && { cursor }) }),
      );
      paged.push(...body.items.map(({ id }) => id));
      expect(body.hasMore).toBe(body.cursor !== null);
      cursor = body.cursor ?? undefined;
    } while (cursor !== undefined);
    return paged;
  }

  it.each(['name', '-name', 'lastLoginAt', '-lastLoginAt', 'createdAt', '-createdAt'] as const)(
    'is paginated by %s without loss or repetition',
    async (sort) => {
      const whole = (await success(team.list({ sort }))).body.items.map(({ id }) => id);
      expect(await pagesOf(sort, 2)).toEqual(whole);
    },
  );

  it('refuses a cursor with other filters, of another tenant and one that was changed', async () => {
    const cursor = (await success(team.list({ limit: 1, sort: 'name' }))).body.cursor!;
    expect(refused(await refusal(team.list({ limit: 1, sort: '-name', cursor })))).toEqual([
      400,
      'cursor_filter_mismatch',
    ]);
    expect(
      refused(
        await refusal(
          team.list({
            limit: 1,
            sort: 'name',
            role: ['admin'],
            cursor,
          }),
        ),
      ),
    ).toEqual([400, 'cursor_filter_mismatch']);
    const other = await world.tenant();
    expect(refused(await refusal(other.list({ limit: 1, sort: 'name', cursor })))).toEqual([400, 'invalid_cursor']);
    const forged = cursor.replace(
      /^(.{20})(.)/,
      (_, start: string, letter: string) => start + (letter === 'A' ? 'B' : 'A'),
    );
    expect(refused(await refusal(team.list({ limit: 1, sort: 'name', cursor: forged })))).toEqual([
      400,
      'invalid_cursor',
    ]);
  });

  it('accepts the longest names in its cursors', async () => {
    const [long, longer] = [await team.person('viewer'), await team.person('viewer')];
    await success(team.patch(long.id, { name: '😀'.repeat(120) }));
    await success(team.patch(longer.id, { name: '"\\'.repeat(60) }));
    for (const sort of ['name', '-name'] as const)
      expect(await pagesOf(sort, 1)).toEqual((await success(team.list({ sort }))).body.items.map(({ id }) => id));
  });

  it.each([
    '?sort=email',
    '?role=root',
    '?role=platform_admin',
    '?status=gone',
    '?limit=0',
    '?limit=101',
    '?mfaEnabled=perhaps',
    '?q=',
    '?createdAfter=yesterday',
    '?page=2',
    '?cursor=x',
  ])('refuses %s', async (query) => {
    expect((await world.service.request('GET', `/v1/users${query}`, { as: team.owner.as })).status).toBe(400);
  });

  it('is readable by the roles that may see other members', async () => {
    for (const role of ['admin', 'compliance_officer', 'auditor'] as const)
      await success(team.list({}, await team.user(role)));
    for (const role of ['analyst', 'developer', 'viewer'] as const)
      expect(refused(await refusal(team.list({}, await team.user(role))))).toEqual([403, 'role_forbidden']);
    await success(team.list({}, await team.key(['read'])));
    expect(refused(await refusal(team.list({}, await team.key(['write']))))).toEqual([403, 'insufficient_scope']);
    expect(refused(await refusal(team.list({}, {})))).toEqual([401, 'authentication_required']);
  });
});
