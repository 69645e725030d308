/** Tests of encrypted files. */
import { createSecretKey, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSealed, sealFile, Unsealing } from './sealed-file.ts';

const key = createSecretKey(randomBytes(32));
const CHUNK = 65_536;

/** Opens a sealed file that arrives in pieces of any size. */
function opened(sealed: Buffer, { owner = 'a', as = key, piece = 10_007 } = {}): Promise<Buffer> {
  const pieces = Array.from({ length: Math.ceil(sealed.length / piece) }, (_, index) =>
    sealed.subarray(index * piece, (index + 1) * piece),
  );
  const source = Readable.from(pieces);
  const unsealing = new Unsealing(as, owner);
  return buffer(source.pipe(unsealing));
}

describe('a sealed file', () => {
  it.each([0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 20 * CHUNK + 5])(
    'of %d bytes opens to the sealed content, whatever the size of the pieces',
    async (length) => {
      const content = randomBytes(length);
      const sealed = await sealFile(key, 'a', content);
      for (const piece of [1_000, CHUNK, CHUNK + 16, 5_000_000])
        expect((await opened(sealed, { piece })).equals(content)).toBe(true);
    },
  );

  it('reveals nothing of its content, and differs each time', async () => {
    const content = Buffer.alloc(3 * CHUNK, 'The same words again and again. ');
    const [one, other] = [await sealFile(key, 'a', content), await sealFile(key, 'a', content)];
    expect(one.includes('same words')).toBe(false);
    expect(one.equals(other)).toBe(false);
    expect([isSealed(one), isSealed(content), isSealed(Buffer.alloc(0))]).toEqual([true, false, false]);
  });

  it('opens only with its own key and for its own owner', async () => {
    const sealed = await sealFile(key, 'a', Buffer.from('content'));
    await expect(opened(sealed, { owner: 'b' })).rejects.toThrow();
    await expect(opened(sealed, { as: createSecretKey(randomBytes(32)) })).rejects.toThrow();
    await expect(opened(Buffer.from('never sealed, but longer than the header of a sealed file'))).rejects.toThrow(
      'not sealed',
    );
  });

  it('does not open if any bit is changed', async () => {
    const content = randomBytes(CHUNK + 100);
    const sealed = await sealFile(key, 'a', content);
    await fc.assert(
      fc.asyncProperty(fc.nat(sealed.length - 1), fc.nat(7), async (at, bit) => {
        const changed = Buffer.from(sealed);
        changed[at]! ^= 1 << bit;
        await expect(opened(changed)).rejects.toThrow();
      }),
      { numRuns: 60 },
    );
  });

  it('does not open if it is truncated, also between two chunks, or if chunks are swapped or repeated', async () => {
    const sealed = await sealFile(key, 'a', randomBytes(3 * CHUNK));
    const [header, whole] = [40, CHUNK + 16];
    const chunk = (index: number): Buffer => sealed.subarray(header + index * whole, header + (index + 1) * whole);
    const begin = sealed.subarray(0, header);
    for (const changed of [
      sealed.subarray(0, 0),
      sealed.subarray(0, 20),
      begin,
      sealed.subarray(0, header + whole),
      sealed.subarray(0, header + 2 * whole),
      sealed.subarray(0, sealed.length - 1),
      Buffer.concat([begin, chunk(1), chunk(0), chunk(2)]),
      Buffer.concat([begin, chunk(0), chunk(0), chunk(1), chunk(2)]),
      Buffer.concat([begin, chunk(2)]),
      Buffer.concat([sealed, chunk(2)]),
    ])
      await expect(opened(changed)).rejects.toThrow();
  });
});
