/**
 * Generated documents: small, valid for any viewer, and different for each `text` or `colour`. Used by tests that
 * upload a document.
 */
export { encryptedPdf, encryptedPdfs } from './specimens/encrypted-pdf.ts';
export { frameHeader, jpeg, jpegSegment, multiPictureSegment, samsungTrailer } from './specimens/jpeg.ts';
export { objectStream, pdf, stream, type PdfOptions } from './specimens/pdf.ts';
export { png, pngChunk, pngHeader } from './specimens/png.ts';
export { lossless, webp, webpCanvas, webpChunk, webpOf } from './specimens/webp.ts';
export { zip } from './specimens/zip.ts';
