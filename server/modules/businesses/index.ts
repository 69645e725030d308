/**
 * Businesses: the companies that a tenant deals with, each with its registration.
 *
 * `registration.ts` checks and normalises the registration, which names the company and never changes; `store.ts` holds
 * the table and its statements, and refuses a second business with the same registration or reference. `handlers.ts`
 * creates, lists, shows and changes businesses.
 *
 * The module may use request, database and rules.
 *
 * `POST /v1/businesses`: the handler checks the number, inserts the row, and answers with the record. If the database
 * finds another business with the registration, the refusal names it.
 */
import type { Module } from '../../tasks/module.ts';
import { businessHandlers } from './handlers.ts';

export { businessLookups } from './lookup.ts';
export type { Business } from './store.ts';

export const businessesModule = { name: 'businesses', handlers: businessHandlers } satisfies Module<never>;
