/**
 * Produces the archive with everything that is stored about an application, with proofs from the audit log. Called by
 * document-handlers.ts. Contains only what its reader may see. Fails if the log has no checkpoint for the changes yet.
 * Files and events are read while the archive is sent, so a failure then cuts it off.
 */
import type { Readable } from 'node:stream';
import { signedArchive } from '../../../audit/signed-archive.ts';
import type { Json } from '../../../base/canonical-json.ts';
import type { FileStorage } from '../../../providers/files/index.ts';
import type { Context } from '../../../request/handler.ts';
import type { AuditTrail } from '../../audit-log/index.ts';
import {
  documentParts,
  evidenceParts,
  jsonPart,
  listDecidedManifests,
  recordsOf,
  timelineActions,
} from '../../decisions/index.ts';
import { contentDisposition, listStoredFiles } from '../../documents/index.ts';
import { openingKey } from '../../subject-keys/index.ts';
import { subjectOf } from '../record/application.ts';
import { lookup } from '../record/lookup.ts';
import { present } from '../record/present.ts';
import { readContents } from '../record/read-applications.ts';
import { manifestOf } from './evidence.ts';
import { hitsInSentences } from './explained-hits.ts';
import { explainedHits } from './explained-hits-store.ts';

const FORMAT = 'evidence-pack/1';

/** Explanation of the archive for a reader who does not know the service. */
const README = `This is everything that was held about one application when the archive was made (${FORMAT}).

application.json         the application with its documents, consents, requests for information and decisions
policy.json              the policy by which it is decided, in the version that counts now
documents/               the files as they are kept, each under the id of its document; application.json says
                         when one was erased because the time for which such files are kept had passed (fileErasedAt)
screening.txt            why the entries that the newest screening found are hits, in English and Portuguese, if it
                         found any
evidence/current.json    the evidence as it is now; its SHA-256 in canonical form (RFC 8785) is evidenceDigest \
of the application
evidence/<decision>.json the evidence that a decision rests on; its SHA-256 is evidenceDigest of the decision
audit/events.ndjson      what the audit log tells of all that: each event with its inclusion proof (RFC 6962), \
the keys and the signed checkpoint
manifest.json            every file above with its size and SHA-256
signature.json           an Ed25519 signature of the bytes of manifest.json, and the key that verifies it

Verify it offline with scripts/verify-audit.mjs of the service, and with its public key from a source that you trust.
`;

type Request = Pick<
  Context<'downloadEvidencePack'>,
  'tx' | 'principal' | 'params' | 'visible' | 'sandboxEnabled' | 'setResourceEnvironment' | 'signal' | 'now' | 'timeIn'
>;

interface Pack {
  /** Archive, which is produced while it is read. */
  readonly archive: Readable;
  /** Number of documents in the archive. */
  readonly files: number;
  readonly treeSize: number;
  readonly disposition: string;
}

/**
 * Packs everything that is stored about an application, as its reader may see it. The lock makes data and log agree:
 * other changes of the application wait, and all events about earlier ones are in the log. Files and events are read
 * while the archive is sent.
 */
export async function evidencePack(
  ctx: Request,
  { files, trail }: { readonly files: FileStorage; readonly trail: AuditTrail },
): Promise<Pack> {
  const {
    tx,
    principal: { tenantId },
    visible,
    signal,
    now,
  } = ctx;
  const record = await lookup(ctx).application(ctx.params.applicationId).forReadingWithLock();
  const { id, environment } = record;
  const own = { tenantId, applicationId: id };
  const [contents, records, stored, decided, key] = await Promise.all([
    readContents(tx, own),
    recordsOf(tx, subjectOf(record)),
    listStoredFiles(tx, subjectOf(record)),
    listDecidedManifests(tx, subjectOf(record)),
    openingKey(tx, { type: 'application', id }),
  ]);
  const of = { tenantId, resourceIds: records, environments: visible };
  const checkpoint = await trail.checkpoint(tx, of, { changes: timelineActions(), now });
  const application = present(record, contents, ctx);
  const hits = key === null ? [] : await explainedHits(tx, own, key);
  const documents = documentParts(contents.documents, stored, { files, key, signal });
  const parts = [
    { path: 'README.txt', open: () => [README] },
    jsonPart('application.json', application),
    jsonPart('policy.json', contents.policy),
    ...documents,
    ...(hits.length === 0 ? [] : [{ path: 'screening.txt', open: () => [hitsInSentences(hits)] }]),
    ...evidenceParts(manifestOf(record, contents), decided),
    { path: 'audit/events.ndjson', open: async () => trail.lines(of, checkpoint, { applicationId: id }) },
  ];
  const { treeSize } = checkpoint;
  const head: { readonly createdAt: string } & Readonly<Record<string, Json>> = {
    format: FORMAT,
    tenantId,
    environment,
    applicationId: id,
    createdAt: now.toISOString(),
    evidenceDigest: application.evidenceDigest ?? null,
    treeSize,
  };
  return {
    archive: signedArchive(trail.signer, head, parts),
    files: documents.length,
    treeSize,
    disposition: contentDisposition(`evidence-pack-${id}.zip`),
  };
}
