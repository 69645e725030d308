/** Calls about running processes that several tests of workflows share. */
import { success } from '../support/api.ts';
import type { Credential, TestService } from '../support/service.ts';

export const flow = (id: string, from: string, to: string, condition?: string): string =>
  `<sequenceFlow id="${id}" sourceRef="${from}" targetRef="${to}">${
    condition === undefined
      ? ''
      : `<conditionExpression xsi:type="tFormalExpression">=${condition}</conditionExpression>`
  }</sequenceFlow>`;
export const ENDS = '<startEvent id="s"/><endEvent id="e"/>';

/** Returns calls by a compliance officer, or by whom a call names. */
export function workflowCalls({ api }: TestService, officer: Credential) {
  const start = (definitionKey: string, more: object = {}, as: Credential = officer) =>
    api.POST('/v1/workflows/instances', { headers: as, body: { definitionKey, ...more } });
  const instance = async (workflowInstanceId: string) =>
    (
      await success(
        api.GET('/v1/workflows/instances/{workflowInstanceId}', {
          params: { path: { workflowInstanceId } },
          headers: officer,
        }),
      )
    ).body;
  const tasksOf = async (instanceId: string) =>
    (await success(api.GET('/v1/workflows/tasks', { params: { query: { instanceId } }, headers: officer }))).body.items;
  const complete = (workflowTaskId: string, as: Credential = officer, variables = {}) =>
    api.POST('/v1/workflows/tasks/{workflowTaskId}/complete', {
      params: { path: { workflowTaskId } },
      headers: as,
      body: { variables },
    });
  const openTask = async (instanceId: string, elementId: string): Promise<string> => {
    const found = (await tasksOf(instanceId)).find((one) => one.elementId === elementId && one.status === 'created');
    if (found === undefined) throw new Error(`No open task at ${elementId}`);
    return found.id;
  };
  return {
    start,
    instance,
    tasksOf,
    complete,
    openTask,
  };
}
