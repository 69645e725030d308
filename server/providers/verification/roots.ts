/**
 * Reads the roots by which signatures of documents are trusted, from the folder that VERIFICATION_ROOTS names. Called
 * at the start. No roots come with the service: the operator takes them from their publisher and checks them.
 */
import { X509Certificate } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
const ENDINGS = /\.(?:pem|crt|cer)$/i;

/** Reads every certificate of a folder, in PEM or DER. One that is no authority stops the start. */
export async function readRoots(folder: string): Promise<readonly X509Certificate[]> {
  const roots: X509Certificate[] = [];
  for (const name of (await readdir(folder)).filter((file) => ENDINGS.test(file)).sort()) {
    const bytes = await readFile(join(folder, name));
    const found: readonly (string | Buffer)[] = bytes.toString('latin1').match(PEM) ?? [bytes];
    for (const one of found) roots.push(rootIn(one, join(folder, name)));
  }
  if (roots.length === 0) throw new Error(`${folder} holds no certificate (.pem, .crt or .cer)`);
  return roots;
}

function rootIn(encoded: string | Buffer, file: string): X509Certificate {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(encoded);
  } catch {
    throw new Error(`${file} is no certificate in PEM or DER`);
  }
  if (!certificate.ca) throw new Error(`${file} holds a certificate that is not one of an authority`);
  return certificate;
}
