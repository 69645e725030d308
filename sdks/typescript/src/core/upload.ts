/**
 * Sends multipart forms. Used by the tree of operations. Streams are read to their end first, so that a retry can send
 * them again.
 */
import { toFile, type Uploadable } from './files.ts';
import { send, type Send } from './operation.ts';
import { randomKey } from './random-key.ts';

/**
 * Sends a multipart form. Its file members become `File` objects once, so that a retry sends the same bytes again.
 * Therefore a stream is read to its end; for a large file prefer a `Blob` (in Node `await fs.openAsBlob(path)`), which
 * is read lazily.
 */
export const upload: Send = (transport, operation, input, reading) => {
  const fields = (input.body ?? {}) as Readonly<Record<string, Uploadable>>;
  const sent = operation.members.filter((name) => fields[name] !== undefined);
  const body = Promise.all(sent.map(async (name) => [name, await toFile(fields[name] as Uploadable)] as const)).then(
    (files) => ({ ...fields, ...Object.fromEntries(files) }),
  );
  // Reported by the call that awaits it; a call aborted before that must not crash the program.
  body.catch(() => undefined);
  return send(transport, operation, { ...input, body, encode: multipart }, reading);
};

/**
 * Encodes the form as RFC 7578 defines it, in one `Blob` that refers to the files without copying them. A `FormData`
 * works only with the global `fetch`: that of another package accepts only its own class.
 */
function multipart(fields: object): Blob {
  const boundary = randomKey();
  const parts = Object.entries(fields).flatMap(([name, value]: [string, unknown]) => {
    if (value === undefined || value === null) return [];
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"`;
    return value instanceof File
      ? [`${head}; filename="${quoted(value.name)}"\r\nContent-Type: ${value.type}\r\n\r\n`, value, '\r\n']
      : [`${head}\r\n\r\n${typeof value === 'string' ? value : JSON.stringify(value)}\r\n`];
  });
  return new Blob([...parts, `--${boundary}--\r\n`], { type: `multipart/form-data; boundary=${boundary}` });
}

/** Escapes names as browsers do (HTML, multipart form data). */
function quoted(name: string): string {
  return name.replace(/[\r\n"]/g, (sign) => encodeURIComponent(sign));
}
