/** Operations on process definitions, from the upload of a file to the day on which a version is retired. */
import { actorOf } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import { type Context, type Handlers, withPreparation } from '../../request/handler.ts';
import { environmentPage, type Page } from '../../request/pagination.ts';
import { etagOf } from '../../request/preconditions.ts';
import type { Mark } from '../../workflow/drawing/draw.ts';
import type { Finding } from '../../workflow/finding.ts';
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
  reviseDraft,
} from '../definitions/index.ts';
import { assertReadable, contentOf, documentOfFile, type ReadFile, readFile } from './definition-file.ts';
import { drawn } from './history-handlers.ts';
import { lookup } from './lookup.ts';
import { drawingOf, fileOf, findingsOf, insertModel, replaceModel } from './model-store.ts';
import { type ActivationEvidence, documentOf, noteOf, presentDefinition, presentDefinitionInList } from './present.ts';
import { dropStarts, replaceStarts } from './starts.ts';

const about = ({ id }: Pick<Definition, 'id'>) => ({ type: 'workflow_definition', id }) as const;

/** Kinds of definitions that this module owns. */
const KINDS = ['workflow', 'decision_table'] as const;

/** Returns the draft with what the request changes in it, if the file is of its kind and key. */
async function revise(ctx: Context<'updateWorkflowDefinition'>, read: ReadFile | null): Promise<Definition> {
  const { tx, files, body, headers, now } = ctx;
  const found = await lookup(ctx).definition(ctx.params.workflowDefinitionId).forChangeWithoutLock();
  const revision = { ifMatch: headers['if-match'], now };
  if (read === null || files.file === undefined) {
    const { name } = body;
    if (name === undefined) throw refusedPart('/file', 'required', 'must be present, or `name` in its place');
    return reviseDraft(tx, found.id, { ...revision, document: (draft) => ({ ...documentOf(draft), name }) });
  }
  const readable = assertReadable(read);
  const { kind, key } = readable.model;
  if (kind !== found.kind || key !== found.key)
    throw refusedPart('/file', 'other_definition', `must be of the kind ${found.kind} with the id ${found.key}`);
  const document = documentOfFile(readable.model, files.file);
  const revised = await reviseDraft(tx, found.id, {
    ...revision,
    document: { ...document, name: body.name ?? document.name },
  });
  replaceModel(tx, found.id, contentOf(readable, files.file));
  return revised;
}

function refusedPart(pointer: string, code: string, message: string): Problem<'validation_failed'> {
  return new Problem('validation_failed', { errors: [{ pointer, code, message }] });
}

async function upload(ctx: Context<'createWorkflowDefinition'>, read: ReadFile): Promise<Definition> {
  const { tx, environment, principal, files, now } = ctx;
  const readable = assertReadable(read);
  const { kind, key } = readable.model;
  const made = await createDraft(tx, {
    environment,
    kind,
    key,
    document: documentOfFile(readable.model, files.file),
    createdBy: actorOf(principal),
    now,
  });
  insertModel(tx, { definitionId: made.id, environment, ...contentOf(readable, files.file) }, now);
  return made;
}

async function definitionPage(
  ctx: Context<'listWorkflowDefinitions'>,
): Promise<Page<ReturnType<typeof presentDefinitionInList>>> {
  const { status: statuses = [], key, kind: kinds = KINDS } = ctx.query;
  return environmentPage(ctx, {
    rows: ({ environment, after, count }) =>
      listDefinitions(
        ctx.tx,
        {
          environment,
          kinds,
          key,
          statuses,
        },
        { direction: 'desc', after, count },
      ),
    position: ({ number, id }) => [number, id],
    item: presentDefinitionInList,
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
  | 'updateWorkflowDefinition'
  | 'downloadWorkflowDefinitionXml'
  | 'downloadWorkflowDefinitionDiagram'
  | 'activateWorkflowDefinition'
  | 'reviewWorkflowDefinitionActivation'
  | 'retireWorkflowDefinition';

export const definitionHandlers: Pick<Handlers, Operations> = {
  createWorkflowDefinition: withPreparation<'createWorkflowDefinition', ReadFile>(
    ({ principal, files }) => readFile(principal.tenantId, files.file),
    async (ctx, read) => {
      ctx.setResourceEnvironment(ctx.environment);
      const made = await upload(ctx, read);
      ctx.audit('workflow.definition_created', about(made), { key: made.key, number: made.number });
      return ctx.reply(201, await presentDefinition(ctx.tx, made), {
        Location: `/v1/workflows/definitions/${made.id}`,
      });
    },
  ),

  listWorkflowDefinitions: async (ctx) => ctx.reply(200, await definitionPage(ctx)),

  getWorkflowDefinition: async (ctx) => {
    const found = await lookup(ctx).definition(ctx.params.workflowDefinitionId).forReading();
    return ctx.reply(200, await presentDefinition(ctx.tx, found), { ETag: etagOf(found.version) });
  },

  updateWorkflowDefinition: withPreparation<'updateWorkflowDefinition', ReadFile | null>(
    async ({ principal, files }) => (files.file === undefined ? null : readFile(principal.tenantId, files.file)),
    async (ctx, read) => {
      const revised = await revise(ctx, read);
      ctx.audit('workflow.definition_updated', about(revised), { checksum: revised.checksum });
      return ctx.reply(200, await presentDefinition(ctx.tx, revised), { ETag: etagOf(revised.version) });
    },
  ),

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
};
