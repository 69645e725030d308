#!/usr/bin/env node
/**
 * Verifies an exported audit log, offline and with nothing but Node.js 20 or later: this file and the folder beside it import no
 * others, so that they can be read in one sitting and kept by whoever must not depend on the service that wrote the log.
 */
import { createPublicKey, verify as verifySignature } from 'node:crypto';
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { canonical, checkEvent, Invalid, nodeHash, sha256 } from './verify-audit/event.mjs';
import { readStrictly, UsageError } from './verify-audit/i-json.mjs';
import { walkPart } from './verify-audit/part.mjs';

const HELP = `Verify an exported audit log offline.

Usage: node verify-audit.mjs <export.ndjson> [options]
  --public-key <key>          the key that signs the checkpoints, from a source that you trust: a PEM file, a JWK or JWK set
                              file, or the "x" of a JWK. Repeat it for several. Without it the keys in the export are used,
                              which proves only that the export agrees with itself.
  --tenant <id>               the tenant whose log it must be
  --trusted-checkpoint <file> a checkpoint (JSON) that you kept: the log must continue it
  --json                      print the result as JSON
  --quiet                     print no progress
  --help                      this text

The export has a JSON object on each line: {"type":"header","tenantId":…,"publicKeys":[…]}, {"type":"event","event":…} in
the order of their sequence, {"type":"checkpoint","checkpoint":…}. Checked are: no event is missing (gap), each continues
the one before (link_broken) and is what was hashed (hash_mismatch); every checkpoint is signed by the key, continues the
checkpoint before and signs exactly these events (checkpoint_mismatch). Events after the newest checkpoint are linked to
one another but signed by nobody yet; their number is printed.

A part of the log has a "filter" in its header, and a "proof" of each event: the path to the root of the checkpoint of that
size. Checked are every event, its proof and the signature (not_checkpointed: an event has no proof). That nothing was left
out of a part, no proof can show.

A line is refused that two programs could read differently: with a member twice, a number that not every program can hold,
text that is no Unicode, a byte order mark, or a member that is special to JavaScript.

Exit status: 0 the log holds; 1 it does not, or no checkpoint proves it; 2 wrong options or an unreadable file.`;

const LONGEST_LINE = 16 * 1024 * 1024;
const PROGRESS_EVERY_MILLISECONDS = 2_000;

/** Merkle tree of RFC 6962 section 2.1 as its complete subtrees: the root at any size, in memory that grows with log2(size). */
class Tree {
  size = 0;
  #hashes = [];

  append(leaf) {
    let hash = leaf;
    for (let index = this.size; index % 2 === 1; index = (index - 1) / 2) hash = nodeHash(this.#hashes.pop(), hash);
    this.#hashes.push(hash);
    this.size += 1;
  }

  root() {
    return this.size === 0 ? sha256('') : this.#hashes.reduceRight((right, left) => nodeHash(left, right));
  }
}

/** Split at line feeds only: U+2028, at which other readers of lines stop too, may stand in the text of an event. */
async function* lines(file) {
  let rest = Buffer.alloc(0);
  let number = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 })) {
    let bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10)) {
      number += 1;
      if (end > 0) yield { number, line: bytes.subarray(0, end) };
      bytes = bytes.subarray(end + 1);
    }
    if (bytes.length > LONGEST_LINE) throw new UsageError(`line ${number + 1} of ${file} is too long`);
    rest = bytes;
  }
  if (rest.length > 0) yield { number: number + 1, line: rest };
}

async function* records(file) {
  for await (const { number, line } of lines(file)) {
    const record = readStrictly(line, `line ${number} of ${file}`);
    if (record === null || typeof record !== 'object' || Array.isArray(record)) throw new UsageError(`line ${number} of ${file} is not an object`);
    if (!['header', 'event', 'checkpoint'].includes(record.type)) throw new UsageError(`line ${number} of ${file} is no header, event or checkpoint`);
    if ((record.type === 'header') !== (number === 1)) throw new UsageError(`line ${number} of ${file}: the header is the first line, and no other`);
    yield record;
  }
}

