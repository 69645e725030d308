import { uuidv7, type Transaction } from '../../database/index.ts';
import { generateApiKey, macOfApiKey } from '../../http/api-key.ts';
import { API_KEY_PEPPER } from '../../http/api-keys.ts';
import type { Secrets } from '../../secrets.ts';
import type { ApiKeyRecord } from './api-key.ts';
import { insertKey, type NewApiKey } from './store.ts';

/** A key is a client of its own, with a quota of its own, unless it takes the place of another or is made by one. */
export type KeySpecification = Omit<NewApiKey, 'id' | 'prefix' | 'secretMac' | 'clientId' | 'quotaClientId'> & Partial<Pick<NewApiKey, 'clientId' | 'quotaClientId'>>;

export interface IssuedKey {
  readonly key: ApiKeyRecord;
  /** The only time that anybody sees it. */
  readonly secret: string;
}

/** A new key in the tenant of the transaction. Who may have one is decided before. */
export async function issueApiKey(tx: Transaction, secrets: Secrets, specification: KeySpecification): Promise<IssuedKey> {
  const { prefix, secret } = generateApiKey(specification.environment);
  const secretMac = macOfApiKey(secrets.deriveKey(API_KEY_PEPPER), secret);
  const { clientId = prefix, quotaClientId = clientId } = specification;
  const key = await insertKey(tx, { ...specification, clientId, quotaClientId, id: uuidv7(), prefix, secretMac });
  return { key, secret };
}
