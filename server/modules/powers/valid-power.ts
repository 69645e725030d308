/**
 * Refuses a power with everything that is wrong with it, beside the documents and the settings that it depends on.
 * Called by power-handlers.ts for drafts and their changes.
 */
import type { Uuid } from '../../base/uuid.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import type { Business } from '../businesses/index.ts';
import { businessDocuments } from '../documents/index.ts';
import { readSettings } from '../tenant-settings/index.ts';
import { powerFaults } from './faults.ts';
import type { Instrument } from './instrument.ts';
import type { OnFile } from './on-file.ts';

const MOST_ERRORS = 100;

/** Rejects a power with faults. Returns the SHA-256 of its document, null if it names none. */
export async function assertValid(
  tx: Transaction,
  instrument: Instrument,
  { id, business, file }: { readonly id: Uuid; readonly business: Business; readonly file: OnFile },
): Promise<string | null> {
  const { documentId } = instrument;
  const documents = await businessDocuments(tx, business.id, documentId === null ? [] : [documentId]);
  const { customActTypes } = await readSettings(tx, tx.tenantId!);
  const errors = powerFaults(instrument, {
    id,
    parties: file.parties,
    customActTypes: customActTypes.map(({ key }) => key),
    others: new Map(
      file.powers.filter(({ row }) => row.id !== id).map(({ row, instrument: other }) => [row.id, other]),
    ),
    documents: new Set(documents.keys()),
  });
  if (errors.length > 0) throw new Problem('validation_failed', { errors: errors.slice(0, MOST_ERRORS) });
  return documents.get(documentId ?? '')?.sha256 ?? null;
}
