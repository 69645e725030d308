/**
 * Passes a stream on only if it has as many bytes as were announced. After fewer, the client would take the next answer
 * on the connection for the rest; more would be taken for an answer.
 */
export function exactly(length: number): (source: AsyncIterable<Uint8Array>) => AsyncGenerator<Uint8Array> {
  return async function* (source) {
    let left = length;
    for await (const chunk of source) {
      left -= chunk.length;
      if (left < 0) throw new WrongLength('a body is longer than was announced');
      yield chunk;
    }
    if (left > 0) throw new WrongLength('a body is shorter than was announced');
  };
}

class WrongLength extends Error {
  override readonly name = 'WrongLength';
}
