/** Verifies an evidence pack: all stored records about one application or business, signed. */
import { open } from 'node:fs/promises';
import { Damaged, dayOf, readArchive } from './archive.mjs';
import { canonical, sha256 } from './event.mjs';
import { readStrictly, UsageError } from './i-json.mjs';
import { byKeyId, isSigned, keyOf } from './keys.mjs';
import { verifyLog } from './log.mjs';

const FORMAT = 'evidence-pack/1';
const LARGEST_JSON = 64 * 1024 * 1024;
const EVENTS = 'audit/events.ndjson';

const hashOf = (value) => sha256(canonical(value)).toString('hex');
const pick = (value, names) => Object.fromEntries(names.map((name) => [name, value[name]]));

/** Parts of a record that are evidence, by kind of evidence. Kinds that this program does not know are skipped. */
const VIEWS = {
  document: ({ documents }) =>
    documents.map((document) => [
      document.id,
      pick(document, ['sha256', 'type', 'side', 'country', 'expiresOn', 'status']),
    ]),
  waiver: ({ waivers }) => waivers.map(({ id, createdBy: _, ...said }) => [id, said]),
  check: ({ attestations }) => attestations.map(({ id, createdBy: _, ...said }) => [id, said]),
  information_request: ({ informationRequests }) =>
    informationRequests.map((request) => [request.id, pick(request, ['status', 'items', 'dueAt', 'answeredAt'])]),
  policy: (_, { rules }) => [['decisionPolicy', rules]],
};

/** What a pack may be about: the member of the manifest, the file of the record, and the evidence of such records. */
const SUBJECTS = [
  {
    member: 'applicationId',
    name: 'application',
    views: {
      ...VIEWS,
      applicant: (application) => [[application.id, application.applicant]],
      consent: ({ consents }) => consents.map(({ id, ...said }) => [id, said]),
    },
  },
  {
    member: 'businessId',
    name: 'business',
    views: {
      ...VIEWS,
      business: (business) => [
        [
          business.id,
          pick(business, ['legalName', 'tradeName', 'registration', 'legalForm', 'level', 'monthlyRevenue']),
        ],
      ],
    },
  },
];

/** Collects errors by file. Nothing else is checked until the signature proves that the service wrote the pack. */
class Findings {
  list = [];

  add(entry, detail) {
    this.list.push({ entry, detail });
  }

  check(isRight, entry, detail) {
    if (!isRight) this.add(entry, detail);
  }
}

async function jsonOf(file, { path, start, size }) {
  if (size > LARGEST_JSON) throw new UsageError(`${path} is too large`);
  const handle = await open(file, 'r');
  try {
    const { buffer } = await handle.read(Buffer.alloc(size), 0, size, start);
    return { bytes: buffer, value: readStrictly(buffer, path) };
  } finally {
    await handle.close();
  }
}

/** Returns the manifest if its signature belongs to the key; otherwise records the errors and returns null. */
async function signedManifest(file, entries, publicKeys, findings) {
  const [manifestEntry, signatureEntry] = entries.slice(-2);
  if (manifestEntry?.path !== 'manifest.json' || signatureEntry?.path !== 'signature.json') {
    findings.add('manifest.json', 'The archive does not end with a manifest and its signature.');
    return null;
  }
  try {
    const [manifest, signature] = [await jsonOf(file, manifestEntry), await jsonOf(file, signatureEntry)];
    const { publicKey } = signature.value;
    // A signature and a key have only one valid encoding, so that no byte can change unnoticed.
    const own = byKeyId([keyOf(publicKey.x)]);
    const [keyId] = own.keys();
    const isCanonical = signature.bytes.equals(
      Buffer.from(
        canonical({
          publicKey: {
            alg: 'EdDSA',
            crv: 'Ed25519',
            kid: keyId,
            kty: 'OKP',
            use: 'sig',
            x: own.get(keyId).export({ format: 'jwk' }).x,
          },
          signature: signature.value.signature,
        }),
      ),
    );
    if (!isCanonical) findings.add('signature.json', 'It is not as the service writes it.');
    else if (
      !isSigned(manifest.bytes, signature.value.signature, (publicKeys === null ? own : byKeyId(publicKeys)).get(keyId))
    )
      findings.add('manifest.json', 'It was not signed by the key.');
    else return { manifest: manifest.value, key: own.get(keyId) };
  } catch (error) {
    findings.add('signature.json', `The manifest or its signature cannot be read: ${error.message}`);
  }
  return null;
}

