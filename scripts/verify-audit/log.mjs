/** Reads an exported log, or a part of one: a header, events and checkpoints, one JSON object per line. */
import { createReadStream } from 'node:fs';
import { canonical, checkEvent, Invalid, nodeHash, sha256 } from './event.mjs';
import { readStrictly, UsageError } from './i-json.mjs';
import { byKeyId, isSigned, keyOf } from './keys.mjs';
import { walkPart } from './part.mjs';

const LONGEST_LINE = 16 * 1024 * 1024;

/**
 * Merkle tree of RFC 6962 section 2.1, stored as its complete subtrees: returns the root at any size, with memory that
 * grows with log2(size).
 */
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

/**
 * Splits at line feeds only, because U+2028, at which other line readers split too, may occur in the text of an event.
 * `start` and `end` delimit the log within the file.
 */
async function* lines({ file, start, end }) {
  let rest = Buffer.alloc(0);
  let number = 0;
  for await (const chunk of createReadStream(file, { start, end, highWaterMark: 1024 * 1024 })) {
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

async function* records(source) {
  const { file } = source;
  for await (const { number, line } of lines(source)) {
    const record = readStrictly(line, `line ${number} of ${file}`);
    if (record === null || typeof record !== 'object' || Array.isArray(record))
      throw new UsageError(`line ${number} of ${file} is not an object`);
    if (!['header', 'event', 'checkpoint'].includes(record.type))
      throw new UsageError(`line ${number} of ${file} is no header, event or checkpoint`);
    if ((record.type === 'header') !== (number === 1))
      throw new UsageError(`line ${number} of ${file}: the header is the first line, and no other`);
    yield record;
  }
}

/**
 * Rejects a size that is not a number: it would never equal the number of an event, so the checkpoint would go
 * unchecked.
 */
export function sized(checkpoint, file) {
  if (!Number.isSafeInteger(checkpoint?.treeSize) || checkpoint.treeSize < 1)
    throw new UsageError(`a checkpoint in ${file} has no size`);
  return checkpoint;
}

/** First pass: reads tenant, keys and checkpoints, which are few compared with events. */
async function readFrame(source) {
  const frame = {
    tenantId: null,
    publicKeys: [],
    checkpoints: [],
    isPart: false,
  };
  for await (const record of records(source)) {
    if (record.type === 'header')
      Object.assign(frame, {
        tenantId: record.tenantId ?? frame.tenantId,
        publicKeys: record.publicKeys ?? frame.publicKeys,
        isPart: 'filter' in record,
      });
    else if (record.type === 'checkpoint') frame.checkpoints.push(sized(record.checkpoint, source.file));
  }
  frame.checkpoints.sort((a, b) => a.treeSize - b.treeSize);
  if (frame.tenantId === null) throw new UsageError(`${source.file} is not an export: it has no header`);
  return frame;
}

/** Returns what each checkpoint claims, and its errors that can be found without the events. */
function judge({ checkpoints, isPart }, keys, tenantId) {
  const known = byKeyId(keys);
  const judged = new Map();
  let previous = null;
  for (const { signature, ...body } of checkpoints) {
    const text = canonical(body);
    const faultOf = () => {
      if (!isSigned(Buffer.from(text), signature, known.get(body.keyId)))
        return 'The checkpoint was not signed by the key.';
      if (body.tenantId !== tenantId) return 'The checkpoint belongs to another tenant.';
      return !isPart && body.previousCheckpointHash !== previous
        ? 'The checkpoint does not continue the one before it.'
        : null;
    };
    judged.set(body.treeSize, {
      rootHash: body.rootHash,
      headHash: body.headHash,
      timestamp: body.timestamp,
      fault: judged.get(body.treeSize)?.fault ?? faultOf(),
    });
    previous = sha256(text).toString('hex');
  }
  return judged;
}

/** Second pass: checks every event, and each checkpoint at the event where it ends. */
async function walk(source, { tenantId, checkpoints, judged, trusted, progress }) {
  const tree = new Tree();
  let hash = sha256(String(tenantId)).toString('hex');
  let covered = 0;
  for await (const record of records(source)) {
    if (record.type !== 'event') continue;
    const sequence = tree.size + 1;
    tree.append(checkEvent(record.event ?? {}, sequence, hash));
    hash = record.event.hash;
    const checkpoint = judged.get(sequence);
    const wrong = (detail) => new Invalid(sequence, 'checkpoint_mismatch', detail);
    if (checkpoint !== undefined) {
      if (checkpoint.fault !== null) throw wrong(checkpoint.fault);
      if (checkpoint.rootHash !== tree.root().toString('hex'))
        throw wrong('The events are not those that the checkpoint signed.');
      if (checkpoint.headHash !== hash) throw wrong('The checkpoint signed another last event.');
      covered = sequence;
    }
    if (trusted?.treeSize === sequence && trusted.rootHash !== tree.root().toString('hex'))
      throw wrong('The log does not continue the trusted checkpoint.');
    progress(sequence);
  }
  const most = Math.max(checkpoints.at(-1)?.treeSize ?? 0, trusted?.treeSize ?? 0);
  if (most > tree.size)
    throw new Invalid(tree.size + 1, 'checkpoint_mismatch', `The log is cut off: ${most} events were signed.`);
  return { events: tree.size, headHash: hash, covered };
}

export async function verifyLog(source, options) {
  const frame = await readFrame(source);
  const keys = options.publicKeys ?? frame.publicKeys.map(({ x }) => keyOf(x));
  const tenantId = options.tenant ?? frame.tenantId;
  const judged = judge(frame, keys, tenantId);
  const { isPart } = frame;
  const base = {
    tenantId,
    keySource: options.publicKeys === null ? 'export' : 'option',
    checkpoints: judged.size,
    isPart,
  };
  try {
    const { events, headHash, covered } = await (isPart
      ? walkPart(records(source), { ...options, judged })
      : walk(source, {
          ...options,
          tenantId,
          checkpoints: frame.checkpoints,
          judged,
        }));
    if (events > 0 && covered === 0)
      throw new Invalid(
        events,
        'not_checkpointed',
        'No checkpoint signs these events, so nothing proves that they are the ones that were written.',
      );
    return {
      valid: true,
      ...base,
      events,
      headHash,
      covered,
      signedAt: (isPart ? [...judged.values()].at(-1) : judged.get(covered))?.timestamp ?? null,
      uncovered: events - covered,
      firstFailure: null,
    };
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    return {
      valid: false,
      ...base,
      firstFailure: { sequence: error.sequence, kind: error.kind, detail: error.detail },
    };
  }
}