const keyOf = (x) => createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
/** RFC 7638 thumbprint: a key is known by what it is, never by the name that somebody gave it. */
const keyIdOf = (key) => sha256(`{"crv":"Ed25519","kty":"OKP","x":"${key.export({ format: 'jwk' }).x}"}`).toString('base64url');

function readKeys(source) {
  if (/^[\w-]{43}$/.test(source)) return [keyOf(source)];
  const bytes = readFileSync(source);
  const keys = bytes.includes('-----BEGIN') ? [createPublicKey(bytes)] : [readStrictly(bytes, source)].flatMap((found) => found.keys ?? found).map(({ x }) => keyOf(x));
  if (keys.some((key) => key.asymmetricKeyType !== 'ed25519')) throw new UsageError(`${source} is not an Ed25519 key`);
  return keys;
}

/** A size that is no number would be compared with no event, and nobody would notice. */
function sized(checkpoint, file) {
  if (!Number.isSafeInteger(checkpoint?.treeSize) || checkpoint.treeSize < 1) throw new UsageError(`a checkpoint in ${file} has no size`);
  return checkpoint;
}

/** First reading: who, which keys, which checkpoints. There are few of them, compared with events. */
async function readFrame(file) {
  const frame = { tenantId: null, publicKeys: [], checkpoints: [], isPart: false };
  for await (const record of records(file)) {
    if (record.type === 'header') Object.assign(frame, { tenantId: record.tenantId ?? frame.tenantId, publicKeys: record.publicKeys ?? frame.publicKeys, isPart: 'filter' in record });
    else if (record.type === 'checkpoint') frame.checkpoints.push(sized(record.checkpoint, file));
  }
  frame.checkpoints.sort((a, b) => a.treeSize - b.treeSize);
  if (frame.tenantId === null) throw new UsageError(`${file} is not an export: it has no header`);
  return frame;
}

/** What each checkpoint says, and what is wrong with it before any event is looked at. */
function judge({ checkpoints, isPart }, keys, tenantId) {
  const known = new Map(keys.map((key) => [keyIdOf(key), key]));
  const judged = new Map();
  let previous = null;
  for (const { signature, ...body } of checkpoints) {
    const text = canonical(body);
    const key = known.get(body.keyId);
    const bytes = Buffer.from(String(signature), 'base64');
    const fault = key === undefined || bytes.length !== 64 || !verifySignature(null, Buffer.from(text), key, bytes) ? 'The checkpoint was not signed by the key.'
      : body.tenantId !== tenantId ? 'The checkpoint belongs to another tenant.'
      : !isPart && body.previousCheckpointHash !== previous ? 'The checkpoint does not continue the one before it.' : null;
    judged.set(body.treeSize, { rootHash: body.rootHash, headHash: body.headHash, timestamp: body.timestamp, fault: judged.get(body.treeSize)?.fault ?? fault });
    previous = sha256(text).toString('hex');
  }
  return judged;
}

/** Second reading: every event, held against the checkpoint that ends there. */
async function walk(file, { tenantId, checkpoints, judged, trusted, progress }) {
  const tree = new Tree();
  let hash = sha256(String(tenantId)).toString('hex');
  let covered = 0;
  for await (const record of records(file)) {
    if (record.type !== 'event') continue;
    const sequence = tree.size + 1;
    tree.append(checkEvent(record.event ?? {}, sequence, hash));
    hash = record.event.hash;
    const checkpoint = judged.get(sequence);
    const wrong = (detail) => new Invalid(sequence, 'checkpoint_mismatch', detail);
    if (checkpoint !== undefined) {
      if (checkpoint.fault !== null) throw wrong(checkpoint.fault);
      if (checkpoint.rootHash !== tree.root().toString('hex')) throw wrong('The events are not those that the checkpoint signed.');
      if (checkpoint.headHash !== hash) throw wrong('The checkpoint signed another last event.');
      covered = sequence;
    }
    if (trusted?.treeSize === sequence && trusted.rootHash !== tree.root().toString('hex')) throw wrong('The log does not continue the trusted checkpoint.');
    progress(sequence);
  }
  const most = Math.max(checkpoints.at(-1)?.treeSize ?? 0, trusted?.treeSize ?? 0);
  if (most > tree.size) throw new Invalid(tree.size + 1, 'checkpoint_mismatch', `The log is cut off: ${most} events were signed.`);
  return { events: tree.size, headHash: hash, covered };
}

