import type { ImageSize } from './image-size.ts';
import { corrupt } from './refusal.ts';

export interface Header {
  readonly size: ImageSize;
  readonly bitsPerPixel: number;
  readonly interlaced: boolean;
  readonly needsPalette: boolean;
}

const IHDR_BYTES = 13;
/** Samples of a pixel and the depths they may have, by the type of colour (ISO/IEC 15948 §11.2.2). */
const COLOURS: Readonly<Record<number, { readonly samples: number; readonly depths: readonly number[] }>> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] }, 2: { samples: 3, depths: [8, 16] }, 3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] }, 6: { samples: 4, depths: [8, 16] },
};
/** Adam7 (§8.2): where each pass begins, and its steps. */
const PASSES = [[0, 0, 8, 8], [4, 0, 8, 8], [0, 4, 4, 8], [2, 0, 4, 4], [0, 2, 2, 4], [1, 0, 2, 2], [0, 1, 1, 2]] as const;

export function headerIn(data: Buffer): Header {
  const [depth = 0, colour = 0, compression, filter, interlace = 0] = data.subarray(8);
  const kind = COLOURS[colour];
  const size = data.length === IHDR_BYTES ? { width: data.readUInt32BE(0), height: data.readUInt32BE(4) } : null;
  if (size === null || kind?.depths.includes(depth) !== true || compression !== 0 || filter !== 0 || interlace > 1 || size.width === 0 || size.height === 0) {
    throw corrupt('The IHDR chunk of the PNG is damaged.');
  }
  return { size, bitsPerPixel: kind.samples * depth, interlaced: interlace === 1, needsPalette: colour === 3 };
}

/** Rows begin with the number of a filter and fill whole bytes; an interlaced picture is seven pictures. */
export function expectedBytes({ size: { width, height }, bitsPerPixel, interlaced }: Header): number {
  const passes = interlaced ? PASSES.map(([x, y, dx, dy]) => [Math.ceil((width - x) / dx), Math.ceil((height - y) / dy)] as const) : [[width, height] as const];
  return passes.reduce((sum, [columns, rows]) => sum + (columns > 0 && rows > 0 ? rows * (1 + Math.ceil(columns * bitsPerPixel / 8)) : 0), 0);
}
