import { describe, expect, it } from 'vitest';
import type { KeyLife } from '../../http/key-life.ts';
import { assertAlive, assertNotRotating, graceEnd } from './life.ts';

const now = new Date('2026-11-03T12:00:00.000Z');
const [past, future] = ['2026-11-03T11:59:59.999Z', '2026-11-03T12:00:00.001Z'];
const active: KeyLife = { status: 'active', endsAt: null };
const rotating: KeyLife = { status: 'rotating', endsAt: future };

describe('a key', () => {
  it('cannot be changed after its end', () => {
    expect(() => assertAlive({ ...active, status: 'revoked' }, now)).toThrow('key_revoked');
    expect(() => assertAlive({ ...active, endsAt: past }, now)).toThrow('key_revoked');
    expect(() => assertAlive(rotating, now)).not.toThrow();
  });

  it('rotates once at a time', () => {
    expect(() => assertNotRotating(rotating, now)).toThrow('rotation_in_progress');
    expect(() => assertNotRotating(active, now)).not.toThrow();
    expect(() => assertNotRotating({ ...rotating, endsAt: past }, now)).not.toThrow();
  });

  it('has its grace counted in hours', () => {
    expect(graceEnd(now, 48)).toEqual(new Date('2026-11-05T12:00:00.000Z'));
  });
});
