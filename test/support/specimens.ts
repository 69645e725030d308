/** Documents made on the spot: small, valid for any viewer, and each different when its `text` or `colour` is. */
export { encryptedPdf, encryptedPdfs } from './specimens/encrypted-pdf.ts';
export { frameHeader, jpeg, jpegSegment, multiPictureSegment, samsungTrailer } from './specimens/jpeg.ts';
export { objectStream, pdf, stream, type PdfOptions } from './specimens/pdf.ts';
export { png, pngChunk, pngHeader } from './specimens/png.ts';
export { lossless, webp, webpCanvas, webpChunk, webpOf } from './specimens/webp.ts';
export { zip } from './specimens/zip.ts';
