import { createSecureContext, type SecureContext } from 'node:tls';
import type { Identity } from './certificate.ts';

/** How a participant proves who it is: with a key we hold, or one that stays in a security module (RFC 7512 URI). */
export type ClientIdentity = Identity | { readonly certificate: string; readonly pkcs11: string };

/**
 * A key of a security module is reached through OpenSSL's `pkcs11` engine (libp11), which the operator installs and
 * points to with OPENSSL_ENGINES and PKCS11_MODULE_PATH.
 *
 * @param authorities PEM; the only authorities that the directory's server certificate may come from
 */
export function secureContext(identity: ClientIdentity, authorities: string): SecureContext {
  const common = { ca: authorities, cert: identity.certificate, minVersion: 'TLSv1.2' } as const;
  if ('key' in identity) return createSecureContext({ ...common, key: identity.key });
  return createSecureContext({ ...common, privateKeyEngine: 'pkcs11', privateKeyIdentifier: identity.pkcs11 });
}
