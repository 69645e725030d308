/** Encodes request bodies for their media types. Used by calls.ts and the tests of every operation. */
import type { Call } from './service.ts';
import { jpeg } from './specimens.ts';

/** Value that is a file name, which examples of multipart forms have in place of a file. */
const FILE_NAME = /^[\w-]+\.[a-z]{3,4}$/;

/**
 * Encodes a body for its media type. In multipart forms, bytes are sent as a file, and a file name is sent as a small
 * JPEG with that name.
 */
export function encode({
  mediaType,
  value,
}: {
  readonly mediaType: string;
  readonly value: object;
}): Pick<Call, 'body' | 'headers'> {
  if (mediaType === 'application/x-www-form-urlencoded')
    return { body: new URLSearchParams(Object.entries(value).map(([name, member]) => [name, String(member)])) };
  if (mediaType !== 'multipart/form-data')
    return { body: JSON.stringify(value), headers: { 'Content-Type': mediaType } };
  const form = new FormData();
  for (const [name, member] of Object.entries(value)) {
    if (member instanceof Uint8Array) form.set(name, new Blob([new Uint8Array(member)]), 'picture');
    else if (FILE_NAME.test(String(member))) form.set(name, new Blob([new Uint8Array(jpeg())]), String(member));
    else form.set(name, String(member));
  }
  return { body: form };
}
