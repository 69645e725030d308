import createClient from 'openapi-fetch';
import createQueryHooks from 'openapi-react-query';
import type { components, paths } from '../../../contract/generated/client-types.ts';
import { send } from './send.ts';

/** Schemas of the contract, by name. */
export type Schemas = components['schemas'];

/**
 * Client of the API, typed by the contract: an unknown path does not compile, and an answer needs no cast. Every call
 * carries the session, waits for a fresh second factor if one is needed, and fails with a problem (problem.ts).
 */
export const client = createClient<paths>({ fetch: send, cache: 'no-store' });

/** The same calls as hooks of TanStack Query: `api.useQuery('get', '/v1/users')`. */
export const api = createQueryHooks(client);
