import { describe, expect, it } from 'vitest';
import { seal, unseal } from './sealed-secret.ts';

const key = Buffer.alloc(32, 1);
const secret = Buffer.from('12345678901234567890');

describe('a sealed secret', () => {
  it('opens with its key for its user', () => {
    expect(unseal(key, 'ana', seal(key, 'ana', secret))).toEqual(secret);
  });

  it('looks different each time and shows nothing', () => {
    const sealed = seal(key, 'ana', secret);
    expect(seal(key, 'ana', secret)).not.toEqual(sealed);
    expect(sealed.includes(secret)).toBe(false);
  });

  it('opens for nobody else, with no other key, and not when it was changed', () => {
    const sealed = seal(key, 'ana', secret);
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(20) ^ 1, 20);
    expect(() => unseal(key, 'bob', sealed)).toThrow();
    expect(() => unseal(Buffer.alloc(32, 2), 'ana', sealed)).toThrow();
    expect(() => unseal(key, 'ana', changed)).toThrow();
    expect(() => unseal(key, 'ana', sealed.subarray(0, 20))).toThrow();
  });
});
