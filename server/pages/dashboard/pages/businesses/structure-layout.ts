/**
 * Places the companies of a structure for its drawing (structure.tsx): layer by layer below the company that they own,
 * in lines that a page can show. Owners of one company only are rows in its box. Where a layer is too wide, branches
 * fold: a company that owns one company, and whose owners are rows, becomes a row with its owners below it.
 */
import type { Schemas } from '../../core/api.ts';
import { ROOT } from './owner-rows.ts';

export type Edge = Pick<Schemas['OwnershipEdge'], 'owner' | 'owned' | 'capitalPercent' | 'validFrom' | 'validTo'>;

export const WIDTH = 220;
export const [HEAD, ROW, PAD, GAP_X, GAP_Y] = [30, 18, 8, 24, 48];
/** Beyond these, nobody reads the drawing, and the table stands alone. */
const [MOST_PARTIES, MOST_LINES] = [200, 400];
/** Boxes that stand side by side, and those of a layer beyond which its branches fold. */
const [BESIDE, MOST_IN_LAYER] = [6, 18];
/** Rows below rows, so that a folded branch can still be read. */
const DEEPEST = 4;
/** Times that the order within the layers is improved. */
const SWEEPS = 4;

export interface Row {
  readonly edge: Edge;
  /** Number of companies between the owner and the box. */
  readonly depth: number;
}

export interface Box {
  readonly key: string;
  readonly rows: readonly Row[];
  readonly height: number;
  readonly x: number;
  readonly y: number;
}

export interface Drawing {
  readonly boxes: readonly Box[];
  /** Holdings between boxes. */
  readonly lines: readonly Edge[];
  readonly width: number;
  readonly height: number;
}

/**
 * Returns the drawing of a structure as it is on a day, or null if nobody could read it. A party may have held a part
 * of the same company before: on one day there is one such holding.
 */
export function layOut(recorded: readonly Edge[], day: string): Drawing | null {
  const edges = recorded.filter(
    ({ validFrom, validTo }) => (validFrom == null || validFrom <= day) && (validTo == null || day <= validTo),
  );
  const parties = new Set(edges.flatMap(({ owner, owned }) => [owner, owned]));
  if (parties.size > MOST_PARTIES + 1) return null;
  const structure = new Structure(edges);
  let layers = structure.layers();
  while (layers.some((layer) => layer.length > MOST_IN_LAYER) && structure.fold(layers)) layers = structure.layers();
  const lines = structure.lines();
  if (lines.length > MOST_LINES) return null;
  return placed(structure, ordered(layers, lines), lines);
}

/** Holdings, and the owners that are rows in the box of what they own. */
class Structure {
  readonly #edges: readonly Edge[];
  readonly #into: ReadonlyMap<string, readonly Edge[]>;
  readonly #ownedBy: ReadonlyMap<string, ReadonlySet<string>>;
  /** Owners that are rows, with the number of rows that can be below one another there. */
  readonly #rows = new Map<string, number>();

  constructor(edges: readonly Edge[]) {
    this.#edges = edges;
    this.#into = Map.groupBy(edges, ({ owned }) => owned);
    const from = Map.groupBy(edges, ({ owner }) => owner);
    this.#ownedBy = new Map([...from].map(([owner, held]) => [owner, new Set(held.map(({ owned }) => owned))]));
    for (const owner of from.keys()) if (!this.#into.has(owner) && this.#ownsOne(owner)) this.#rows.set(owner, 1);
  }

  #ownsOne(owner: string): boolean {
    return owner !== ROOT && this.#ownedBy.get(owner)?.size === 1;
  }

  lines(): Edge[] {
    return this.#edges.filter(({ owner, owned }) => !this.#rows.has(owner) && !this.#rows.has(owned));
  }

