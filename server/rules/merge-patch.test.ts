/** Tests of the JSON merge patch (RFC 7396). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JsonValue, mergePatch, mergePatchKeepingNull, withoutNulls } from './merge-patch.ts';

describe('a merge patch', () => {
  // The test cases of RFC 7396, appendix A.
  it.each([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('of %j by %j gives %j', (target, patch, result) => expect(mergePatch(target, patch)).toEqual(result));

  it('treats __proto__ as data', () => {
    const merged = mergePatch({}, JSON.parse('{"__proto__": {"polluted": true}}')) as object;
    expect(Object.hasOwn(merged, '__proto__')).toBe(true);
    expect((merged as { polluted?: boolean }).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
  });

  it('does not change its arguments', () => {
    const target = { a: { b: 1 } };
    mergePatch(target, { a: { b: 2 } });
    expect(target).toEqual({ a: { b: 1 } });
  });
});

it('removes nothing if null represents an absent member', () => {
  expect(withoutNulls({ a: null, b: { c: null, d: [null, { e: null }] } })).toEqual({ b: { d: [null, { e: null }] } });
});

const name = fc.constantFrom('a', 'b', 'c', '__proto__', 'toString');
const { value: json } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, 0, 'x'),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));
const document = fc.dictionary(name, json, { maxKeys: 3, noNullPrototype: true });

describe('a patch over a document', () => {
  it('replaces lists and single values as a whole, and merges objects recursively', () => {
    expect(mergePatchKeepingNull({ a: { b: [1, 2], c: 1 }, d: 1 }, { a: { b: [3] } })).toEqual({
      a: { b: [3], c: 1 },
      d: 1,
    });
    expect(mergePatchKeepingNull({ a: null }, { a: { b: 1 } })).toEqual({ a: { b: 1 } });
  });

  it('clears members with null and removes none', () => {
    expect(mergePatchKeepingNull({ a: { b: 1 }, c: 2 }, { a: null })).toEqual({ a: null, c: 2 });
  });

  it('does not change its arguments', () => {
    fc.assert(
      fc.property(document, document, (base, patch) => {
        const before = JSON.stringify([base, patch]);
        mergePatchKeepingNull(base, patch);
        expect(JSON.stringify([base, patch])).toBe(before);
      }),
    );
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(document, document, (base, patch) => {
        const once = mergePatchKeepingNull(base, patch);
        expect(mergePatchKeepingNull(once, patch)).toEqual(once);
      }),
    );
  });

  it('is associative, so the changes of a tenant can be stored separately', () => {
    fc.assert(
      fc.property(document, document, document, (defaults, own, patch) => {
        // If an earlier value has replaced an object, the defaults below that object are lost.
        fc.pre(sameShape(defaults, own) && sameShape(defaults, patch) && sameShape(own, patch));
        expect(mergePatchKeepingNull(defaults, mergePatchKeepingNull(own, patch))).toEqual(
          mergePatchKeepingNull(mergePatchKeepingNull(defaults, own), patch),
        );
      }),
    );
  });

  it('does not change members that it does not name', () => {
    fc.assert(
      fc.property(document, document, (base, patch) => {
        const result = mergePatchKeepingNull(base, patch) as Record<string, JsonValue>;
        for (const member of Object.keys(base))
          if (!Object.hasOwn(patch, member)) expect(result[member]).toEqual(base[member]);
        expect(Object.keys(result).sort()).toEqual([...new Set([...Object.keys(base), ...Object.keys(patch)])].sort());
      }),
    );
  });
});

/**
 * Tells whether both values have objects at the same positions, as the contract guarantees for every member of the
 * settings except amounts.
 */
function sameShape(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (one === undefined || other === undefined) return true;
  const [left, right] = [kind(one), kind(other)];
  if (left !== right) return false;
  return (
    left !== 'object' ||
    Object.keys(one as object).every((member) =>
      sameShape((one as Record<string, JsonValue>)[member], own(other as object, member)),
    )
  );
}

function own(value: object, member: string): JsonValue | undefined {
  return Object.hasOwn(value, member) ? (value as Record<string, JsonValue>)[member] : undefined;
}

function kind(value: JsonValue): 'object' | 'leaf' {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? 'object' : 'leaf';
}
