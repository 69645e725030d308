/**
 * The flat layer: one function per operation, for bundles that need only a few of them. It has no retries, credentials
 * or typed errors; `ComplianceOnboarding` has.
 */
export { createClient, createConfig } from './generated/client/index.ts';
export * from './generated/sdk.gen.ts';
export type * from './generated/types.gen.ts';
