/** Tests of the sealed cursors that mark a consumer's position in the feed. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Consumer, FeedCursors } from './cursor.ts';

const cursors = new FeedCursors(Buffer.alloc(32, 7));
const consumer: Consumer = {
  tenantId: '0197f2c4-8a0f-7b1d-8c44-91d0e3f5b602',
  environment: 'live',
  id: 'client:kyc_live_7Hq2ZtK9',
};

describe('feed cursors', () => {
  it('return every position unchanged, always as the same 48 characters', () => {
    fc.assert(
      fc.property(fc.nat({ max: 2 ** 31 - 1 }), fc.integer({ min: 0, max: 2 ** 48 - 1 }), (generation, sequence) => {
        const cursor = cursors.encode(consumer, { generation, sequence });
        expect(cursor).toMatch(/^[A-Za-z0-9_-]{48}$/);
        expect(cursors.encode(consumer, { generation, sequence })).toBe(cursor);
        expect(cursors.decode(consumer, cursor)).toEqual({ generation, sequence });
      }),
    );
  });

  it('survive more resets than two bytes can count', () => {
    const at = (generation: number) => cursors.encode(consumer, { generation, sequence: 42 });
    expect(cursors.decode(consumer, at(65_536))).toEqual({ generation: 65_536, sequence: 42 });
    expect(at(65_537)).not.toBe(at(1));
  });

  it.each([
    ['another tenant', { ...consumer, tenantId: '0197f2c4-8a0f-7b1d-8c44-91d0e3f5b603' }],
    ['another environment', { ...consumer, environment: 'sandbox' as const }],
    ['another consumer', { ...consumer, id: 'user:0197f2c4-8a10-7c3e-9f52-2b6d1c7e4a01' }],
  ])('are refused when presented by %s', (_whose, other) => {
    const cursor = cursors.encode(other, { generation: 1, sequence: 42 });
    expect(() => cursors.decode(consumer, cursor)).toThrow(expect.objectContaining({ code: 'invalid_cursor' }));
  });

  it('are refused if any single bit is changed', () => {
    const bytes = Buffer.from(cursors.encode(consumer, { generation: 1, sequence: 42 }), 'base64url');
    expect(bytes.length).toBeGreaterThan(32);
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const forged = Buffer.from(bytes);
      forged[bit >> 3] = forged[bit >> 3]! ^ (1 << (bit & 7));
      expect(() => cursors.decode(consumer, forged.toString('base64url'))).toThrow(
        expect.objectContaining({ code: 'invalid_cursor' }),
      );
    }
  });

  it('are refused if they were made with another key', () => {
    const stranger = new FeedCursors(Buffer.alloc(32, 8)).encode(consumer, { generation: 1, sequence: 42 });
    expect(() => cursors.decode(consumer, stranger)).toThrow(expect.objectContaining({ code: 'invalid_cursor' }));
  });

  it.each(['', 'null', 'undefined', 'x'.repeat(512), `${'A'.repeat(48)}=`, 'é'.repeat(48)])('refuse %j', (text) => {
    expect(() => cursors.decode(consumer, text)).toThrow(expect.objectContaining({ code: 'invalid_cursor' }));
  });
});
