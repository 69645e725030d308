/**
 * The limits that the contract sets for the body of each operation, from generated data. Used by receiving and by the
 * check of JSON before parsing. A limit that is too small refuses valid bodies; one that is too large lets a hostile
 * body cost much.
 */
import * as generated from '../contract/generated/body-limits.ts';

/** Upper bounds that the schema sets for one value of a body. */
export interface BodyShape {
  /** Maximum number of characters of a text; undefined if the schema has no bound. */
  readonly text: number | undefined;
  readonly array: { readonly most: number; readonly each: BodyShape } | null;
  readonly object: {
    readonly most: number;
    readonly members: ReadonlyMap<string, BodyShape>;
    readonly each: BodyShape | null;
    /** Maximum number of bytes of the text of the object (`x-max-bytes`); undefined if it follows from its members. */
    readonly bytes: number | undefined;
  } | null;
}

export interface BodyLimits {
  readonly bytes: number;
  readonly shape: BodyShape;
}

type GeneratedShape =
  | string
  | {
      readonly text?: number;
      readonly items?: number;
      readonly each?: GeneratedShape;
      readonly members?: Readonly<Record<string, GeneratedShape>>;
      readonly entries?: number;
      readonly bytes?: number;
    };

/** Shapes that are generated from the contract; a string refers to the shape of that name. */
interface Generated {
  readonly bodyLimits: Readonly<Record<string, { readonly bytes: number; readonly shape: string }>>;
  readonly shapes: Readonly<Record<string, GeneratedShape>>;
}

/**
 * Returns the limits that the contract sets for the body of an operation, or null if the operation takes no body or a
 * file.
 */
export function bodyLimitsOf(operationId: string, { bodyLimits, shapes }: Generated = generated): BodyLimits | null {
  const limits = bodyLimits[operationId];
  return limits === undefined ? null : { bytes: limits.bytes, shape: new Linker(shapes).resolve(limits.shape) };
}

/**
 * Replaces names by the shapes that they stand for. A shape may hold itself, so each is found before it is complete.
 */
class Linker {
  readonly #shapes: Generated['shapes'];
  readonly #linked = new Map<string, BodyShape>();

  constructor(shapes: Generated['shapes']) {
    this.#shapes = shapes;
  }

  resolve(shapeOrName: GeneratedShape): BodyShape {
    if (typeof shapeOrName !== 'string') return this.#link(shapeOrName);
    const linked = this.#linked.get(shapeOrName);
    if (linked !== undefined) return linked;
    const shape: BodyShape = { text: undefined, array: null, object: null };
    this.#linked.set(shapeOrName, shape);
    return Object.assign(shape, this.resolve(this.#shapes[shapeOrName] as GeneratedShape));
  }

  #link({ text, items, each, members, entries, bytes }: Exclude<GeneratedShape, string>): BodyShape {
    const below = each === undefined ? null : this.resolve(each);
    const known = new Map(Object.entries(members ?? {}).map(([name, member]) => [name, this.resolve(member)]));
    return {
      text,
      array: items === undefined || below === null ? null : { most: items, each: below },
      object:
        members === undefined && entries === undefined
          ? null
          : {
              most: known.size + (entries ?? 0),
              members: known,
              each: entries === undefined ? null : below,
              bytes,
            },
    };
  }
}
