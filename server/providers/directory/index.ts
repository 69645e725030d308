/** The national instant-payment directory: the interface, its client, and its wire for whoever plays its part. */
export * from './directory.ts';
export { DirectoryClient, type DirectoryClientOptions } from './client.ts';
export { rates, type Rate } from './rate-limits.ts';
export { openLiveDirectory, type LiveDirectory } from './live.ts';
export { openAuthority } from './authority.ts';
export { buildXml } from './wire/document.ts';
export { buildProblem, type DirectoryProblem } from './wire/answers.ts';
export { signXml, type Signer } from './wire/signature.ts';
