/** The national instant-payment directory: the interface, its client, and its wire for whoever plays its part. */
export * from './directory.ts';
export { DirectoryClient, type DirectoryClientOptions } from './client.ts';
export { rates, type PolicyName, type Rate } from './buckets.ts';
export { openLiveDirectory, type DirectoryConfig, type LiveDirectory } from './live.ts';
export type { Participant } from './participants.ts';
export type { ClientIdentity } from './identity.ts';
export { openAuthority, type Authority } from './authority.ts';
export type { Identity } from './certificate.ts';
export { buildXml } from './wire/build.ts';
export { buildProblem, type DirectoryProblem } from './wire/problem.ts';
export { decodeXml } from './wire/decode.ts';
export { parseXml } from './wire/parse.ts';
export { readDocument } from './wire/document.ts';
export { signXml, type Signer } from './wire/sign.ts';
export { verifyXml } from './wire/verify.ts';
