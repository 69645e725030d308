import type { DatabaseLogin } from '../../../../server/database/login.ts';
import type { Tenant } from '../laboratory.ts';

/** What a bare server is told when it starts. */
export interface Order {
  readonly login: DatabaseLogin;
  readonly poolSize: number;
  readonly pipelined: boolean;
  readonly tenants: readonly Tenant[];
}
