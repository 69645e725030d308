/** The national instant-payment directory: the interface, its client, and its wire for whoever plays its part. */
export * from './directory.ts';
export { DirectoryClient, type DirectoryClientOptions } from './client.ts';
export { rates, type Rate } from './buckets.ts';
export { openLiveDirectory, type DirectoryConfig, type LiveDirectory } from './live.ts';
export { openAuthority } from './authority.ts';
export { buildXml } from './wire/build.ts';
export { buildProblem, type DirectoryProblem } from './wire/problem.ts';
export { signXml, type Signer } from './wire/sign.ts';
