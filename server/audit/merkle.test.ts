/** Tests of the Merkle tree over the audit log and of its proofs (RFC 9162). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verifyConsistency, verifyInclusion } from '../../test/support/merkle-verify.ts';
import {
  completeNodes,
  consistencyPath,
  emptyRoot,
  Frontier,
  inclusionPath,
  joinNodes,
  leafHash,
  type Leaves,
  nodeHash,
  split,
} from './merkle.ts';

const hex = (hash: Buffer): string => hash.toString('hex');

/** Literal implementation of the definitions of RFC 6962 §2.1: slow, and correct by inspection. */
const naive = {
  root: (leaves: readonly Buffer[]): Buffer => {
    if (leaves.length <= 1) return leaves[0] ?? emptyRoot();
    const k = split(leaves.length);
    return nodeHash(naive.root(leaves.slice(0, k)), naive.root(leaves.slice(k)));
  },
  path: (m: number, leaves: readonly Buffer[]): Buffer[] => {
    if (leaves.length === 1) return [];
    const k = split(leaves.length);
    return m < k
      ? [...naive.path(m, leaves.slice(0, k)), naive.root(leaves.slice(k))]
      : [...naive.path(m - k, leaves.slice(k)), naive.root(leaves.slice(0, k))];
  },
  proof: (m: number, leaves: readonly Buffer[], whole = true): Buffer[] => {
    if (m === leaves.length) return whole ? [] : [naive.root(leaves)];
    const k = split(leaves.length);
    return m <= k
      ? [...naive.proof(m, leaves.slice(0, k), whole), naive.root(leaves.slice(k))]
      : [...naive.proof(m - k, leaves.slice(k), false), naive.root(leaves.slice(0, k))];
  },
};

/** Computes subtree hashes like a reader of stored nodes: joins the hashes of complete subtrees. */
function read(leaves: readonly Buffer[], ranges: readonly Leaves[]): Buffer[] {
  const nodeOf = ({ level, index }: { level: number; index: number }): Buffer =>
    naive.root(leaves.slice(index * 2 ** level, (index + 1) * 2 ** level));
  return ranges.map((range) => joinNodes(completeNodes(range).map(nodeOf)));
}

/** Test vectors of the reference implementation of Certificate Transparency. */
const reference = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map((data) => leafHash(Buffer.from(data, 'hex')));
const roots = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];
const node = {
  leaf1: '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
  leaf4: 'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
  pair1: '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
  pair2: '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
  pair3: 'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
  left: 'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  right: '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
};

describe('published vectors of RFC 6962 trees', () => {
  it('gives the roots of the reference leaves at every size', () => {
    const frontier = new Frontier();
    expect(
      [frontier, ...reference].map((leaf) => {
        if (Buffer.isBuffer(leaf)) frontier.append(leaf);
        return hex(frontier.root());
      }),
    ).toEqual(roots);
  });

  it('gives the roots of the texts a, b and c', () => {
    const frontier = new Frontier();
    expect(['a', 'b', 'c'].map((text) => (frontier.append(leafHash(text)), hex(frontier.root()))).slice(1)).toEqual([
      'b137985ff484fb600db93107c77b0365c80d78f5b429ded0fd97361d077999eb',
      '36642e73c2540ab121e3a6bf9545b0a24982cd830eb13d3cd19de3ce6c021ec1',
    ]);
  });

  it.each([
    { index: 0, size: 1, path: [] },
    { index: 0, size: 8, path: [node.leaf1, node.pair1, node.right] },
    { index: 5, size: 8, path: [node.leaf4, node.pair3, node.left] },
    { index: 2, size: 3, path: [roots[2]] },
    { index: 1, size: 5, path: [roots[1], node.pair1, node.leaf4] },
  ])('proves leaf $index of a tree of $size', ({ index, size, path }) => {
    const found = read(reference.slice(0, size), inclusionPath(index, size));
    expect(found.map(hex)).toEqual(path);
    const root = Buffer.from(roots[size] as string, 'hex');
    expect(
      verifyInclusion({
        index,
        size,
        leaf: reference[index] as Buffer,
        path: found,
        root,
      }),
    ).toBe(true);
  });

  it.each([
    { first: 1, second: 1, path: [] },
    { first: 1, second: 8, path: [node.leaf1, node.pair1, node.right] },
    { first: 6, second: 8, path: [node.pair2, node.pair3, node.left] },
    { first: 2, second: 5, path: [node.pair1, node.leaf4] },
  ])('proves that a tree of $second continues one of $first', ({ first, second, path }) => {
    const found = read(reference.slice(0, second), consistencyPath(first, second));
    expect(found.map(hex)).toEqual(path);
    const [firstRoot, secondRoot] = [first, second].map((size) => Buffer.from(roots[size] as string, 'hex')) as [
      Buffer,
      Buffer,
    ];
    expect(
      verifyConsistency({
        first,
        second,
        firstRoot,
        secondRoot,
        path: found,
      }),
    ).toBe(true);
  });
});

