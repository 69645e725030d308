/** Tests of the encryption of single values. */
import { describe, expect, it } from 'vitest';
import { seal, unseal } from './seal.ts';

const key = Buffer.alloc(32, 1);
const content = Buffer.from('12345678901234567890');

describe('a sealed value', () => {
  it('opens with its key for its owner', () => {
    expect(unseal(key, 'ana', seal(key, 'ana', content))).toEqual(content);
  });

  it('differs each time and reveals nothing', () => {
    const sealed = seal(key, 'ana', content);
    expect(seal(key, 'ana', content)).not.toEqual(sealed);
    expect(sealed.includes(content)).toBe(false);
  });

  it('does not open for another owner, with another key, or after a change', () => {
    const sealed = seal(key, 'ana', content);
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(20) ^ 1, 20);
    expect(() => unseal(key, 'bob', sealed)).toThrow();
    expect(() => unseal(Buffer.alloc(32, 2), 'ana', sealed)).toThrow();
    expect(() => unseal(key, 'ana', changed)).toThrow();
    expect(() => unseal(key, 'ana', sealed.subarray(0, 20))).toThrow();
    expect(() => unseal(key, 'ana', sealed.subarray(0, 4))).toThrow();
  });
});
