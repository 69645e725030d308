/** Reads the uploaded file of a definition in a child process. Used by the operations that store one. */
import { FairQueue } from '../../base/fair-queue.ts';
import type { UploadedFile } from '../../contract/operation-types.ts';
import { Problem } from '../../contract/problem.ts';
import type { Decision } from '../../workflow/dmn/read.ts';
import { type Drawing, EMPTY } from '../../workflow/drawing/drawing.ts';
import type { DecisionTable } from '../../workflow/feel/decision-table.ts';
import { error, type Finding } from '../../workflow/finding.ts';
import type { Program } from '../../workflow/program.ts';
import { inChild } from '../../workflow/child/in-child.ts';
import type { ModelContent } from './model-store.ts';
import type { DefinitionDocument } from './present.ts';
import { serviceFindings } from './service-findings.ts';

/** Reads one file at a time, for each tenant in turn. */
const readings = new FairQueue(1);
const MOST_FINDINGS = 1000;

/** What a file was read as, or null where it could not be. */
export interface ReadFile {
  readonly model: Model | null;
  readonly findings: readonly Finding[];
  readonly drawing: Drawing;
}

/** The process or the decision table of a file. */
interface Model {
  readonly kind: 'workflow' | 'decision_table';
  readonly key: string;
  readonly name: string | null;
  readonly program: Program | DecisionTable;
  readonly jobTypes: readonly string[];
}

function processIn(program: Program | null): Model | null {
  const first = program?.processes[0];
  if (program === null || first === undefined) return null;
  const jobTypes = [...new Set(program.nodes.flatMap(({ job }) => (job === undefined ? [] : [job.type])))].sort();
  return {
    kind: 'workflow',
    key: first.id,
    name: first.name ?? null,
    program,
    jobTypes,
  };
}

function tableIn(decision: Decision | null): Model | null {
  if (decision === null) return null;
  return {
    kind: 'decision_table',
    key: decision.id,
    name: decision.name ?? null,
    program: decision.table,
    jobTypes: [],
  };
}

/** Reads the file in a child process, before the transaction of the request begins. */
export function readFile(tenantId: string, { bytes }: UploadedFile): Promise<ReadFile> {
  return readings.run(tenantId, async () => {
    const answer = await inChild({ do: 'read', file: bytes });
    if (answer === 'exceeded' || (answer.did !== 'read' && answer.did !== 'read_decision')) {
      const findings = [error('xml_malformed', null, 'Reading the file takes too much time.')];
      return { model: null, findings, drawing: EMPTY };
    }
    const { findings, drawing } = answer;
    if (answer.did === 'read_decision') return { model: tableIn(answer.decision), findings, drawing };
    const more = answer.program === null ? [] : serviceFindings(answer.program);
    return { model: processIn(answer.program), findings: [...findings, ...more], drawing };
  });
}

/** What was read from a file that holds something to execute. */
interface Readable extends ReadFile {
  readonly model: Model;
}

/** Returns what was read with everything that was found, errors first, or refuses a file with nothing to execute. */
export function assertReadable({ model, findings, drawing }: ReadFile): Readable {
  const sorted = findings.toSorted((one, other) => one.severity.localeCompare(other.severity)).slice(0, MOST_FINDINGS);
  if (model !== null) return { model, findings: sorted, drawing };
  throw new Problem('workflow_unreadable', {
    errors: sorted.slice(0, 100).map(({ code, message }) => ({ pointer: '/file', code, message })),
  });
}

/** Returns what two people agree on when they activate the file. */
export const documentOfFile = ({ name, jobTypes }: Model, { sha256 }: UploadedFile) =>
  ({ name, fileSha256: sha256, jobTypes }) satisfies DefinitionDocument;

/** Returns the file with what was read from it, as it is stored beside the definition. */
export function contentOf({ model, findings, drawing }: Readable, { bytes }: UploadedFile): ModelContent {
  return {
    file: bytes,
    program: model.program,
    findings,
    drawing,
  };
}
