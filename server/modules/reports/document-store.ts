/**
 * Documents of reports. Their bytes are sealed in the row and not in the file storage, where the number of files would
 * show that there is a report.
 */
import type { KeyObject } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { sealFile, Unsealing } from '../../base/sealed-file.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  bigint,
  businessTimestamp,
  bytes,
  code,
  type InsertOf,
  type RowOf,
  sql,
  statement,
  table,
  text,
  type Transaction,
  uuid,
} from '../../database/index.ts';
import { openedRow, sealedRow } from '../subject-keys/index.ts';
import type { ReportRecord } from './store.ts';

type ReportDocument = components['schemas']['ReportDocument'];

const reportDocument = table(
  'report_document',
  {
    tenantId: uuid(),
    id: uuid(),
    environment: code<Environment>(),
    reportId: uuid(),
    fileName: text().sealed(),
    mimeType: code<ReportDocument['mimeType']>(),
    sizeBytes: bigint(),
    sha256: text().impersonal('a digest of the file'),
    content: bytes(),
    createdAt: businessTimestamp(),
  },
  {
    owner: 'tenant',
    isSealed: true,
    sandboxReset: { emptiedBefore: 'report' },
    insertedBy: 'app',
    example: { mimeType: 'application/pdf', sha256: '0'.repeat(64) },
  },
);

const wire = reportDocument.except('tenantId', 'environment', 'reportId', 'content');

type OfReport = { tenantId: string; reportId: string };

const insert = statement<InsertOf<typeof reportDocument>>('reportDocument.insert', (p) => reportDocument.insert(p));

const list = statement<OfReport, RowOf<typeof wire>>(
  'reportDocument.list',
  (p) => sql`
  SELECT ${wire} FROM report_document
    WHERE ${reportDocument.equal({ tenantId: p.tenantId, reportId: p.reportId })} ORDER BY id`,
);

const read = statement<OfReport & { id: string }, { content: Buffer }>(
  'reportDocument.read',
  (p) => sql`
  SELECT content FROM report_document
    WHERE ${reportDocument.equal({ tenantId: p.tenantId, reportId: p.reportId, id: p.id })}`,
  { expectRows: 1 },
);

/** Lists the documents of a report, the oldest first. */
export async function listReportDocuments(
  tx: Transaction,
  { id, key }: Pick<ReportRecord, 'id' | 'key'>,
): Promise<ReportDocument[]> {
  const rows = await tx.run(list, { tenantId: tx.tenantId!, reportId: id });
  return rows.map((row) => openedRow(reportDocument, row, key));
}

/** Seals a document under the key of its report, and stores it. */
export async function insertReportDocument(
  tx: Transaction,
  { id: reportId, environment, key }: Pick<ReportRecord, 'id' | 'environment' | 'key'>,
  { document, content }: { readonly document: RowOf<typeof wire>; readonly content: Uint8Array },
): Promise<void> {
  await tx.run(insert, {
    ...sealedRow(reportDocument, document, key),
    tenantId: tx.tenantId!,
    reportId,
    environment,
    content: await sealFile(key, document.id, content),
  });
}

/** Returns the bytes of a document. Fails if they are not those that were sealed. */
export async function readReportDocument(
  tx: Transaction,
  { id: reportId, key }: { readonly id: string; readonly key: KeyObject },
  id: string,
): Promise<Buffer> {
  const [row] = await tx.run(read, { tenantId: tx.tenantId!, reportId, id });
  return buffer(pipeline(Readable.from([row!.content]), new Unsealing(key, id), () => undefined));
}
