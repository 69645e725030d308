/** Tests of restoring an earlier version of a watch list. */
import { describe, expect, it } from 'vitest';
import { BY, DAY, ListImports, many, SANDBOX } from '../../../test/support/list-imports.ts';
import { rollBack } from './index.ts';

const lists = new ListImports();

describe('Going back to an earlier version', () => {
  const first = many(30);
  const second = [
    ...many(29).map((row) => (row.key === 'k3' ? { key: 'k3', name: 'Outro Nome' } : row)),
    { key: 'new', name: 'Nova Pessoa' },
  ];

  it('restores its entries, as the next version in the sequence, and keeps the versions in between', async () => {
    await lists.take(first, { version: 'one' });
    await lists.take(second, { version: 'two' });
    const restored = await rollBack(lists.test.database, {
      ...SANDBOX,
      version: 'one',
      by: BY,
      now: DAY,
    });
    expect(restored).toMatchObject({
      sequence: 3,
      version: 'one',
      restores: 1,
      entryCount: 30,
      added: 1,
      changed: 1,
      matchChanged: 1,
      removed: 1,
    });
    expect(await lists.entitiesIn(3)).toEqual(await lists.entitiesIn(1));
    expect((await lists.namesIn(2)).includes('Nova Pessoa')).toBe(true);
    expect((await lists.take(first)).outcome).toBe('unchanged');
  });

  it('changes nothing if the version is active or its content was already restored', async () => {
    await lists.take(first, { version: 'one' });
    expect(
      (await rollBack(lists.test.database, {
        ...SANDBOX,
        version: 'one',
        by: BY,
        now: DAY,
      }))!.sequence,
    ).toBe(1);
    await lists.take(second, { version: 'two' });
    for (let time = 0; time < 2; time++)
      expect(
        (await rollBack(lists.test.database, {
          ...SANDBOX,
          version: 'one',
          by: BY,
          now: DAY,
        }))!.sequence,
      ).toBe(3);
  });

  it('returns null if the version never existed', async () => {
    await lists.take(first);
    expect(
      await rollBack(lists.test.database, {
        ...SANDBOX,
        version: 'none',
        by: BY,
        now: DAY,
      }),
    ).toBeNull();
  });
});
