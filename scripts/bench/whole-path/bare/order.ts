import type { Login } from '../../../../server/database/settings.ts';
import type { Tenant } from '../laboratory.ts';

/** What a bare server is told when it starts. */
export interface Order {
  readonly login: Login;
  readonly poolSize: number;
  readonly pipelined: boolean;
  readonly tenants: readonly Tenant[];
}
