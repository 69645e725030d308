/** Tests of the layout of a structure: everybody is in it, boxes are apart, and it takes no noticeable time. */
import { describe, expect, it } from 'vitest';
import { each } from '../../../../../test/support/each.ts';
import { median, spent } from '../../../../../test/support/processor-time.ts';
import { randomOf } from '../../../../../test/support/random.ts';
import { type Drawing, type Edge, layOut, WIDTH } from './structure-layout.ts';

const PARTIES = 200;
const MOST_MILLISECONDS = 300;
const DAY = '2026-07-01';
const held = (owner: string, owned: string, during: Pick<Edge, 'validFrom' | 'validTo'> = {}): Edge => ({
  owner,
  owned,
  capitalPercent: 10,
  ...during,
});
/** Leaves each pair of owner and owned once. */
const once = (edges: readonly Edge[]): Edge[] => [
  ...new Map(edges.map((edge) => [`${edge.owner} ${edge.owned}`, edge])).values(),
];
const keys = Array.from({ length: PARTIES }, (_, index) => `k${index}`);

const random = randomOf(1);
const below = (most: number): number => Math.floor(random() * most);
const tree = (parent: (index: number) => number): Edge[] =>
  keys.map((key, index) => held(key, index === 0 ? 'root' : (keys[parent(index)] ?? 'root')));

/** Structures of two hundred parties. */
const STRUCTURES: Readonly<Record<string, readonly Edge[]>> = {
  'a tree with three owners each': tree((index) => Math.ceil(index / 3) - 1),
  'a random tree': tree((index) => below(index)),
  'a chain': tree((index) => index - 1),
  'owners of the company alone': keys.map((key) => held(key, 'root')),
  'fifty holdings of the company, each with three owners': keys.map((key, index) =>
    held(key, index < 50 ? 'root' : `k${index % 50}`),
  ),
  'a loop of all': [held('k0', 'root'), ...keys.map((key, index) => held(`k${(index + 1) % PARTIES}`, key))],
  'a tree and holdings across it, with loops': once([
    ...tree((index) => below(index)),
    ...Array.from({ length: 200 }, () => held(`k${below(PARTIES)}`, `k${below(PARTIES)}`)),
  ]),
};

const drawn = (name: string): Drawing => {
  const drawing = layOut(STRUCTURES[name] ?? [], DAY);
  if (drawing === null) throw new Error(`${name} is not drawn`);
  return drawing;
};

describe('the drawing of two hundred parties', () => {
  it.each(Object.keys(STRUCTURES))('names each of them once: %s', (name) => {
    const { boxes } = drawn(name);
    const named = boxes.flatMap(({ key, rows }) => [key, ...rows.map(({ edge }) => edge.owner)]);
    expect(named.toSorted()).toEqual([...keys, 'root'].toSorted());
  });

  it.each(Object.keys(STRUCTURES))('is narrow, and its boxes are apart: %s', (name) => {
    const { boxes, width, height } = drawn(name);
    expect(width).toBeLessThan(1500);
    for (const [index, one] of each(boxes).entries()) {
      expect([one.x >= 0, one.x + WIDTH <= width, one.y + one.height <= height]).toEqual([true, true, true]);
      const overlapping = boxes
        .slice(index + 1)
        .filter(
          (other) =>
            Math.abs(other.x - one.x) < WIDTH && other.y < one.y + one.height && one.y < other.y + other.height,
        );
      expect(overlapping.map(({ key }) => [one.key, key])).toEqual([]);
    }
  });

  it.each(Object.keys(STRUCTURES))('takes at most a third of a second: %s', async (name) => {
    const times: number[] = [];
    for (let round = 0; round < 5; round++) times.push(await spent(() => drawn(name)));
    expect(median(times)).toBeLessThan(MOST_MILLISECONDS);
  });
});

describe('the drawing of a structure', () => {
  it('folds branches into rows below rows only where a layer is too wide', () => {
    const few = layOut([held('a', 'root'), held('p', 'a'), held('q', 'a')], DAY);
    expect(few?.boxes.map(({ key, rows }) => [key, rows.length])).toEqual([
      ['root', 0],
      ['a', 2],
    ]);
    const { boxes, lines } = drawn('fifty holdings of the company, each with three owners');
    expect([boxes.map(({ key }) => key), lines]).toEqual([['root'], []]);
    expect(boxes[0]?.rows.slice(0, 4).map(({ edge, depth }) => [edge.owner, depth])).toEqual([
      ['k0', 0],
      ['k50', 1],
      ['k100', 1],
      ['k150', 1],
    ]);
  });

  it('keeps a line for each holding between two boxes, in loops, too', () => {
    const drawing = layOut([held('a', 'root'), held('b', 'root'), held('a', 'b'), held('b', 'a'), held('p', 'a')], DAY);
    expect(drawing?.lines.map(({ owner, owned }) => `${owner} ${owned}`)).toEqual(['a root', 'b root', 'a b', 'b a']);
  });

  it('shows what is held on the day, without what has ended or has not begun', () => {
    const [ended, begins] = [{ validTo: '2026-06-30' }, { validFrom: '2026-07-02' }];
    const drawing = layOut(
      [
        { ...held('p', 'root', ended), capitalPercent: 40 },
        held('p', 'root', { validFrom: DAY, validTo: DAY }),
        held('q', 'root', begins),
        held('a', 'root', ended),
        held('r', 'a'),
      ],
      DAY,
    );
    expect(
      drawing?.boxes.map(({ key, rows }) => [key, rows.map(({ edge }) => [edge.owner, edge.capitalPercent])]),
    ).toEqual([['root', [['p', 10]]]]);
  });

  it('is left to the table beyond two hundred parties or four hundred lines', () => {
    expect(layOut([...(STRUCTURES['a chain'] ?? []), held('more', 'k1')], DAY)).toBeNull();
    const crossing = keys.slice(0, 40).flatMap((owner) => keys.slice(0, 12).map((owned) => held(owner, owned)));
    expect(layOut([held('k0', 'root'), ...crossing], DAY)).toBeNull();
  });
});
