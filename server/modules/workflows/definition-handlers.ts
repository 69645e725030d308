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
import type { Decision } from '../../workflow/dmn/read.ts';
import type { Mark } from '../../workflow/drawing/draw.ts';
import { type Drawing, EMPTY } from '../../workflow/drawing/drawing.ts';
import type { DecisionTable } from '../../workflow/feel/decision-table.ts';
import { error, type Finding } from '../../workflow/finding.ts';
import type { Program } from '../../workflow/program.ts';
import { inChild } from '../../workflow/child/in-child.ts';
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
import { drawn } from './history-handlers.ts';
import { lookup } from './lookup.ts';
import { drawingOf, fileOf, findingsOf, insertModel } from './model-store.ts';
import {
  type ActivationEvidence,
  type DefinitionDocument,
  noteOf,
  presentDefinition,
  presentDefinitionInList,
} from './present.ts';
import { serviceFindings } from './service-findings.ts';
import { dropStarts, replaceStarts } from './starts.ts';

const about = ({ id }: Pick<Definition, 'id'>) => ({ type: 'workflow_definition', id }) as const;

/** Reads one file at a time, for each tenant in turn. */
const readings = new FairQueue(1);
const MOST_FINDINGS = 1000;

/** Kinds of definitions that this module owns. */
const KINDS = ['workflow', 'decision_table'] as const;

/** What a file was read as, or null where it could not be. */
interface ReadFile {
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
function readFile({ principal, files }: PreparationInput<'createWorkflowDefinition'>): Promise<ReadFile> {
  return readings.run(principal.tenantId, async () => {
    const answer = await inChild({ do: 'read', file: files.file.bytes });
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

/** Returns what was read with everything that was found, errors first, or refuses a file with nothing to execute. */
function assertReadable({ model, findings }: ReadFile): { readonly model: Model; readonly findings: Finding[] } {
  const sorted = findings.toSorted((one, other) => one.severity.localeCompare(other.severity)).slice(0, MOST_FINDINGS);
  if (model !== null) return { model, findings: sorted };
  throw new Problem('workflow_unreadable', {
    errors: sorted.slice(0, 100).map(({ code, message }) => ({ pointer: '/file', code, message })),
  });
}

async function upload(ctx: Context<'createWorkflowDefinition'>, read: ReadFile): Promise<Definition> {
  const { tx, environment, principal, files, now } = ctx;
  const { model, findings } = assertReadable(read);
  const { kind, key, name, program, jobTypes } = model;
  const document: DefinitionDocument = {
    name,
    fileSha256: createHash('sha256').update(files.file.bytes).digest('hex'),
    jobTypes,
  };
  const made = await createDraft(tx, {
    environment,
    kind,
    key,
    document: document as unknown as Json,
    createdBy: actorOf(principal),
    now,
  });
  const { drawing } = read;
  insertModel(
    tx,
    {
      definitionId: made.id,
      environment,
      file: Buffer.from(files.file.bytes),
      program,
      findings,
      drawing,
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
  const { limit = DEFAULT_LIMIT, environment = ctx.environment, status = [], key, kind: kinds = KINDS } = query;
  if (!ctx.visible.includes(environment)) return { items: [], cursor: null, hasMore: false };
  ctx.setResourceEnvironment(environment);
  const binding = { tenantId, operationId, filters: { ...filtersOf(query), environment } };
  const after = query.cursor === undefined ? null : cursors.decode(binding, query.cursor);
  const rows = await listDefinitions(
    tx,
    {
      environment,
      kinds,
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
  const findings = await findingsOf(tx, id);
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  return { errors, warnings: findings.length - errors, note };
}

/** Marks the elements that were found to be wrong; an error hides a warning. */
function marksOf(findings: readonly Finding[]): ReadonlyMap<string, Mark> {
  const about = findings.flatMap(({ elementId, severity }) =>
    elementId === null ? [] : [[elementId, severity] as const],
  );
  const [errors, warnings] = [about.filter(isError), about.filter((one) => !isError(one))];
  return new Map([...warnings, ...errors]);
}

const isError = ([, severity]: readonly [string, Finding['severity']]): boolean => severity === 'error';

type Operations =
  | 'createWorkflowDefinition'
  | 'listWorkflowDefinitions'
  | 'getWorkflowDefinition'
  | 'downloadWorkflowDefinitionXml'
  | 'downloadWorkflowDefinitionDiagram'
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
    const name = found.kind === 'workflow' ? `process-${found.number}.bpmn` : `decision-${found.number}.dmn`;
    const disposition = `attachment; filename="${name}"`;
    return ctx.reply(200, await fileOf(ctx.tx, found.id), { 'Content-Disposition': disposition });
  },

  downloadWorkflowDefinitionDiagram: async (ctx) => {
    const found = await lookup(ctx).definition(ctx.params.workflowDefinitionId).forReading();
    const [drawing, findings] = await Promise.all([drawingOf(ctx.tx, found.id), findingsOf(ctx.tx, found.id)]);
    const disposition = `attachment; filename="process-${found.number}.svg"`;
    return ctx.reply(200, drawn(drawing, marksOf(findings)), { 'Content-Disposition': disposition });
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
    if (outcome === 'confirmed') {
      await replaceStarts(tx, definition, ctx.timeIn(definition.environment));
      ctx.audit('workflow.definition_activated', about(definition), { checksum: definition.checksum });
    } else ctx.audit('workflow.definition_returned', about(definition), { outcome });
    if (outcome === 'stale') throw new Problem('evidence_changed').keeping();
    return ctx.reply(200, await presentDefinition(tx, definition));
  },

  retireWorkflowDefinition: async (ctx) => {
    const found = await lookup(ctx).definition(ctx.params.workflowDefinitionId).forChangeWithoutLock();
    const retired = await retire(ctx.tx, found.id, ctx.now);
    if (found.status === 'active') dropStarts(ctx.tx, found);
    ctx.audit('workflow.definition_retired', about(retired));
    return ctx.reply(200, await presentDefinition(ctx.tx, retired));
  },
});
