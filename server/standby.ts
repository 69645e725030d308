import type { RuntimeContract } from './http/slim-contract.ts';

/** What a service waits for that is to take the place of a running one, such as that of `make dev`. */
export interface Standby {
  /** All modules are loaded and the database is open: resolves with the contract to enforce. */
  contract(): Promise<RuntimeContract>;
  /** The contract can be enforced: resolves when the address is free. */
  address(): Promise<void>;
  /** Whether it takes the address over from another service, which has greeted the reader and seeded the demo already. */
  isSuccessor(): boolean;
}
