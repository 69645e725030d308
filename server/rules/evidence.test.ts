/** Tests of the manifest and the digest of the evidence behind a decision. */
import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, type Json } from '../base/canonical-json.ts';
import {
  type EvidenceChange,
  evidenceChanges,
  evidenceDigest,
  type EvidenceItem,
  evidenceItem,
  type EvidenceManifest,
  evidenceManifest,
} from './evidence.ts';

interface Held {
  readonly subject: EvidenceManifest['subject'];
  readonly environment: EvidenceManifest['environment'];
  readonly items: readonly EvidenceItem[];
}

interface Case {
  readonly id: string;
  readonly title: string;
  readonly input: Held;
  readonly inputAfter?: Held;
  readonly expect: {
    readonly canonical: string;
    readonly digest: string;
    readonly canonicalAfter?: string;
    readonly digestAfter?: string;
    readonly changed?: readonly EvidenceChange[];
  };
}

/**
 * Vectors of two independent implementations, which are beside the project in its development environment. Without
 * them, the worked example and the properties below replace them.
 */
const VECTORS = new URL('../../../shared/vectors/digest/', import.meta.url);
function vectors<T>(file: string): readonly T[] {
  const text = existsSync(VECTORS) ? readFileSync(new URL(`${file}.json`, VECTORS), 'utf8') : '{}';
  return (JSON.parse(text) as Readonly<Record<string, readonly T[]>>)[file] ?? [];
}

const cases = vectors<Case>('cases');
const views = vectors<{ title: string; view: object; hash: string }>('views');
const manifestOf = ({ subject, environment, items }: Held) => evidenceManifest(subject, environment, items);
const canonical = (manifest: EvidenceManifest) => canonicalJson(manifest);

describe('a manifest of evidence', () => {
  it('has the hashes and digests that an implementation in another language computes', () => {
    // The values were computed in Python: sorted members, no spaces, SHA-256.
    const subject = { kind: 'application', id: '0197f2c4-8a10-7c3e-9f52-2b6d1c7e4a01' } as const;
    const passport = evidenceItem('document', '0197f2c9-02bc-7f10-9a6e-3c5d8e7f1b32', {
      type: 'passport',
      side: 'single',
      country: 'BR',
      expiresOn: null,
      status: 'uploaded',
      sha256: 'ab'.repeat(32),
    });
    const policy = {
      kind: 'policy',
      id: 'decisionPolicy',
      version: 3,
      hash: null,
    } as const;
    expect(passport.hash).toBe('9f9a07d2c918977de946c6c7fc667279a6f0ae9768695fe5a340c31a9705e575');
    expect(evidenceDigest(evidenceManifest(subject, 'sandbox', []))).toBe(
      'sha256:9a91918f6d74ca19f3fc0697a8963b1c9809debad52cc07e532c18c494523187',
    );
    expect(evidenceDigest(evidenceManifest(subject, 'sandbox', [policy, passport]))).toBe(
      'sha256:fb212c082b77a46034cf74177a6dff6acbd844f43392dcd50e8617d3a36895af',
    );
  });

  it.each(cases)('has the canonical form and the digest of the vector $id: $title', ({ input, expect: expected }) => {
    const manifest = manifestOf(input);
    expect([canonical(manifest), evidenceDigest(manifest)]).toEqual([expected.canonical, expected.digest]);
  });

  it.each(cases.flatMap(({ inputAfter, ...vector }) => (inputAfter === undefined ? [] : [{ ...vector, inputAfter }])))(
    'differs from the one before as in the vector $id: $title',
    ({ input, inputAfter, expect: expected }) => {
      const after = manifestOf(inputAfter);
      expect([canonical(after), evidenceDigest(after)]).toEqual([expected.canonicalAfter, expected.digestAfter]);
      expect(evidenceChanges(manifestOf(input), after)).toEqual(expected.changed);
    },
  );

  it.each(views)('hashes the content of an item as in the vector: $title', ({ view, hash }) => {
    expect(evidenceItem('applicant', 'a', view)).toEqual({
      kind: 'applicant',
      id: 'a',
      version: null,
      hash,
    });
  });

  it('has each item once, and can be compared only with manifests of the same subject', () => {
    const subject = { kind: 'application', id: 'a' } as const;
    const item = evidenceItem('document', 'd', {});
    expect(() => evidenceManifest(subject, 'live', [item, item])).toThrow('document d is in the manifest twice');
    const own = evidenceManifest(subject, 'live', [item]);
    for (const other of [
      evidenceManifest({ ...subject, id: 'b' }, 'live', [item]),
      evidenceManifest(subject, 'sandbox', [item]),
    ]) {
      expect(() => evidenceChanges(own, other)).toThrow(TypeError);
    }
  });
});

