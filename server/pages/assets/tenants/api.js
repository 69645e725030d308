/** @import { Schemas } from '../app/types.d.ts' */
/** @import { Session } from '../app/session.js' */

/** @typedef {Schemas['Tenant']} Tenant */
/** @typedef {Tenant & Schemas['TenantHealth']} TenantDetail */

const TENANTS = '/v1/admin/tenants';

/** What platform administrators do with tenants, by the names of the contract. */
export class Api {
  /** @type {Session} */ #session;

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
  }

  /**
   * @param {Readonly<Record<string, string>>} filter empty values ask for nothing
   * @param {string | null} cursor
   */
  async listTenants(filter, cursor) {
    const query = new URLSearchParams({ limit: '25' });
    for (const [name, value] of Object.entries(filter)) if (value.trim() !== '') query.set(name, value.trim());
    if (cursor !== null) query.set('cursor', cursor);
    return /** @type {Schemas['TenantList']} */ (await this.#session.call('GET', `${TENANTS}?${query}`));
  }

  /** @param {string} id */
  async getTenant(id) {
    return /** @type {TenantDetail} */ (await this.#session.call('GET', `${TENANTS}/${id}`));
  }

  /**
   * @param {Schemas['TenantCreate']} body
   * @param {string} idempotencyKey
   */
  async createTenant(body, idempotencyKey) {
    return /** @type {Schemas['TenantCreated']} */ (await this.#session.call('POST', TENANTS, { body, idempotencyKey }));
  }

  /**
   * @param {Tenant} tenant
   * @param {Partial<Schemas['TenantUpdate']>} body
   */
  async updateTenant({ id, version }, body) {
    return /** @type {Tenant} */ (await this.#session.call('PATCH', `${TENANTS}/${id}`, { body, version }));
  }

  /**
   * @param {Tenant} tenant
   * @param {Schemas['TenantStatusUpdate']} body
   */
  async replaceTenantStatus({ id, version }, body) {
    return /** @type {Tenant} */ (await this.#session.call('PUT', `${TENANTS}/${id}/status`, { body, version }));
  }
}
