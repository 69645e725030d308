/** Opens a version of the ownership with the key of its business. Used by this module and by evidence packs. */
import type { KeyObject } from 'node:crypto';
import type { components } from '../../contract/generated/types.ts';
import { openedRow } from '../subject-keys/index.ts';
import type { Assessment } from './assessment.ts';
import type { RecordedGraph } from './recorded-graph.ts';
import { type OwnershipVersion, ownershipVersion } from './store.ts';

type Schemas = components['schemas'];

/** A version with its content. */
export interface Opened {
  readonly graph: RecordedGraph;
  readonly assessment: Assessment;
  readonly version: number;
  readonly createdAt: string | null;
  readonly createdBy: Schemas['Actor'] | null;
}

export function openedVersion(row: OwnershipVersion, key: KeyObject | null): Opened {
  const { graph, assessment, version, createdAt, createdBy } = openedRow(ownershipVersion, row, key);
  return {
    graph: JSON.parse(graph) as RecordedGraph,
    assessment: JSON.parse(assessment) as Assessment,
    version,
    createdAt,
    createdBy,
  };
}
