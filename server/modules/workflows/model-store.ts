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
import type { Program } from '../../workflow/program.ts';

/** File of a definition, with what was compiled from it and found about it. Neither changes. */
const model = table(
  'workflow_model',
  {
    tenantId: uuid(),
    definitionId: uuid(),
    environment: code<Environment>(),
    file: bytes().impersonal('a process of the tenant'),
    // A process, or the table of a decision; the kind of the definition says which.
    program: json<Program | DecisionTable>().impersonal('a process of the tenant'),
    findings: json<readonly Finding[]>().impersonal('a process of the tenant'),
    drawing: json<Drawing>().impersonal('a process of the tenant'),
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

/** Returns the compiled form of a definition, which is a process. Every definition has a model. */
export async function programOf(tx: Transaction, definitionId: string): Promise<Program> {
  return (await tx.run(findProgram, { tenantId: tx.tenantId!, definitionId }))[0]!.program as Program;
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
