/** Test of every change of a status: the contract's are possible and no others. */
import { describe, expect, it } from 'vitest';
import type { Operation } from '../../server/contract/operation.ts';
import { expectDocumented, send, validCall } from '../support/calls.ts';
import { enumerated, everyOperation } from '../support/contract.ts';
import { useService } from '../support/service.ts';
import { tally } from '../support/tally.ts';

const service = await useService();

/** Status machines by the parameter that names the record whose status an operation changes. */
const machines: Readonly<Record<string, { readonly statuses: readonly string[]; readonly put: string }>> = {
  applicationId: { statuses: enumerated('ApplicationStatus'), put: 'UPDATE application SET status = $2 WHERE id = $1' },
  businessId: {
    // A business is in review from its submission on.
    statuses: enumerated('ApplicationStatus').filter((status) => status !== 'submitted'),
    put: 'UPDATE business SET status = $2 WHERE id = $1',
  },
  powerId: {
    statuses: ['draft', 'active', 'revoked'],
    put: `UPDATE power SET status = $2, confirmed_at = CASE WHEN $2 = 'active' THEN coalesce(confirmed_at, now())
      ELSE confirmed_at END, confirmed_by = CASE WHEN $2 = 'active' THEN coalesce(confirmed_by, created_by)
      ELSE confirmed_by END, revoked_at = CASE WHEN $2 = 'revoked' THEN now() END WHERE id = $1`,
  },
  caseId: {
    statuses: enumerated('CaseStatus'),
    // Somebody works on a case in progress, and a case on hold has an end.
    put: `UPDATE review_case SET status = $2, snoozed_until = CASE WHEN $2 = 'on_hold' THEN now() END,
      assignee_id = coalesce(assignee_id, gen_random_uuid()) WHERE id = $1`,
  },
  workflowInstanceId: {
    statuses: enumerated('WorkflowInstanceStatus'),
    put: 'UPDATE workflow_instance SET status = $2 WHERE id = $1',
  },
  workflowIncidentId: {
    statuses: enumerated('WorkflowIncidentStatus'),
    put: 'UPDATE workflow_incident SET status = $2 WHERE id = $1',
  },
  workflowJobId: {
    statuses: enumerated('WorkflowJobStatus'),
    put: 'UPDATE workflow_job SET status = $2 WHERE id = $1',
  },
  workflowTaskId: {
    statuses: enumerated('WorkflowTaskStatus'),
    put: 'UPDATE workflow_task SET status = $2 WHERE id = $1',
  },
  tenantId: { statuses: enumerated('TenantStatus'), put: 'UPDATE tenant SET status = $2 WHERE id = $1' },
};

const changing = everyOperation.filter(({ transitions }) => transitions !== null && transitions.from.length > 0);
/** Returns the last parameter that names a record with statuses, else the first. */
const parameterOf = ({ path }: Operation): string => {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return names.findLast((name) => name in machines) ?? names[0] ?? '';
};
const machineOf = (operation: Operation) => machines[parameterOf(operation)] ?? { statuses: [], put: '' };
const pairs = changing.flatMap((operation) =>
  machineOf(operation).statuses.map((status) => ({ name: operation.operationId, status, operation })),
);
const isAllowed = ({ operation, status }: (typeof pairs)[number]): boolean =>
  operation.transitions?.from.includes(status) === true;

/** Returns a permitted call about a record in this status. */
async function callIn(operation: Operation, status: string) {
  const valid = await validCall(service, service.acme, operation);
  const id = valid.path.split('/')[operation.path.split('/').indexOf(`{${parameterOf(operation)}}`)] ?? '';
  await service.database.sql(machineOf(operation).put, [id, status]);
  return { id, answer: await send(service, valid) };
}

describe('a transition', () => {
  const counted = tally('illegal transitions were refused');

  it.each(pairs.filter((pair) => !isAllowed(pair)))(
    'that the contract does not have is refused: $name from $status',
    async ({ operation, status }) => {
      const { id, answer } = await callIn(operation, status);
      expect([answer.status, answer.body]).toMatchObject([
        409,
        { code: 'invalid_state_transition', currentStatus: status },
      ]);
      const { allowedTransitions } = answer.body as { allowedTransitions?: readonly string[] };
      expect(allowedTransitions?.filter((next) => !machineOf(operation).statuses.includes(next))).toEqual([]);
      expectDocumented(operation, answer);
      const table = machineOf(operation).put.split(' ')[1];
      expect(await service.database.sql(`SELECT status FROM ${table} WHERE id = $1`, [id])).toEqual([{ status }]);
      counted();
    },
  );

  it.each(pairs.filter(isAllowed))(
    'that the contract has is not refused for the status: $name from $status',
    async ({ operation, status }) => {
      const { answer } = await callIn(operation, status);
      expect(answer.body).not.toMatchObject({ code: 'invalid_state_transition' });
      expectDocumented(operation, answer);
    },
  );

  it('of every kind is tested here', () => {
    // Versions of models, lists and processes change by the rules of server/modules/definitions, whose own tests try
    // every change; risk-backtests.test.ts tries the end of a backtest.
    expect(
      changing
        .filter((operation) => machineOf(operation).statuses.length === 0)
        .map(({ operationId }) => operationId)
        .sort(),
    ).toEqual([
      'activateReferenceList',
      'activateRiskModel',
      'cancelRiskBacktest',
      'replaceRiskModel',
      'reviewReferenceListActivation',
      'reviewRiskModelActivation',
      'updateWorkflowDefinition',
    ]);
  });
});
