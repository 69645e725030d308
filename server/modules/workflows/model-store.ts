/** The table of uploaded files. It stands apart from definitions, because a file is large and few requests need it. */
import type { RealTime } from '../../base/time.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  bytes,
  type InsertOf,
  json,
  code,
  type RowOf,
  sql,
  statement,
  table,
  timestamp,
  type Transaction,
  uuid,
} from '../../database/index.ts';
import type { Drawing } from '../../workflow/drawing/drawing.ts';
import type { DecisionTable } from '../../workflow/feel/decision-table.ts';
import type { Finding } from '../../workflow/finding.ts';
import { type Program, programIn } from '../../workflow/program.ts';

const REVISED = 'the author replaces the file of the draft';

/** File of a definition, with what was compiled from it and found about it. They change while it is a draft. */
const model = table(
  'workflow_model',
  {
    tenantId: uuid(),
    definitionId: uuid(),
    environment: code<Environment>(),
    file: bytes().impersonal('a process of the tenant').changes(REVISED),
    // A process, or the table of a decision; the kind of the definition says which.
    program: json<Program | DecisionTable>().impersonal('a process of the tenant').changes(REVISED),
    findings: json<readonly Finding[]>().impersonal('a process of the tenant').changes(REVISED),
    drawing: json<Drawing>().impersonal('a process of the tenant').changes(REVISED),
    createdAt: timestamp(),
  },
  { owner: 'tenant', sandboxReset: 'cascade', insertedBy: 'app' },
);

const program = model.select('program');
const findings = model.select('findings');
const drawing = model.select('drawing');
const file = model.select('file');
type Key = { tenantId: string; definitionId: string };

const insert = statement<InsertOf<typeof model>>('workflowModel.insert', (p) => model.insert(p));

/** Content of a file, apart from the definition that it belongs to. */
export type ModelContent = Pick<InsertOf<typeof model>, 'file' | 'program' | 'findings' | 'drawing'>;

const replace = statement<Key & ModelContent>(
  'workflowModel.replace',
  (p) => sql`
  UPDATE workflow_model
    SET ${model.assign({
      file: p.file,
      program: p.program,
      findings: p.findings,
      drawing: p.drawing,
    })}
    WHERE ${model.equal({ tenantId: p.tenantId, definitionId: p.definitionId })}`,
  { expectRows: 1 },
);

const findProgram = statement<Key, RowOf<typeof program>>(
  'workflowModel.program',
  (p) => sql`
  SELECT ${program} FROM workflow_model
    WHERE ${model.equal({ tenantId: p.tenantId, definitionId: p.definitionId })}`,
);

const findFindings = statement<Key, RowOf<typeof findings>>(
  'workflowModel.findings',
  (p) => sql`
  SELECT ${findings} FROM workflow_model
    WHERE ${model.equal({ tenantId: p.tenantId, definitionId: p.definitionId })}`,
);

const findDrawing = statement<Key, RowOf<typeof drawing>>(
  'workflowModel.drawing',
  (p) => sql`
  SELECT ${drawing} FROM workflow_model
    WHERE ${model.equal({ tenantId: p.tenantId, definitionId: p.definitionId })}`,
);

const findFile = statement<Key, RowOf<typeof file>>(
  'workflowModel.file',
  (p) => sql`
  SELECT ${file} FROM workflow_model
    WHERE ${model.equal({ tenantId: p.tenantId, definitionId: p.definitionId })}`,
);

export function insertModel(
  tx: Transaction,
  row: Omit<InsertOf<typeof model>, 'tenantId' | 'createdAt'>,
  now: RealTime,
): void {
  void tx.run(insert, { ...row, tenantId: tx.tenantId!, createdAt: now });
}

/** Replaces the file of a draft. The caller must have locked the definition and must change its document too. */
export function replaceModel(tx: Transaction, definitionId: string, content: ModelContent): void {
  void tx.run(replace, { tenantId: tx.tenantId!, definitionId, ...content });
}

/** Returns the compiled form of a definition, which is a process. Every definition has a model. */
export async function programOf(tx: Transaction, definitionId: string): Promise<Program> {
  return programIn((await tx.run(findProgram, { tenantId: tx.tenantId!, definitionId }))[0]!.program as Program);
}

/** Returns the table of a definition, which is a decision table. */
export async function tableOf(tx: Transaction, definitionId: string): Promise<DecisionTable> {
  return (await tx.run(findProgram, { tenantId: tx.tenantId!, definitionId }))[0]!.program as DecisionTable;
}

export async function findingsOf(tx: Transaction, definitionId: string): Promise<readonly Finding[]> {
  return (await tx.run(findFindings, { tenantId: tx.tenantId!, definitionId }))[0]!.findings;
}

export async function drawingOf(tx: Transaction, definitionId: string): Promise<Drawing> {
  return (await tx.run(findDrawing, { tenantId: tx.tenantId!, definitionId }))[0]!.drawing;
}

export async function fileOf(tx: Transaction, definitionId: string): Promise<Buffer> {
  return (await tx.run(findFile, { tenantId: tx.tenantId!, definitionId }))[0]!.file;
}
