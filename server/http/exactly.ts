/**
 * Passes a stream on only if it has as many bytes as were announced. After fewer, the client would take the next answer
 * on the connection for the rest; more would be taken for an answer. The last piece waits for the end of the source: a client
 * that has everything may hang up, and must not be taken for one that left early.
 */
export function exactly(length: number): (source: AsyncIterable<Uint8Array>) => AsyncGenerator<Uint8Array> {
  return async function* (source) {
    let left = length;
    let held: Uint8Array | null = null;
    for await (const chunk of source) {
      left -= chunk.length;
      if (left < 0) throw new WrongLength('a body is longer than was announced');
      if (held !== null) yield held;
      held = chunk;
    }
    if (left > 0) throw new WrongLength('a body is shorter than was announced');
    if (held !== null) yield held;
  };
}

class WrongLength extends Error {
  override readonly name = 'WrongLength';
}
