/**
 * Types of an import: the order, its counts, and the version that would become active. Used by the files of the import
 * and exported by the index. They contain no behaviour.
 */
import type { RealTime } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import type { ListBounds } from '../../screening/sources/list-bounds.ts';
import type { ListFiles as FilesOfList } from '../../screening/sources/reading.ts';
import type { QuarantinedName } from '../../screening/sources/source-file.ts';
import type { ListKey } from './store.ts';

export interface Counts {
  readonly entryCount: number;
  readonly added: number;
  readonly changed: number;
  readonly matchChanged: number;
  readonly removed: number;
}

/** Names that are left out of the entries of a version: their number, and the first of them. */
export interface Quarantine {
  readonly quarantinedNames: number;
  readonly quarantine: readonly QuarantinedName[];
}

/** The version that a file would make active. */
export interface Candidate extends Counts, Quarantine {
  readonly version: string;
  readonly publishedOn: string | null;
  readonly sha256: string;
  /** Sequence of the version that it was compared with. */
  readonly after: number;
}

/** Files of a list on disk. */
export interface ListFiles extends FilesOfList {
  readonly files: Readonly<Record<string, string>> & { readonly main: string };
}

export interface ImportOrder extends ListKey, ListFiles {
  /** Name of the version; by default its day and the beginning of its checksum. */
  readonly version?: string | undefined;
  /** Day of publication, for files that do not contain it. */
  readonly publishedOn?: string | undefined;
  /** Day from the file name or from the publisher's response, used if no better one is known. */
  readonly namedOn?: string | undefined;
  /** Expected checksum of the main file. */
  readonly sha256?: string | undefined;
  /** Confirmation that missing or changed entries are right. A function is called only if too many are. */
  readonly mayShrink?: boolean | ((candidate: Candidate) => Promise<boolean>) | undefined;
  /** Whether many changes relevant to matching need a confirmation, too. */
  readonly doubtsChanges?: boolean | undefined;
  /** Whether a publication that is older than the active one is accepted. */
  readonly mayBeOlder?: boolean | undefined;
  /** Limits of the file; by default far more than any published list has. */
  readonly bounds?: ListBounds | undefined;
  readonly by: components['schemas']['Actor'];
  readonly now: RealTime;
  /** Cancels the import at any time before the version is stored. */
  readonly signal?: AbortSignal | undefined;
}
