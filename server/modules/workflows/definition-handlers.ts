/** Operations on process definitions, from the upload of a file to the day on which a version is retired. */
import { createHash } from 'node:crypto';
import type { Json } from '../../base/canonical-json.ts';
import { FairQueue } from '../../base/fair-queue.ts';
import { actorOf } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import { type Context, type Handlers, type PreparationInput, withPreparation } from '../../request/handler.ts';
import { type Cursors, DEFAULT_LIMIT, filtersOf, type Page, pageOf } from '../../request/pagination.ts';
import { etagOf } from '../../request/preconditions.ts';
import { error, type Finding } from '../../workflow/finding.ts';
import type { Program } from '../../workflow/program.ts';
import { inThread } from '../../workflow/thread/in-thread.ts';
import {
  createDraft,
  type Definition,
  findActivation,
  findDefinition,
  listDefinitions,
  refusalOf,
  requestActivation,
  retire,
  reviewActivation,
} from '../definitions/index.ts';
import { lookup } from './lookup.ts';
import { fileOf, insertModel, modelOf } from './model-store.ts';
import {
  type ActivationEvidence,
  type DefinitionDocument,
  noteOf,
  presentDefinition,
  presentDefinitionInList,
} from './present.ts';
import { serviceFindings } from './service-findings.ts';

const about = ({ id }: Pick<Definition, 'id'>) => ({ type: 'workflow_definition', id }) as const;

/** Reads one file at a time, for each tenant in turn. */
const readings = new FairQueue(1);
const MOST_FINDINGS = 1000;

interface ReadFile {
  readonly program: Program | null;
  readonly findings: readonly Finding[];
}

/** Reads the file in a thread, before the transaction of the request begins. */
function readFile({ principal, files }: PreparationInput<'createWorkflowDefinition'>): Promise<ReadFile> {
  return readings.run(principal.tenantId, async () => {
    const answer = await inThread({ do: 'read', file: files.file.bytes });
    if (answer !== 'exceeded' && answer.did === 'read') return answer;
    return { program: null, findings: [error('xml_malformed', null, 'Reading the file takes too much time.')] };
  });
}

/** Returns everything that was found, errors first, or refuses a file without a process that can be executed. */
function assertReadable({ program, findings }: ReadFile): { readonly program: Program; readonly findings: Finding[] } {
  const all = [...findings, ...(program === null ? [] : serviceFindings(program))];
  const sorted = all.toSorted((one, other) => one.severity.localeCompare(other.severity)).slice(0, MOST_FINDINGS);
  if (program !== null && program.processes.length > 0) return { program, findings: sorted };
  throw new Problem('workflow_unreadable', {
    errors: sorted.slice(0, 100).map(({ code, message }) => ({ pointer: '/file', code, message })),
  });
}

async function upload(ctx: Context<'createWorkflowDefinition'>, read: ReadFile): Promise<Definition> {
  const { tx, environment, principal, files, now } = ctx;
  const { program, findings } = assertReadable(read);
  const first = program.processes[0]!;
  const document: DefinitionDocument = {
    name: first.name ?? null,
    fileSha256: createHash('sha256').update(files.file.bytes).digest('hex'),
    jobTypes: [...new Set(program.nodes.flatMap(({ job }) => (job === undefined ? [] : [job.type])))].sort(),
  };
  const made = await createDraft(tx, {
    environment,
    kind: 'workflow',
    key: first.id,
    document: document as unknown as Json,
    createdBy: actorOf(principal),
    now,
  });
  const file = Buffer.from(files.file.bytes);
  insertModel(
    tx,
    {
      definitionId: made.id,
      environment,
      file,
      program,
      findings,
    },
    now,
  );
  return made;
}

/** Returns one page of one environment: the one that the request names, else the effective one. */
async function definitionPage(
  ctx: Context<'listWorkflowDefinitions'>,
  cursors: Cursors,
): Promise<Page<ReturnType<typeof presentDefinitionInList>>> {
  const {
    tx,
    principal: { tenantId },
    query,
    operationId,
  } = ctx;
  const { limit = DEFAULT_LIMIT, environment = ctx.environment, status = [], key } = query;
  if (!ctx.visible.includes(environment)) return { items: [], cursor: null, hasMore: false };
  ctx.setResourceEnvironment(environment);
  const binding = { tenantId, operationId, filters: { ...filtersOf(query), environment } };
  const after = query.cursor === undefined ? null : cursors.decode(binding, query.cursor);
  const rows = await listDefinitions(
    tx,
    {
      environment,
      kind: 'workflow',
      key,
      statuses: status,
    },
    { direction: 'desc', after, count: limit + 1 },
  );
  return pageOf(rows, limit, presentDefinitionInList, {
    cursors,
    binding,
    positionOf: ({ number, id }) => [number, id],
  });
}