const kinds = ['applicant', 'consent', 'document', 'policy'] as const;
const item = fc.record({
  kind: fc.constantFrom(...kinds),
  id: fc.constantFrom('1', '10', '2', 'é', '\u{1F600}'),
  version: fc.option(fc.nat(3)),
  hash: fc.option(fc.constantFrom('0'.repeat(64), 'f'.repeat(64))),
});
const items = fc.uniqueArray(item, { selector: ({ kind, id }) => `${kind} ${id}`, maxLength: 12 });
const of = (held: readonly EvidenceItem[]) => evidenceManifest({ kind: 'application', id: 'a' }, 'live', held);

/** Returns the items without their order in the list. */
const saidBy = (held: readonly EvidenceItem[]): string[] =>
  held.map(({ kind, id, version, hash }) => JSON.stringify([kind, id, version, hash])).sort();

describe('the digest', () => {
  it('changes exactly if an item of evidence changes, and the change is then listed', () => {
    fc.assert(
      fc.property(items, items, (before, after) => {
        const isSame = JSON.stringify(saidBy(before)) === JSON.stringify(saidBy(after));
        expect(evidenceDigest(of(before)) === evidenceDigest(of(after))).toBe(isSame);
        expect(evidenceChanges(of(before), of(after)).length === 0).toBe(isSame);
      }),
    );
  });

  it('does not depend on the order of the evidence', () => {
    fc.assert(
      fc.property(
        items.chain((held) => fc.tuple(fc.constant(held), fc.shuffledSubarray(held, { minLength: held.length }))),
        ([held, shuffled]) => {
          expect(evidenceDigest(of(shuffled))).toBe(evidenceDigest(of(held)));
          expect(evidenceChanges(of(held), of(shuffled))).toEqual([]);
        },
      ),
    );
  });

  it('is accompanied by changes that lead from one manifest to the other', () => {
    fc.assert(
      fc.property(items, items, (before, after) => {
        const result = new Map(of(before).items.map((one) => [`${one.kind} ${one.id}`, one]));
        for (const { kind, id, after: now } of evidenceChanges(of(before), of(after))) {
          if (now === null) result.delete(`${kind} ${id}`);
          else result.set(`${kind} ${id}`, { kind, id, ...now });
        }
        expect(saidBy([...result.values()])).toEqual(saidBy(after));
      }),
    );
  });

  it('changes with every member of an item, but not with the order of its members', () => {
    const view = fc.dictionary(
      fc.string({ unit: 'grapheme', maxLength: 6 }),
      fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.boolean(), fc.constant(null)),
      { maxKeys: 6 },
    );
    fc.assert(
      fc.property(view, view, (one, other) => {
        const [a, b] = [one, other].map((said) => of([evidenceItem('document', 'd', said)]));
        const sameMembers = canonicalJson(one as Json) === canonicalJson(other as Json);
        expect(evidenceDigest(a!) === evidenceDigest(b!)).toBe(sameMembers);
        expect(evidenceItem('document', 'd', Object.fromEntries(Object.entries(one).reverse()))).toEqual(
          evidenceItem('document', 'd', one),
        );
      }),
    );
  });
});
