import { describe, expect, it } from 'vitest';
import { assertAlive, assertNotRotating, graceEnd, statusOf, type KeyLife } from './life.ts';

const now = new Date('2026-11-03T12:00:00.000Z');
const past = new Date(now.getTime() - 1);
const future = new Date(now.getTime() + 1);
const active: KeyLife = { state: 'active', expiresAt: null, graceUntil: null };
const rotating: KeyLife = { state: 'rotating', expiresAt: null, graceUntil: future };

describe('a key', () => {
  it('is active until its expiry', () => {
    expect(statusOf(active, now)).toBe('active');
    expect(statusOf({ ...active, expiresAt: future }, now)).toBe('active');
    expect(statusOf({ ...active, expiresAt: now }, now)).toBe('expired');
  });

  it('rotates until its grace is over', () => {
    expect(statusOf(rotating, now)).toBe('rotating');
    expect(statusOf({ ...rotating, graceUntil: past }, now)).toBe('expired');
    expect(statusOf({ ...rotating, expiresAt: past }, now)).toBe('expired');
  });

  it('stays revoked, whatever its dates', () => {
    expect(statusOf({ ...active, state: 'revoked', expiresAt: past }, now)).toBe('revoked');
  });

  it('cannot be changed after its end', () => {
    expect(() => assertAlive({ ...active, state: 'revoked' }, now)).toThrow('key_revoked');
    expect(() => assertAlive({ ...active, expiresAt: past }, now)).toThrow('key_revoked');
    expect(() => assertAlive(rotating, now)).not.toThrow();
  });

  it('rotates once at a time', () => {
    expect(() => assertNotRotating(rotating, now)).toThrow('rotation_in_progress');
    expect(() => assertNotRotating(active, now)).not.toThrow();
  });

  it('has its grace counted in hours', () => {
    expect(graceEnd(now, 48)).toEqual(new Date('2026-11-05T12:00:00.000Z'));
  });
});