/** Returns what a request for activation rests on: how much was found about the file, and what its maker says. */
async function evidenceOf(tx: Transaction, id: string, note: string | null): Promise<ActivationEvidence> {
  const { findings } = await modelOf(tx, id);
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  return { errors, warnings: findings.length - errors, note };
}

type Operations =
  | 'createWorkflowDefinition'
  | 'listWorkflowDefinitions'
  | 'getWorkflowDefinition'
  | 'downloadWorkflowDefinitionXml'
  | 'activateWorkflowDefinition'
  | 'reviewWorkflowDefinitionActivation'
  | 'retireWorkflowDefinition';

export const definitionHandlers = ({ cursors }: { readonly cursors: Cursors }): Pick<Handlers, Operations> => ({
  createWorkflowDefinition: withPreparation<'createWorkflowDefinition', ReadFile>(readFile, async (ctx, read) => {
    ctx.setResourceEnvironment(ctx.environment);
    const made = await upload(ctx, read);
    ctx.audit('workflow.definition_created', about(made), { key: made.key, number: made.number });
    return ctx.reply(201, await presentDefinition(ctx.tx, made), { Location: `/v1/workflows/definitions/${made.id}` });
  }),

  listWorkflowDefinitions: async (ctx) => ctx.reply(200, await definitionPage(ctx, cursors)),

  getWorkflowDefinition: async (ctx) => {
    const found = await lookup(ctx).definition(ctx.params.workflowDefinitionId).forReading();
    return ctx.reply(200, await presentDefinition(ctx.tx, found), { ETag: etagOf(found.version) });
  },

  downloadWorkflowDefinitionXml: async (ctx) => {
    const found = await lookup(ctx).definition(ctx.params.workflowDefinitionId).forReading();
    const disposition = `attachment; filename="process-${found.number}.bpmn"`;
    return ctx.reply(200, await fileOf(ctx.tx, found.id), { 'Content-Disposition': disposition });
  },

  activateWorkflowDefinition: async (ctx) => {
    const { tx, body, principal, now } = ctx;
    const found = await lookup(ctx).definition(ctx.params.workflowDefinitionId).forChangeWithoutLock();
    if (found.status !== 'draft') throw refusalOf(found);
    const evidence = await evidenceOf(tx, found.id, body.note ?? null);
    if (evidence.errors > 0) throw new Problem('workflow_unsound');
    await requestActivation(tx, found.id, {
      checksum: body.checksum,
      evidence: { ...evidence },
      maker: principal,
      now,
    });
    const pending = (await findDefinition(tx, found.id))!;
    ctx.audit('workflow.definition_activation_requested', about(pending), { checksum: pending.checksum });
    return ctx.reply(202, await presentDefinition(tx, pending));
  },

  reviewWorkflowDefinitionActivation: async (ctx) => {
    const { tx, body, principal, now } = ctx;
    const found = await lookup(ctx).definition(ctx.params.workflowDefinitionId).forChangeWithoutLock();
    const activation = await findActivation(tx, ctx.params.activationId);
    if (activation === null || activation.definitionId !== found.id) throw new Problem('not_found');
    const { outcome, definition } = await reviewActivation(tx, activation.id, {
      verdict: body.verdict,
      note: body.note,
      digest: body.evidenceDigest,
      evidence: { ...(await evidenceOf(tx, found.id, noteOf(activation))) },
      checker: principal,
      now,
    });
    if (outcome === 'confirmed')
      ctx.audit('workflow.definition_activated', about(definition), { checksum: definition.checksum });
    else ctx.audit('workflow.definition_returned', about(definition), { outcome });
    if (outcome === 'stale') throw new Problem('evidence_changed').keeping();
    return ctx.reply(200, await presentDefinition(tx, definition));
  },

  retireWorkflowDefinition: async (ctx) => {
    const found = await lookup(ctx).definition(ctx.params.workflowDefinitionId).forChangeWithoutLock();
    const retired = await retire(ctx.tx, found.id, ctx.now);
    ctx.audit('workflow.definition_retired', about(retired));
    return ctx.reply(200, await presentDefinition(ctx.tx, retired));
  },
});
