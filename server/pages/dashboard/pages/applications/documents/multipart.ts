/** The form of an upload of a document, as the service reads it. Used by the form and by the page of the camera. */
import type { Schemas } from '../../../core/api.ts';

export function multipart({ type, side, country, expiresOn }: Schemas['DocumentUpload'], file: File): FormData {
  const parts = new FormData();
  for (const [name, value] of Object.entries({
    type,
    side,
    country,
    expiresOn,
  }))
    if (value !== undefined) parts.append(name, value);
  parts.append('file', file, file.name);
  return parts;
}