/** Checks that every signed file is present, unchanged and at its place, and that there are no others. */
function compareFiles(entries, manifest, findings) {
  const files = entries.slice(0, -2);
  const found = new Map(files.map((entry) => [entry.path, entry]));
  const listed = new Set(manifest.entries.map(({ path }) => path));
  for (const { path } of files)
    findings.check(listed.has(path), path, 'It is not in the manifest: it was added or renamed.');
  findings.check(found.size === files.length, null, 'The archive has two files of one name.');
  for (const [place, { path, size, sha256 }] of manifest.entries.entries()) {
    const entry = found.get(path);
    if (entry === undefined) findings.add(path, 'It is missing: it was removed or renamed.');
    else if (entry.size !== size || entry.sha256 !== sha256)
      findings.add(path, 'It is not the file that the manifest lists.');
    else if (entry !== files[place]) findings.add(path, 'It is not at its place in the archive.');
  }
  const day = dayOf(manifest.createdAt);
  for (const entry of entries) findings.check(entry.day === day, entry.path, 'Its date is not that of the archive.');
}

/** Checks the evidence digests, against the manifests that they cover and against the records that those list. */
async function checkEvidence(read, record, { name, views }, { entries, findings }) {
  const digestOf = async (name) => `sha256:${hashOf(await read(`evidence/${name}.json`))}`;
  for (const { id, evidenceDigest } of record.decisions) {
    findings.check(
      (await digestOf(id)) === evidenceDigest,
      `evidence/${id}.json`,
      'It is not the evidence of the decision: its digest is another one.',
    );
  }
  findings.check(
    (await digestOf('current')) === record.evidenceDigest,
    'evidence/current.json',
    `It is not the evidence of the ${name}: its digest is another one.`,
  );
  const policy = await read('policy.json');
  const { items } = await read('evidence/current.json');
  for (const [kind, view] of Object.entries(views)) {
    const said = new Map(view(record, policy).map(([id, value]) => [id, hashOf(value)]));
    const listed = items.filter((item) => item.kind === kind);
    findings.check(
      listed.length === said.size && listed.every(({ id, hash }) => said.get(id) === hash),
      'evidence/current.json',
      `What it lists of the kind ${kind} is not what the pack holds.`,
    );
  }
  for (const { id, sha256, sizeBytes } of record.documents) {
    const file = entries.find(({ path }) => path.startsWith(`documents/${id}.`));
    findings.check(
      file?.sha256 === sha256 && file.size === sizeBytes,
      file?.path ?? `documents/${id}`,
      'It is not the file of the document.',
    );
  }
  return record.decisions.length;
}

export async function verifyPack(file, options) {
  const findings = new Findings();
  const result = {
    kind: 'pack',
    keySource: options.publicKeys === null ? 'export' : 'option',
    tenantId: null,
    applicationId: null,
    businessId: null,
    createdAt: null,
    files: 0,
    decisions: 0,
    events: 0,
    treeSize: null,
  };
  const done = () => ({ valid: findings.list.length === 0, ...result, failures: findings.list });
  let entries;
  try {
    entries = await readArchive(file);
  } catch (error) {
    if (!(error instanceof Damaged)) throw error;
    findings.add(error.entry, error.detail);
    return done();
  }
  for (const { path, fault } of entries) findings.check(fault === null, path, fault);
  const signed = await signedManifest(file, entries, options.publicKeys, findings);
  if (signed === null) return done();
  const { manifest, key } = signed;
  if (manifest.format !== FORMAT)
    throw new UsageError(`${file} is a pack of the format ${manifest.format}, which this program does not know`);
  const { tenantId, applicationId = null, businessId = null, createdAt, treeSize } = manifest;
  const subject = SUBJECTS.find(({ member }) => typeof manifest[member] === 'string');
  if (subject === undefined)
    throw new UsageError(`${file} is a pack about a kind of record that this program does not know`);
  Object.assign(result, {
    tenantId,
    applicationId,
    businessId,
    createdAt,
    treeSize,
    files: manifest.entries.length,
  });
  findings.check(options.tenant === null || options.tenant === tenantId, null, 'The pack belongs to another tenant.');
  compareFiles(entries, manifest, findings);
  if (findings.list.length > 0) return done();
  const placeOf = (path) =>
    entries.find((entry) => entry.path === path) ??
    (() => {
      throw new Damaged(path, 'It is missing.');
    })();
  const read = async (path) => (await jsonOf(file, placeOf(path))).value;
  try {
    const path = `${subject.name}.json`;
    const record = await read(path);
    findings.check(
      record.id === manifest[subject.member] && record.evidenceDigest === manifest.evidenceDigest,
      path,
      `It is about another ${subject.name}, or about other evidence, than the manifest says.`,
    );
    result.decisions = await checkEvidence(read, record, subject, { entries, findings });
    const { start, size } = placeOf(EVENTS);
    const log = await verifyLog(
      { file, start, end: start + size - 1 },
      { ...options, publicKeys: [key], tenant: tenantId },
    );
    result.events = log.events ?? 0;
    findings.check(
      log.valid,
      EVENTS,
      log.valid ? '' : `Event ${log.firstFailure.sequence}: ${log.firstFailure.kind}. ${log.firstFailure.detail}`,
    );
    findings.check(log.isPart && log.checkpoints === 1, EVENTS, 'It is not the part of a log up to one checkpoint.');
  } catch (error) {
    if (!(error instanceof Damaged)) throw error;
    findings.add(error.entry, error.detail);
  }
  return done();
}
