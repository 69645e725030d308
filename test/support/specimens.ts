/** Documents made on the spot: small, valid for any viewer, and each different when its `text` or `colour` is. */
export { jpeg, multiPictureSegment } from './specimens/jpeg.ts';
export { objectStream, pdf, stream, type PdfOptions } from './specimens/pdf.ts';
export { png, pngChunk } from './specimens/png.ts';
export { webp } from './specimens/webp.ts';
export { zip } from './specimens/zip.ts';
