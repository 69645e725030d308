/**
 * The national instant-payment directory (DICT) as recovery-ingestion sees it: the interface `Directory`, the client
 * that calls it over mutual TLS, and the wire format, which the simulator uses as the server.
 *
 * The provider has no tables. All that it knows about tenants are the slugs in the operator's configuration. It may use
 * base and contract types only.
 *
 * Example: `directory.listEventNotifications(ispb, …)`, where `ispb` is the code of the participant.
 * 1. `client.ts` builds the request.
 * 2. `connection.ts` waits until the directory's rate limit allows it (`rate-limits.ts`), and sends it with the
 *    certificate of the participant. `transport.ts` reads the response within time and size limits.
 * 3. `wire/parse.ts` parses the XML with entities disabled, and `wire/signature.ts` verifies its signature against the
 *    configured signers.
 * 4. `wire/answers.ts` converts the XML to the types of `directory.ts`.
 *
 * Every failure is a `DirectoryError` whose kind says what the caller can do about it. `openLiveDirectory` reads the
 * operator's configuration; `openAuthority` creates the certificates and the signer of the simulator.
 */
export * from './directory.ts';
export { DirectoryClient, type DirectoryClientOptions } from './client.ts';
export { rates, type Rate } from './rate-limits.ts';
export { openLiveDirectory, type LiveDirectory } from './live.ts';
export { openAuthority } from './authority.ts';
export { buildXml } from './wire/document.ts';
export { buildProblem, type DirectoryProblem } from './wire/answers.ts';
export { signXml, type Signer } from './wire/signature.ts';