async function verify(file, options) {
  const frame = await readFrame(file);
  const keys = options.publicKeys ?? frame.publicKeys.map(({ x }) => keyOf(x));
  const tenantId = options.tenant ?? frame.tenantId;
  const judged = judge(frame, keys, tenantId);
  const { isPart } = frame;
  const base = { tenantId, keySource: options.publicKeys === null ? 'export' : 'option', checkpoints: judged.size, isPart };
  try {
    const { events, headHash, covered } = await (isPart ? walkPart(records(file), { ...options, judged })
      : walk(file, { ...options, tenantId, checkpoints: frame.checkpoints, judged }));
    if (events > 0 && covered === 0) throw new Invalid(events, 'not_checkpointed', 'No checkpoint signs these events, so nothing proves that they are the ones that were written.');
    return { valid: true, ...base, events, headHash, covered, signedAt: (isPart ? [...judged.values()].at(-1) : judged.get(covered))?.timestamp ?? null, uncovered: events - covered, firstFailure: null };
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    return { valid: false, ...base, firstFailure: { sequence: error.sequence, kind: error.kind, detail: error.detail } };
  }
}

function report({ valid, isPart, keySource, tenantId, events, checkpoints, covered, signedAt, uncovered, firstFailure }) {
  return [
    keySource === 'export' && 'WARNING  the keys come from the export itself; give --public-key',
    !valid && `INVALID  event ${firstFailure.sequence}: ${firstFailure.kind}. ${firstFailure.detail}`,
    valid && `VALID    ${events} events of tenant ${tenantId}, ${checkpoints} checkpoints`,
    isPart && valid && `part     every event is one of the log that was signed at ${signedAt}; what was left out, a part does not show`,
    !isPart && covered > 0 && `signed   events 1 to ${covered}, the last checkpoint at ${signedAt}`,
    uncovered > 0 && `unsigned ${uncovered} events after that: linked, but covered by no checkpoint in this export`,
  ].filter(Boolean).join('\n');
}

function progressOf(quiet) {
  let next = performance.now() + PROGRESS_EVERY_MILLISECONDS;
  return (events) => {
    if (quiet || events % 1_000 !== 0 || performance.now() < next) return;
    next += PROGRESS_EVERY_MILLISECONDS;
    console.error(`${events} events …`);
  };
}

function readOptions(args) {
  const { values, positionals } = parseArgs({
    args, allowPositionals: true,
    options: {
      'public-key': { type: 'string', multiple: true }, tenant: { type: 'string' }, 'trusted-checkpoint': { type: 'string' },
      json: { type: 'boolean', default: false }, quiet: { type: 'boolean', default: false }, help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new UsageError('name one export (--help lists the options)');
  statSync(file);
  const trustedFile = values['trusted-checkpoint'];
  return {
    file, json: values.json, tenant: values.tenant ?? null,
    publicKeys: values['public-key']?.flatMap(readKeys) ?? null,
    trusted: trustedFile === undefined ? null : sized(readStrictly(readFileSync(trustedFile), trustedFile), trustedFile),
    progress: progressOf(values.quiet),
  };
}

try {
  const options = readOptions(process.argv.slice(2));
  const result = options && await verify(options.file, options);
  console.log(result === null ? HELP : options.json ? JSON.stringify(result, null, 2) : report(result));
  process.exitCode = result === null || result.valid ? 0 : 1;
} catch (error) {
  console.error(error.message);
  process.exitCode = 2;
}