const trees = fc
  .integer({ min: 1, max: 70 })
  .map((size) => Array.from({ length: size }, (_, n) => leafHash(`leaf ${n}`)));
const treesWithTwoPlaces = trees.chain((leaves) =>
  fc.tuple(fc.constant(leaves), fc.nat(leaves.length - 1), fc.nat(leaves.length - 1)),
);

describe('a tree that grows', () => {
  it('has the root of the definition at every size, and completes each of its interior nodes once', () => {
    fc.assert(
      fc.property(trees, (leaves) => {
        const frontier = new Frontier();
        const completed = leaves.flatMap((leaf, n) => {
          const nodes = frontier.append(leaf);
          expect(frontier.root()).toEqual(naive.root(leaves.slice(0, n + 1)));
          return nodes;
        });
        expect(new Set(completed.map(({ level, index }) => `${level}/${index}`)).size).toBe(completed.length);
        for (const { level, index, hash } of completed)
          expect(hash).toEqual(naive.root(leaves.slice(index * 2 ** level, (index + 1) * 2 ** level)));
        for (const { level, index } of completeNodes([0, leaves.length])) {
          if (level > 0) expect(completed).toContainEqual(expect.objectContaining({ level, index }));
        }
      }),
      { numRuns: 40 },
    );
  });

  it('continues from the complete subtrees of the existing leaves', () => {
    fc.assert(
      fc.property(treesWithTwoPlaces, ([leaves, size]) => {
        const nodes = completeNodes([0, size]).map(({ level, index }) =>
          naive.root(leaves.slice(index * 2 ** level, (index + 1) * 2 ** level)),
        );
        const frontier = new Frontier(size, nodes);
        for (const leaf of leaves.slice(size)) frontier.append(leaf);
        expect(frontier.root()).toEqual(naive.root(leaves));
      }),
    );
    expect(() => new Frontier(3, [leafHash('one')])).toThrow(RangeError);
  });
});

describe('a proof', () => {
  it('is the path of the definition, verifies, and proves nothing else', () => {
    fc.assert(
      fc.property(treesWithTwoPlaces, ([leaves, index, other]) => {
        const path = read(leaves, inclusionPath(index, leaves.length));
        expect(path).toEqual(naive.path(index, leaves));
        const proof = {
          index,
          size: leaves.length,
          leaf: leaves[index] as Buffer,
          path,
          root: naive.root(leaves),
        };
        expect(verifyInclusion(proof)).toBe(true);
        expect(verifyInclusion({ ...proof, leaf: leafHash('forged') })).toBe(false);
        expect(verifyInclusion({ ...proof, root: leafHash('forged') })).toBe(false);
        expect(verifyInclusion({ ...proof, path: [...path, leafHash('more')] })).toBe(false);
        if (path.length > 0) expect(verifyInclusion({ ...proof, path: path.slice(1) })).toBe(false);
        if (other !== index) expect(verifyInclusion({ ...proof, leaf: leaves[other] as Buffer })).toBe(false);
        if (other !== index) expect(verifyInclusion({ ...proof, index: other })).toBe(false);
        expect(verifyInclusion({ ...proof, index: leaves.length })).toBe(false);
      }),
    );
  });

  it('of consistency is the path of the definition, verifies, and detects any changed leaf of the old tree', () => {
    fc.assert(
      fc.property(treesWithTwoPlaces, ([leaves, index, changed]) => {
        const first = index + 1;
        const second = leaves.length;
        const path = read(leaves, consistencyPath(first, second));
        expect(path).toEqual(naive.proof(first, leaves));
        const proof = {
          first,
          second,
          firstRoot: naive.root(leaves.slice(0, first)),
          secondRoot: naive.root(leaves),
          path,
        };
        expect(verifyConsistency(proof)).toBe(true);
        expect(verifyConsistency({ ...proof, firstRoot: leafHash('forged') })).toBe(false);
        expect(verifyConsistency({ ...proof, path: [...path, leafHash('more')] })).toBe(false);
        const rewritten = leaves.with(changed, leafHash('rewritten'));
        const forged = { ...proof, secondRoot: naive.root(rewritten), path: naive.proof(first, rewritten) };
        if (changed < first) expect(verifyConsistency(forged)).toBe(false);
      }),
    );
    expect(
      verifyConsistency({
        first: 0,
        second: 1,
        firstRoot: emptyRoot(),
        secondRoot: leafHash(''),
        path: [],
      }),
    ).toBe(false);
    expect(
      verifyConsistency({
        first: 2,
        second: 1,
        firstRoot: emptyRoot(),
        secondRoot: leafHash(''),
        path: [],
      }),
    ).toBe(false);
  });

  it('costs a number of hashes that grows with the logarithm of the log, beyond 2^32 events as well', () => {
    const size = 2 ** 40 + 12_345;
    for (const path of [inclusionPath(2 ** 39 + 7, size), consistencyPath(2 ** 39 + 7, size)]) {
      expect(path.length).toBeLessThanOrEqual(42);
      expect(path.flatMap(completeNodes).length).toBeLessThan(100);
    }
  });
});
