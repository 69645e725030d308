/**
 * Produces the archive with everything that is stored about a business, with proofs from the audit log. Called by the
 * handler. Contains only what its reader may see. Fails if the log has no checkpoint for the changes yet. Files,
 * versions, receipts and events are read while the archive is sent, so a failure then cuts it off.
 */
import type { Readable } from 'node:stream';
import { signedArchive } from '../../audit/signed-archive.ts';
import type { Database } from '../../database/index.ts';
import type { FileStorage } from '../../providers/files/index.ts';
import type { Context } from '../../request/handler.ts';
import type { AuditTrail } from '../audit-log/index.ts';
import { businessLookups as lookup, manifestOf, present, readContents, subjectOf } from '../businesses/index.ts';
import { registryOf } from '../company-registry/index.ts';
import {
  documentParts,
  evidenceParts,
  jsonPart,
  listDecidedManifests,
  recordsOf,
  timelineActions,
} from '../decisions/index.ts';
import { contentDisposition, listStoredFiles } from '../documents/index.ts';
import { openedVersion, versionsAfter } from '../ownership/index.ts';
import { articlesOfHeadOffice, openedReceipt, powersOf, receiptsAfter } from '../powers/index.ts';
import { openingKey } from '../subject-keys/index.ts';
import { lines } from './lines.ts';

const FORMAT = 'evidence-pack/1';

/** Explanation of the archive for a reader who does not know the service. */
const README = `This is everything that was held about one company when the archive was made (${FORMAT}).

business.json            the company with its documents, requests for information and decisions
policy.json              the policy by which it is decided, in the version that counts now
ownership.ndjson         every version of its owners, one a line, the first first, with what followed from it
powers.json              its powers, the newest first
head-office-powers.json  of a branch only: the confirmed articles and bylaws of its head office, which count for the \
branch, the newest first
registry.json            what its registry says, with the differences and who was right about them
signing-evaluations.ndjson the receipts of evaluations of who may sign, one a line, the first first
documents/               the files as they are kept, each under the id of its document
evidence/current.json    the evidence as it is now; its SHA-256 in canonical form (RFC 8785) is evidenceDigest \
of the business
evidence/<decision>.json the evidence that a decision rests on; its SHA-256 is evidenceDigest of the decision
audit/events.ndjson      what the audit log tells of all that: each event with its inclusion proof (RFC 6962), \
the keys and the signed checkpoint
manifest.json            every file above with its size and SHA-256
signature.json           an Ed25519 signature of the bytes of manifest.json, and the key that verifies it

Verify it offline with scripts/verify-audit.mjs of the service, and with its public key from a source that you trust.
`;

interface Pack {
  readonly id: string;
  /** Archive, which is produced while it is read. */
  readonly archive: Readable;
  /** Number of documents in the archive. */
  readonly files: number;
  readonly treeSize: number;
  readonly disposition: string;
}

interface Dependencies {
  readonly files: FileStorage;
  readonly trail: AuditTrail;
  readonly database: Database;
}

/**
 * Packs everything that is stored about a business, as its reader may see it. The lock makes data and log agree: other
 * changes of the business wait, and all events about earlier ones are in the log.
 */
export async function businessPack(
  ctx: Context<'downloadBusinessEvidencePack'>,
  { files, trail, database }: Dependencies,
): Promise<Pack> {
  const { tx, principal, visible, signal, now } = ctx;
  const { tenantId } = principal;
  const record = await lookup(ctx).business(ctx.params.businessId).forReadingWithLock();
  const { id, environment } = record;
  const subject = subjectOf(record);
  const [contents, records, stored, decided, key, powers, headPowers, registry] = await Promise.all([
    readContents(tx, id),
    recordsOf(tx, subject),
    listStoredFiles(tx, subject),
    listDecidedManifests(tx, subject),
    openingKey(tx, { type: 'business', id }),
    powersOf(ctx, record),
    articlesOfHeadOffice(ctx, record),
    registryOf(ctx, record),
  ]);
  const of = { tenantId, resourceIds: records, environments: visible };
  const checkpoint = await trail.checkpoint(tx, of, { changes: timelineActions(), now });
  const business = present(record, contents, ctx);
  const documents = documentParts(contents.documents, stored, { files, key, signal });
  const within = { database, tenantId, businessId: id };
  const parts = [
    { path: 'README.txt', open: () => [README] },
    jsonPart('business.json', business),
    jsonPart('policy.json', contents.policy),
    { path: 'ownership.ndjson', open: async () => lines(within, versionsAfter, (row) => openedVersion(row, key)) },
    jsonPart('powers.json', { items: powers }),
    ...(headPowers === null ? [] : [jsonPart('head-office-powers.json', { items: headPowers })]),
    jsonPart('registry.json', registry),
    {
      path: 'signing-evaluations.ndjson',
      open: async () => lines(within, receiptsAfter, (row) => openedReceipt(row, key, ctx)),
    },
    ...documents,
    ...evidenceParts(manifestOf(record, contents), decided),
    { path: 'audit/events.ndjson', open: async () => trail.lines(of, checkpoint, { businessId: id }) },
  ];
  const { treeSize } = checkpoint;
  const head = {
    format: FORMAT,
    tenantId,
    environment,
    businessId: id,
    createdAt: now.toISOString(),
    evidenceDigest: business.evidenceDigest ?? null,
    treeSize,
  };
  return {
    id,
    archive: signedArchive(trail.signer, head, parts),
    files: documents.length,
    treeSize,
    disposition: contentDisposition(`evidence-pack-${id}.zip`),
  };
}
