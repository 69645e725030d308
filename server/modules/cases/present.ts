import type { components } from '../../contract/generated/types.ts';
import type { AnyPrincipal } from '../../contract/operation.ts';
import { shown } from '../../rules/mask.ts';
import type { CaseContents } from './read-case.ts';
import type { CaseRecord } from './store.ts';

type Schemas = components['schemas'];
interface Reader {
  readonly principal: AnyPrincipal;
}

/** Presents a case in a list, without its notes, documents, resolutions and evidence digest. */
export function presentInList(record: CaseRecord): Schemas['ReviewCase'] {
  const {
    clockStartedAt: _started,
    slaHours: _hours,
    waitedMs: _waited,
    erasedAt: _erased,
    analysisDueAt,
    freezeDueAt,
    relatedCaseIds,
    ...own
  } = record;
  return {
    ...own,
    relatedCaseIds: relatedCaseIds as Schemas['Id'][],
    statutory: { analysisDueAt, freezeDueAt },
  };
}

/** Presents a case with everything that belongs to it. */
export function presentCase(
  record: CaseRecord,
  { notes, documents, resolutions, evidenceDigest }: CaseContents,
  reader: Reader,
): Schemas['ReviewCase'] {
  return shown(
    'ReviewCase',
    {
      ...presentInList(record),
      notes,
      documents,
      resolutions,
      evidenceDigest,
    },
    reader,
  );
}
