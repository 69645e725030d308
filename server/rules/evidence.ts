/**
 * The evidence of a decision as a list that can be compared: each item has the hash of its content. A caller who
 * decides or confirms names the digest of the list, so that a decision always concerns the evidence that the caller has
 * read. Used by the modules applications and decisions. A changed form makes stored digests incomparable.
 */
import { createHash } from 'node:crypto';
import { canonicalJson, type Json } from '../base/canonical-json.ts';
import type { Environment } from '../contract/operation.ts';
import type { Subject } from './subject.ts';

/** Kinds of evidence. Each kind is contributed by the module that stores it. */
export type EvidenceKind =
  | 'applicant'
  | 'business'
  | 'check'
  | 'consent'
  | 'document'
  | 'information_request'
  | 'ownership'
  | 'policy'
  | 'power'
  | 'registry'
  | 'risk_assessment'
  | 'screening'
  | 'verification'
  | 'waiver';

export type EvidenceItem = {
  readonly kind: EvidenceKind;
  readonly id: string;
  /** Version number, if the content is changed in numbered versions. */
  readonly version: number | null;
  /** SHA-256 of the item's content, 64 hexadecimal digits. */
  readonly hash: string | null;
};

const FORMAT = 'evidence-manifest/1';

export type EvidenceManifest = {
  readonly format: typeof FORMAT;
  readonly environment: Environment;
  readonly subject: Subject;
  /** Items sorted by kind, then by id; each item occurs once. */
  readonly items: readonly EvidenceItem[];
};

type Version = Pick<EvidenceItem, 'version' | 'hash'>;

export interface EvidenceChange extends Pick<EvidenceItem, 'kind' | 'id'> {
  readonly change: 'added' | 'removed' | 'changed';
  readonly before: Version | null;
  readonly after: Version | null;
}

/**
 * Returns an item with the hash of the members that a decision is based on. They are unmasked, whoever the reader is.
 */
export function evidenceItem(
  kind: EvidenceKind,
  id: string,
  view: object,
  version: number | null = null,
): EvidenceItem {
  return {
    kind,
    id,
    version,
    hash: sha256(canonicalJson(view as Json)),
  };
}

export function evidenceManifest(
  subject: Subject,
  environment: Environment,
  items: readonly EvidenceItem[],
): EvidenceManifest {
  const sorted = [...items].sort(byKindAndId);
  for (const [at, item] of sorted.entries()) {
    const next = sorted[at + 1];
    if (next !== undefined && byKindAndId(item, next) === 0)
      throw new TypeError(`${item.kind} ${item.id} is in the manifest twice`);
  }
  return {
    format: FORMAT,
    environment,
    subject,
    items: sorted,
  };
}

/** Returns the digest of the canonical form (RFC 8785), which does not depend on the implementation. */
export function evidenceDigest(manifest: EvidenceManifest): string {
  return `sha256:${sha256(canonicalJson(manifest))}`;
}

/** Lists the differences between two manifests; the list is empty exactly if the digests are equal. */
export function evidenceChanges(before: EvidenceManifest, after: EvidenceManifest): EvidenceChange[] {
  if (canonicalJson(about(before)) !== canonicalJson(about(after)))
    throw new TypeError('manifests of different subjects cannot be compared');
  const [was, is] = [byKey(before), byKey(after)];
  const removedOrChanged = before.items.flatMap((item): EvidenceChange[] => {
    const now = is.get(keyOf(item));
    if (now === undefined) return [changeOf(item, 'removed', item, null)];
    return now.version === item.version && now.hash === item.hash ? [] : [changeOf(item, 'changed', item, now)];
  });
  const added = after.items.filter((item) => !was.has(keyOf(item))).map((item) => changeOf(item, 'added', null, item));
  return [...removedOrChanged, ...added].sort(byKindAndId);
}

function about({ format, environment, subject: { kind, id } }: EvidenceManifest): Json {
  return { format, environment, subject: { kind, id } };
}

function byKey({ items }: EvidenceManifest): Map<string, EvidenceItem> {
  return new Map(items.map((item) => [keyOf(item), item]));
}

function keyOf({ kind, id }: Pick<EvidenceItem, 'kind' | 'id'>): string {
  return `${kind} ${id}`;
}

function changeOf(
  { kind, id }: EvidenceItem,
  change: EvidenceChange['change'],
  before: Version | null,
  after: Version | null,
): EvidenceChange {
  const versionOf = (of: Version | null): Version | null => of && { version: of.version, hash: of.hash };
  return {
    kind,
    id,
    change,
    before: versionOf(before),
    after: versionOf(after),
  };
}

/** Compares by UTF-16 code units, like the canonical form. */
function byKindAndId(one: Pick<EvidenceItem, 'kind' | 'id'>, other: Pick<EvidenceItem, 'kind' | 'id'>): number {
  if (one.kind !== other.kind) return one.kind < other.kind ? -1 : 1;
  if (one.id !== other.id) return one.id < other.id ? -1 : 1;
  return 0;
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
