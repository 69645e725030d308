import * as generated from '../contract/generated/body-limits.ts';

/** What a body may hold at one place: a bound from above on what the schema there allows. */
export interface Shape {
  /** The most characters of a text; undefined where there is none to bound. */
  readonly text: number | undefined;
  readonly array: { readonly most: number; readonly each: Shape } | null;
  readonly object: { readonly most: number; readonly members: ReadonlyMap<string, Shape>; readonly each: Shape | null } | null;
}

export interface BodyLimits {
  readonly bytes: number;
  readonly shape: Shape;
}

type Place = string | {
  readonly text?: number;
  readonly items?: number;
  readonly each?: Place;
  readonly members?: Readonly<Record<string, Place>>;
  readonly entries?: number;
};

/** What is generated of a contract: a name in a place stands for the shape of that name. */
interface Generated {
  readonly bodyLimits: Readonly<Record<string, { readonly bytes: number; readonly shape: string }>>;
  readonly shapes: Readonly<Record<string, Place>>;
}

/** What the contract allows the body of an operation to be; null when it has none, or a file. */
export function limitsOf(operationId: string, { bodyLimits, shapes }: Generated = generated): BodyLimits | null {
  const limits = bodyLimits[operationId];
  return limits === undefined ? null : { bytes: limits.bytes, shape: new Linker(shapes).at(limits.shape) };
}

class Linker {
  readonly #shapes: Generated['shapes'];
  readonly #linked = new Map<string, Shape>();

  constructor(shapes: Generated['shapes']) {
    this.#shapes = shapes;
  }

  at(place: Place): Shape {
    if (typeof place !== 'string') return this.#link(place);
    const shape = this.#linked.get(place) ?? this.at(this.#shapes[place] as Place);
    this.#linked.set(place, shape);
    return shape;
  }

  #link({ text, items, each, members, entries }: Exclude<Place, string>): Shape {
    const below = each === undefined ? null : this.at(each);
    const known = new Map(Object.entries(members ?? {}).map(([name, member]) => [name, this.at(member)]));
    return {
      text,
      array: items === undefined || below === null ? null : { most: items, each: below },
      object: members === undefined && entries === undefined ? null
        : { most: known.size + (entries ?? 0), members: known, each: entries === undefined ? null : below },
    };
  }
}
