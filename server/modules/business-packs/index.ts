/**
 * The evidence pack of a business: everything that businesses and the modules above them hold about one company, in
 * one signed archive.
 *
 * `evidence-pack.ts` puts the parts together; `lines.ts` reads what may be long, page by page, while the archive is
 * sent. The module stands above all of them, because none may import the others in both directions.
 *
 * The module may use audit-log, businesses, company-registry, decisions, documents, ownership, powers, subject-keys,
 * request, database and the audit layer.
 *
 * `GET /v1/businesses/{businessId}/evidence-pack`: the business is locked while its records are read and a checkpoint
 * is found or made; files, versions, receipts and events are read while the archive is sent.
 */
import type { FileStorage } from '../../providers/files/index.ts';
import type { Handlers } from '../../request/handler.ts';
import type { Module } from '../../tasks/module.ts';
import { AuditTrail, type TrailDependencies } from '../audit-log/index.ts';
import { businessPack } from './evidence-pack.ts';

interface Dependencies extends TrailDependencies {
  readonly files: FileStorage;
}

const handlers = ({ files, ...dependencies }: Dependencies): Pick<Handlers, 'downloadBusinessEvidencePack'> => {
  const trail = new AuditTrail(dependencies);
  return {
    downloadBusinessEvidencePack: async (ctx) => {
      const {
        id,
        archive,
        files: held,
        treeSize,
        disposition,
      } = await businessPack(ctx, {
        files,
        trail,
        database: dependencies.database,
      });
      ctx.audit('evidence_pack.exported', { type: 'business', id }, { files: held, treeSize });
      return ctx.reply(200, archive, { 'Content-Disposition': disposition });
    },
  };
};

export const businessPacksModule = { name: 'business-packs', handlers } satisfies Module<never>;
