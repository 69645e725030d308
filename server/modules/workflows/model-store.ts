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
    program: json<Program>().impersonal('a process of the tenant'),
    findings: json<readonly Finding[]>().impersonal('a process of the tenant'),
    createdAt: timestamp(),
  },
  { owner: 'tenant', sandboxReset: 'cascade', insertedBy: 'app' },
);

const content = model.select('program', 'findings');
const file = model.select('file');
type Key = { tenantId: string; definitionId: string };

const insert = statement<InsertOf<typeof model>>('workflowModel.insert', (p) => model.insert(p));

const find = statement<Key, RowOf<typeof content>>(
  'workflowModel.find',
  (p) => sql`
  SELECT ${content} FROM workflow_model
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

/** Returns what was compiled and found. Every definition of the kind has a model. */
export async function modelOf(tx: Transaction, definitionId: string): Promise<RowOf<typeof content>> {
  return (await tx.run(find, { tenantId: tx.tenantId!, definitionId }))[0]!;
}

export async function fileOf(tx: Transaction, definitionId: string): Promise<Buffer> {
  return (await tx.run(findFile, { tenantId: tx.tenantId!, definitionId }))[0]!.file;
}
