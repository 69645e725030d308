/**
 * Renders pages of PDF files as pictures, by PDFium compiled to WebAssembly. Used by the process that reads documents:
 * a page that takes too much time or memory ends that process and nothing else.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { LONGEST_SIDE, type Picture } from './picture.ts';

interface Page {
  getOriginalSize(): { readonly originalWidth: number; readonly originalHeight: number };
  render(options: {
    readonly scale: number;
    readonly render: 'bitmap';
    readonly renderFormFields: boolean;
  }): Promise<{ readonly width: number; readonly height: number; readonly data: Uint8Array }>;
}

interface Document {
  getPageCount(): number;
  getPage(index: number): Page;
  destroy(): void;
}

interface Library {
  loadDocument(bytes: Uint8Array): Promise<Document>;
}

/** Package that renders pages. */
export const RENDERER = '@hyzyla/pdfium';

/** Page of a file, and how many the file has. */
export interface RenderedPage {
  readonly picture: Picture;
  readonly pages: number;
}

/** Renders a page, counted from 1, of the bytes of a PDF file. */
export type Renderer = (bytes: Uint8Array, page: number) => Promise<RenderedPage>;

/** Loads the renderer from the packages that are installed in a folder, when the first page is wanted. */
export function loadRenderer(folder: string): Renderer {
  const require = createRequire(join(folder, 'package.json'));
  let library: Promise<Library> | undefined;
  return async (bytes, number) => {
    library ??= (require(RENDERER) as { PDFiumLibrary: { init(): Promise<Library> } }).PDFiumLibrary.init();
    const document = await (await library).loadDocument(bytes);
    try {
      const pages = document.getPageCount();
      if (number > pages) throw new Error('The file has no such page');
      const page = document.getPage(number - 1);
      const { originalWidth, originalHeight } = page.getOriginalSize();
      const scale = LONGEST_SIDE / Math.max(originalWidth, originalHeight, 1);
      const rendered = await page.render({ scale, render: 'bitmap', renderFormFields: true });
      return { picture: withoutAlpha(rendered), pages };
    } finally {
      document.destroy();
    }
  };
}

/** Returns red, green and blue of a bitmap of four bytes for each pixel: red, green, blue and opacity. */
function withoutAlpha({ width, height, data }: { width: number; height: number; data: Uint8Array }): Picture {
  const pixels = new Uint8Array(width * height * 3);
  for (let from = 0, to = 0; to < pixels.length; from += 4, to += 3) {
    pixels[to] = data[from]!;
    pixels[to + 1] = data[from + 1]!;
    pixels[to + 2] = data[from + 2]!;
  }
  return { width, height, pixels };
}
