import { knex, statement, type Database } from '../database/index.ts';
import { sandboxIspb } from './core/ids.ts';

const findTenants = statement<Record<string, never>, { id: string }>('directorySimulator.tenants', () => knex('tenant').select('id'));

/** Which tenant a participant is. */
export class Callers {
  readonly #database: Database;
  readonly #tenants = new Map<string, string>();

  constructor(database: Database) {
    this.#database = database;
  }

  async tenantOf(ispb: string): Promise<string | null> {
    if (!this.#tenants.has(ispb)) {
      // An ISPB is made of the tenant's id by a digest, so it is found by making all of them; new tenants are rare.
      const tenants = await this.#database.platform({ tenantId: null, readOnly: true }, (tx) => tx.run(findTenants, {}));
      for (const { id } of tenants) this.#tenants.set(sandboxIspb(id), id);
    }
    return this.#tenants.get(ispb) ?? null;
  }
}