  /** Returns the boxes, each below the nearest one that it owns a part of. */
  layers(): string[][] {
    const layers: string[][] = [];
    const found = new Set([ROOT]);
    for (let layer = [ROOT]; layer.length > 0; ) {
      layers.push(layer);
      const next: string[] = [];
      for (const key of layer)
        for (const { owner } of this.#into.get(key) ?? []) {
          if (found.has(owner) || this.#rows.has(owner)) continue;
          found.add(owner);
          next.push(owner);
        }
      layer = next;
    }
    return layers;
  }

  /** Folds the branches of layers that are too wide. Tells whether there were some. */
  fold(layers: readonly (readonly string[])[]): boolean {
    const keys = layers.flatMap((layer, index) =>
      layer.length > MOST_IN_LAYER || (layers[index - 1]?.length ?? 0) > MOST_IN_LAYER ? layer : [],
    );
    const foldable = keys.flatMap((key) => {
      const depths = (this.#into.get(key) ?? []).map(({ owner }) => this.#rows.get(owner) ?? Infinity);
      const depth = 1 + Math.max(0, ...depths);
      return this.#ownsOne(key) && depth <= DEEPEST ? [[key, depth] as const] : [];
    });
    for (const [key, depth] of foldable) this.#rows.set(key, depth);
    return foldable.length > 0;
  }

  rowsOf(key: string, depth = 0): Row[] {
    return (this.#into.get(key) ?? []).flatMap((edge) =>
      this.#rows.has(edge.owner) ? [{ edge, depth }, ...this.rowsOf(edge.owner, depth + 1)] : [],
    );
  }
}

/** Orders each layer by where the neighbours of its boxes are, so that fewer lines cross. */
function ordered(layers: readonly (readonly string[])[], lines: readonly Edge[]): (readonly string[])[] {
  const [byOwner, byOwned] = [Map.groupBy(lines, ({ owner }) => owner), Map.groupBy(lines, ({ owned }) => owned)];
  const place = new Map<string, number>();
  const settle = (layer: readonly string[]): readonly string[] => {
    for (const [index, key] of layer.entries()) place.set(key, (index + 1) / (layer.length + 1));
    return layer;
  };
  let current = layers.map(settle);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const isDown = sweep % 2 === 0;
    const neighbours = (key: string): string[] =>
      isDown ? (byOwner.get(key) ?? []).map(({ owned }) => owned) : (byOwned.get(key) ?? []).map(({ owner }) => owner);
    const sorted = (layer: readonly string[]): readonly string[] => {
      const mean = new Map(layer.map((key) => [key, meanOf(neighbours(key), place) ?? place.get(key) ?? 0]));
      return settle(layer.toSorted((a, b) => (mean.get(a) ?? 0) - (mean.get(b) ?? 0)));
    };
    current = isDown ? current.map(sorted) : current.toReversed().map(sorted).toReversed();
  }
  return current;
}

function meanOf(keys: readonly string[], place: ReadonlyMap<string, number>): number | null {
  const places = keys.flatMap((key) => place.get(key) ?? []);
  return places.length === 0 ? null : places.reduce((sum, one) => sum + one, 0) / places.length;
}

/** Places the layers in lines of a few boxes below one another, each in the middle. */
function placed(structure: Structure, layers: readonly (readonly string[])[], lines: readonly Edge[]): Drawing {
  const rows = layers.flatMap((layer) => {
    const count = Math.ceil(layer.length / BESIDE);
    const width = Math.ceil(layer.length / count);
    return Array.from({ length: count }, (_, index) => layer.slice(index * width, (index + 1) * width));
  });
  const widthOf = (row: readonly string[]): number => row.length * (WIDTH + GAP_X) - GAP_X;
  const width = Math.max(...rows.map(widthOf));
  const boxes: Box[] = [];
  let y = 0;
  for (const row of rows) {
    const left = (width - widthOf(row)) / 2;
    let tallest = 0;
    for (const [index, key] of row.entries()) {
      const inside = structure.rowsOf(key);
      const height = HEAD + (inside.length === 0 ? 0 : inside.length * ROW + PAD);
      tallest = Math.max(tallest, height);
      boxes.push({
        key,
        rows: inside,
        height,
        x: left + index * (WIDTH + GAP_X),
        y,
      });
    }
    y += tallest + GAP_Y;
  }
  return {
    boxes,
    lines,
    width,
    height: y - GAP_Y,
  };
}
