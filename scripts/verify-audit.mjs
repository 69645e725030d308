#!/usr/bin/env node
/**
 * Verifies an exported audit log or an evidence pack, offline and with nothing but Node.js 20 or later. This file and
 * the folder beside it import nothing else, so that an auditor can read them in one sitting and keep them independently
 * of the service that wrote the log.
 */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readStrictly, UsageError } from './verify-audit/i-json.mjs';
import { readKeys } from './verify-audit/keys.mjs';
import { sized, verifyLog } from './verify-audit/log.mjs';
import { verifyPack } from './verify-audit/pack.mjs';

const HELP = `Verify an exported audit log, or the evidence pack of an application or business, offline.

Usage: node verify-audit.mjs <export.ndjson | evidence-pack.zip> [options]
  --public-key <key>          the key that signs checkpoints and packs, from a source that you trust: a PEM file, a JWK
                              or JWK set file, or the "x" of a JWK. Repeat it for several. Without it the keys in the
                              export are used, which proves only that the export agrees with itself.
  --tenant <id>               the tenant whose log it must be
  --trusted-checkpoint <file> a checkpoint (JSON) that you kept: the log must continue it
  --json                      print the result as JSON
  --quiet                     print no progress
  --help                      this text

The export has a JSON object on each line: {"type":"header","tenantId":…,"publicKeys":[…]}, {"type":"event","event":…}
in the order of their sequence, {"type":"checkpoint","checkpoint":…}. Checked are: no event is missing (gap), each
continues the one before (link_broken) and is what was hashed (hash_mismatch); every checkpoint is signed by the key,
continues the checkpoint before and signs exactly these events (checkpoint_mismatch). Events after the newest checkpoint
are linked to one another but signed by nobody yet; their number is printed.

A part of the log has a "filter" in its header, and a "proof" of each event: the path to the root of the checkpoint of
that size. Checked are every event, its proof and the signature (not_checkpointed: an event has no proof). That nothing
was left out of a part, no proof can show.

An evidence pack is a ZIP archive with a signed list of its files. Checked are: every byte of the archive is a byte of a
listed file or what such an archive has around its files; each file is there, at its place, as it was signed, and no
other one; the list is signed by the key; each decision rests on the evidence whose digest it names; the application
or business, its documents and consents are what the evidence lists; and the events, as in a part of the log. Every file
that differs is named.

A line is refused that two programs could read differently: with a member twice, a number that not every program can
hold, text that is no Unicode, a byte order mark, or a member that is special to JavaScript.

Exit status: 0 the log or pack holds; 1 it does not, or no checkpoint proves it; 2 wrong options or an unreadable
file.`;

const PROGRESS_EVERY_MILLISECONDS = 2_000;

function report({
  valid,
  isPart,
  keySource,
  tenantId,
  events,
  checkpoints,
  covered,
  signedAt,
  uncovered,
  firstFailure,
}) {
  return [
    keySource === 'export' && 'WARNING  the keys come from the export itself; give --public-key',
    !valid && `INVALID  event ${firstFailure.sequence}: ${firstFailure.kind}. ${firstFailure.detail}`,
    valid && `VALID    ${events} events of tenant ${tenantId}, ${checkpoints} checkpoints`,
    isPart &&
      valid &&
      `part     every event is one of the log that was signed at ${signedAt}; what was left out, a part does not show`,
    !isPart && covered > 0 && `signed   events 1 to ${covered}, the last checkpoint at ${signedAt}`,
    uncovered > 0 && `unsigned ${uncovered} events after that: linked, but covered by no checkpoint in this export`,
  ]
    .filter(Boolean)
    .join('\n');
}

function reportPack({
  valid,
  keySource,
  tenantId,
  applicationId,
  businessId,
  createdAt,
  files,
  decisions,
  events,
  treeSize,
  failures,
}) {
  const about = businessId === null ? `application ${applicationId}` : `business ${businessId}`;
  return [
    keySource === 'export' && 'WARNING  the key comes from the pack itself; give --public-key',
    ...failures.map(({ entry, detail }) => `INVALID  ${entry ?? 'the archive'}: ${detail}`),
    valid && `VALID    the evidence pack of ${about} of tenant ${tenantId}, made at ${createdAt}`,
    valid &&
      `holds    ${files} files, the evidence of ${decisions} decisions, ${events} events proved in a ` +
        `signed log of ${treeSize}`,
  ]
    .filter(Boolean)
    .join('\n');
}

function written(result, { json, isPack }) {
  if (json) return JSON.stringify(result, null, 2);
  return isPack ? reportPack(result) : report(result);
}

/** Also tests the file name, so that a pack whose first bytes were changed is not read as a log. */
function isPack(file) {
  const beginning = Buffer.alloc(2);
  const descriptor = openSync(file);
  readSync(descriptor, beginning, 0, 2, 0);
  closeSync(descriptor);
  return beginning.equals(Buffer.from('PK')) || file.endsWith('.zip');
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
    args,
    allowPositionals: true,
    options: {
      'public-key': { type: 'string', multiple: true },
      tenant: { type: 'string' },
      'trusted-checkpoint': { type: 'string' },
      json: { type: 'boolean', default: false },
      quiet: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new UsageError('name one export or pack (--help lists the options)');
  const trustedFile = values['trusted-checkpoint'];
  return {
    file,
    isPack: isPack(file),
    json: values.json,
    tenant: values.tenant ?? null,
    publicKeys: values['public-key']?.flatMap(readKeys) ?? null,
    trusted:
      trustedFile === undefined ? null : sized(readStrictly(readFileSync(trustedFile), trustedFile), trustedFile),
    progress: progressOf(values.quiet),
  };
}

try {
  const options = readOptions(process.argv.slice(2));
  const result =
    options &&
    (await (options.isPack ? verifyPack(options.file, options) : verifyLog({ file: options.file }, options)));
  console.log(result === null ? HELP : written(result, options));
  process.exitCode = result === null || result.valid ? 0 : 1;
} catch (error) {
  console.error(error.message);
  process.exitCode = 2;
}
