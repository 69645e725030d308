/**
 * The names of the operations of the contract, as a type. Used by current.tsx, navigation.ts and the actions of keys,
 * members and tenants.
 */
import type { operations } from '../../../contract/generated/client-types.ts';

/** Operations of the contract. The name of a renamed operation no longer compiles. */
export type OperationId = keyof operations;
