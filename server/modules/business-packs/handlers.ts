/** Handler that sends the evidence pack of a business and records in the log that it was downloaded. */
import type { FileStorage } from '../../providers/files/index.ts';
import type { Handlers } from '../../request/handler.ts';
import { AuditTrail, type TrailDependencies } from '../audit-log/index.ts';
import { businessPack } from './evidence-pack.ts';

interface Dependencies extends TrailDependencies {
  readonly files: FileStorage;
}

export const businessPackHandlers = ({
  files,
  ...dependencies
}: Dependencies): Pick<Handlers, 'downloadBusinessEvidencePack'> => {
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
