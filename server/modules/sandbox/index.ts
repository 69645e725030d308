/**
 * The sandbox: the switch of a tenant, the reset of its data, and simulations of what time or third parties would
 * cause. Records of the sandbox are ordinary records with `environment` sandbox, so the other modules own them. This
 * module turns the switch, empties the tables on request, and simulates events: documents and powers expire, the clock
 * moves on, a list has a new entry, a registry says something else of a business, a recovery event arrives.
 *
 * The module may use applications, businesses, company-registry, powers, documents, monitoring, screenings,
 * subscriptions, tenant-settings, watch-lists, recoveries, recovery-feed, recovery-ingestion and sandbox-clock, the
 * directory's simulator, files and personas, identity, request and database; the clock itself is a module below it.
 *
 * `POST /v1/sandbox/simulations`: `readSimulation` rejects members that the type does not have, `simulate` takes the
 * lock of the tenant's simulations and performs the simulation of the type, and the response lists each effect on each
 * record.
 */
import type { Module } from '../../tasks/module.ts';
import { sandboxHandlers } from './handlers.ts';

export const sandboxModule = { name: 'sandbox', handlers: sandboxHandlers } satisfies Module<never>;
