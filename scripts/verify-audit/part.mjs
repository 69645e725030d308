/**
 * Verifies a part of a log: its events are not consecutive, so each has a proof of inclusion in a signed tree (RFC
 * 6962).
 */
import { checkEvent, Invalid, nodeHash } from './event.mjs';

/**
 * Returns the root that an inclusion proof leads to (RFC 9162 section 2.1.3.2); null if the proof does not fit a tree
 * of that size.
 */
function rootOf(leaf, index, treeSize, path) {
  let [hash, place, last] = [leaf, index, treeSize - 1];
  if (index >= treeSize) return null;
  for (const step of path) {
    if (last === 0 || !/^[0-9a-f]{64}$/.test(step)) return null;
    const sibling = Buffer.from(step, 'hex');
    if (place % 2 === 1 || place === last) {
      hash = nodeHash(sibling, hash);
      for (; place % 2 === 0 && place !== 0; place /= 2) last = Math.floor(last / 2);
    } else hash = nodeHash(hash, sibling);
    [place, last] = [Math.floor(place / 2), Math.floor(last / 2)];
  }
  return last === 0 ? hash.toString('hex') : null;
}

/** Checks every event by itself and by its proof. */
export async function walkPart(records, { judged, trusted, progress }) {
  let before = { sequence: 0, hash: null };
  let events = 0;
  for await (const record of records) {
    if (record.type !== 'event') continue;
    const { sequence } = record.event ?? {};
    if (!Number.isSafeInteger(sequence) || sequence <= before.sequence)
      throw new Invalid(before.sequence + 1, 'gap', 'The events are not in the order of their sequence.');
    const leaf = checkEvent(record.event, sequence, before.sequence + 1 === sequence ? before.hash : null);
    const { treeSize, path } = record.proof ?? {};
    if (!Array.isArray(path))
      throw new Invalid(
        sequence,
        'not_checkpointed',
        'The event has no proof, so nothing shows that it is one of the log.',
      );
    const checkpoint = judged.get(treeSize);
    const wrong =
      checkpoint === undefined
        ? 'The proof leads to no checkpoint of this export.'
        : (checkpoint.fault ??
          (rootOf(leaf, sequence - 1, treeSize, path) === checkpoint.rootHash
            ? null
            : 'The proof does not lead to what the checkpoint signed.') ??
          (trusted?.treeSize === treeSize && trusted.rootHash !== checkpoint.rootHash
            ? 'The log does not continue the trusted checkpoint.'
            : null));
    if (wrong !== null) throw new Invalid(sequence, 'checkpoint_mismatch', wrong);
    before = { sequence, hash: record.event.hash };
    events += 1;
    progress(events);
  }
  return { events, headHash: before.hash, covered: events };
}
