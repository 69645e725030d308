/**
 * The national instant-payment directory (DICT) as recovery-ingestion sees it: the interface `Directory`, the client
 * that speaks to it over mutual TLS, and the wire format, which the simulator uses from the other side.
 *
 * The provider has no tables, and knows of tenants only the slugs in the operator's list. It may use base
 * and contract types only.
 *
 * `directory.listEventNotifications(ispb, …)` as an example: `client.ts` builds the request and has `connection.ts`
 * send it with the certificate of the participant, which waits for a token of the directory's rate limit
 * (`rate-limits.ts`) and reads the answer within time and size limits (`transport.ts`); then the XML is parsed without
 * entities (`wire/parse.ts`), its signature is verified against the configured signers (`wire/signature.ts`), and
 * `wire/answers.ts` reads it into the documents of `directory.ts`. Every failure is a `DirectoryError` whose kind says
 * what the caller can do about it.
 */
export * from './directory.ts';
export { DirectoryClient, type DirectoryClientOptions } from './client.ts';
export { rates, type Rate } from './rate-limits.ts';
export { openLiveDirectory, type LiveDirectory } from './live.ts';
export { openAuthority } from './authority.ts';
export { buildXml } from './wire/document.ts';
export { buildProblem, type DirectoryProblem } from './wire/answers.ts';
export { signXml, type Signer } from './wire/signature.ts';
