/**
 * The client of the API for the whole dashboard. Used by every page, through `client` or the hooks of `api`. Calls
 * without a session, such as sign-in, use `plain` (session.ts).
 */
import createClient from 'openapi-fetch';
import createQueryHooks from 'openapi-react-query';
import type { components, paths } from '../../../contract/generated/client-types.ts';
import { send } from './send.ts';

/** Schemas of the contract, by name. */
export type Schemas = components['schemas'];

/**
 * API client typed by the contract: unknown paths do not compile and responses need no casts. Every call carries the
 * session and asks the user for the second factor again if required. A refusal is a `Problem`; a call without an answer
 * throws `Unreachable` (problem.ts).
 */
export const client = createClient<paths>({ fetch: send, cache: 'no-store' });

/** The same calls as hooks of TanStack Query: `api.useQuery('get', '/v1/users')`. */
export const api = createQueryHooks(client);
