/** Tests of processes that would take more than their share, and of the times by which their tasks are due. */
import { describe, expect, it } from 'vitest';
import { newActiveProcess, newProcessKey, processFile } from '../operations/workflow-records.ts';
import { multipart, outcome, success } from '../support/api.ts';
import { useService } from '../support/service.ts';
import { ENDS, flow, workflowCalls } from './workflow-calls.ts';

const service = await useService();
const { acme, api } = service;
const officer = await acme.user('compliance_officer', { purpose: 'draws' });
const { start, instance, tasksOf } = workflowCalls(service, officer);

/** Ten entities, each of ten of the one before. */
const LAUGHS = `<!DOCTYPE l [<!ENTITY a0 "ha">${Array.from(
  { length: 9 },
  (_, one) => `<!ENTITY a${one + 1} "${`&a${one};`.repeat(10)}">`,
).join('')}]>`;

it('A file with entities of entities is refused before they grow', async () => {
  const file = Buffer.concat([Buffer.from(LAUGHS), processFile(newProcessKey(), '&a9;')]);
  const { status, body } = await outcome(
    api.POST('/v1/workflows/definitions', {
      headers: officer,
      body: { file: new Blob([new Uint8Array(file)]) },
      bodySerializer: multipart,
    }),
  );
  expect([status, body]).toMatchObject([
    422,
    { code: 'workflow_unreadable', errors: [{ pointer: '/file', code: 'xml_forbidden_declaration' }] },
  ]);
});

describe('An instance that would run away', () => {
  const chosen = (condition: string): string => `${ENDS}<exclusiveGateway id="g" default="f2"/><task id="a"/>
    ${flow('f1', 's', 'g')}${flow('f2', 'g', 'e')}${flow('f3', 'g', 'a', condition)}${flow('f4', 'a', 'e')}`;
  const ran = async (elements: string) => {
    const { body } = await success(start(await newActiveProcess(service, acme, elements)), 201);
    await service.running.runTasks();
    return instance(body.id);
  };

  it('by a pattern that takes exponential time elsewhere goes on at once', async () => {
    const pattern = `matches("${'a'.repeat(60)}!", "^(a+)+$")`;
    expect(await ran(chosen(pattern))).toMatchObject({ status: 'completed', incidentCount: 0 });
  });

  it.each([
    [
      'by an expression without an end',
      'g',
      'expression_failed',
      chosen('count(for i in 1..9000, j in 1..9000, k in 1..9000 return i) = 1'),
    ],
    [
      'by a milliard repetitions',
      'a',
      'too_many_repetitions',
      `${ENDS}<userTask id="a"><multiInstanceLoopCharacteristics><loopCardinality>1000000000</loopCardinality>
        </multiInstanceLoopCharacteristics></userTask>${flow('f1', 's', 'a')}${flow('f2', 'a', 'e')}`,
    ],
  ])('%s stops with an incident', async (_, elementId, code, elements) => {
    expect((await ran(elements)).activeElements).toMatchObject([
      { elementId, waitsFor: 'incident', incident: { code } },
    ]);
  });
});

it('A task that is due in hours says when', async () => {
  const elements = `${ENDS}<userTask id="a" kyc:dueHours="6"/>${flow('f1', 's', 'a')}${flow('f2', 'a', 'e')}`;
  const { body } = await success(start(await newActiveProcess(service, acme, elements)), 201);
  const [task] = await tasksOf(body.id);
  expect(Date.parse(task!.dueAt!) - Date.parse(task!.createdAt)).toBe(6 * 3_600_000);
});
