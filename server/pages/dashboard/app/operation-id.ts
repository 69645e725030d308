import type { operations } from '../../../contract/generated/client-types.ts';

/** The operations of the contract: one that was renamed no longer compiles. */
export type OperationId = keyof operations;
