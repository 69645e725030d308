/**
 * Typed arrays in one buffer: threads share it without a copy, and it is stored as one file. Used by the index. A
 * buffer that does not begin like an index is refused; collisions of hashes are resolved by comparing.
 */
const TYPES = {
  Uint8Array: (buffer: SharedArrayBuffer, at: number, length: number) => new Uint8Array(buffer, at, length),
  Uint16Array: (buffer: SharedArrayBuffer, at: number, length: number) => new Uint16Array(buffer, at, length),
  Uint32Array: (buffer: SharedArrayBuffer, at: number, length: number) => new Uint32Array(buffer, at, length),
  Float32Array: (buffer: SharedArrayBuffer, at: number, length: number) => new Float32Array(buffer, at, length),
} as const;
type TypeName = keyof typeof TYPES;
export type Section = Uint8Array | Uint16Array | Uint32Array | Float32Array;
export type Sections = Readonly<Record<string, Section>>;

const MAGIC = 0x5c4ee41d;
const aligned = (bytes: number): number => Math.ceil(bytes / 8) * 8;

export function pack(sections: Sections): SharedArrayBuffer {
  const table = Object.entries(sections).map(([name, array]) => ({
    name,
    type: array.constructor.name as TypeName,
    length: array.length,
    bytes: array.byteLength,
  }));
  const header = new TextEncoder().encode(JSON.stringify(table));
  const start = aligned(8 + header.length);
  const buffer = new SharedArrayBuffer(table.reduce((end, { bytes }) => end + aligned(bytes), start));
  new Uint32Array(buffer, 0, 2).set([MAGIC, header.length]);
  new Uint8Array(buffer).set(header, 8);
  let at = start;
  for (const { name, bytes } of table) {
    const { buffer: from, byteOffset } = sections[name]!;
    new Uint8Array(buffer).set(new Uint8Array(from, byteOffset, bytes), at);
    at += aligned(bytes);
  }
  return buffer;
}

export function unpack<Name extends string>(buffer: SharedArrayBuffer): Readonly<Record<Name, Section>> {
  const [magic, length = 0] = new Uint32Array(buffer, 0, 2);
  if (magic !== MAGIC) throw new Error('the buffer does not begin like an index of names');
  const table = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, length).slice())) as {
    name: Name;
    type: TypeName;
    length: number;
    bytes: number;
  }[];
  let at = aligned(8 + length);
  return Object.fromEntries(
    table.map(({ name, type, length: count, bytes }) => {
      const section = TYPES[type](buffer, at, count);
      at += aligned(bytes);
      return [name, section];
    }),
  ) as Record<Name, Section>;
}

/** Returns the 32-bit FNV-1a hash of a text. Entries found by hash are compared, so a collision only costs time. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/** Sorted pairs of a hash and a number, so that the numbers of one hash are adjacent. */
export class HashPairs {
  #pairs = new BigUint64Array(1024);
  #length = 0;

  add(hash: number, value: number): void {
    if (this.#length === this.#pairs.length) {
      const larger = new BigUint64Array(this.#length * 2);
      larger.set(this.#pairs);
      this.#pairs = larger;
    }
    this.#pairs[this.#length++] = (BigInt(hash) << 32n) | BigInt(value);
  }

  /** Returns each pair once. */
  sorted(): { hashes: Uint32Array; values: Uint32Array } {
    const sorted = this.#pairs.slice(0, this.#length).sort();
    const halves = new Uint32Array(sorted.buffer, 0, this.#length * 2);
    const hashes = new Uint32Array(this.#length);
    const values = new Uint32Array(this.#length);
    let count = 0;
    for (let index = 0; index < this.#length; index++) {
      const [value, hash] = [halves[2 * index]!, halves[2 * index + 1]!];
      if (count > 0 && hashes[count - 1] === hash && values[count - 1] === value) continue;
      hashes[count] = hash;
      values[count++] = value;
    }
    return { hashes: hashes.slice(0, count), values: values.slice(0, count) };
  }
}

/** Returns the values of a hash. */
export function valuesOf(hashes: Uint32Array, values: Uint32Array, hash: number): Uint32Array {
  const bound = (isBefore: (found: number) => boolean): number => {
    let [low, high] = [0, hashes.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(hashes[middle]!)) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const from = bound((found) => found < hash);
  if (hashes[from] !== hash) return values.subarray(0, 0);
  let to = from + 1;
  while (to < hashes.length && hashes[to] === hash) to++;
  return values.subarray(from, to);
}
