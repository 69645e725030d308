/**
 * The evidence pack of a business: everything that businesses and the modules above them hold about one company, in
 * one signed archive.
 *
 * `handlers.ts` answers with the archive, `evidence-pack.ts` puts its parts together, and `lines.ts` reads what may be
 * long, page by page, while the archive is sent. The module stands above all of them, because none may import the
 * others in both directions.
 *
 * The module may use audit-log, businesses, company-registry, decisions, documents, ownership, powers, subject-keys,
 * request, database and the audit layer.
 *
 * `GET /v1/businesses/{businessId}/evidence-pack`: the business is locked while its records are read and a checkpoint
 * is found or made; files, versions, receipts and events are read while the archive is sent.
 */
import type { Module } from '../../tasks/module.ts';
import { businessPackHandlers } from './handlers.ts';

export const businessPacksModule = { name: 'business-packs', handlers: businessPackHandlers } satisfies Module<never>;
