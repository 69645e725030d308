/** Compiles activities: the work of a task, its repetitions, and the mapping of its variables. */
import { error } from '../finding.ts';
import type { Loop, Mapping, Node, NodeType, UserTask, Work } from '../program.ts';
import { isVariableName } from '../kernel/state.ts';
import { condition, extensions, type Report, textOf, valueOrFeel } from './expressions.ts';
import type { Element } from './read.ts';

const DEFAULT_RETRIES = 5;
const MAX_RETRIES = 20;
/** Ten years, the longest time of a timer. */
const LONGEST_HOURS = 87_600;
/** About ten years. They are counted one by one. */
const MOST_BUSINESS_DAYS = 2500;

type ActivityParts = Pick<Node, 'loop' | 'job' | 'user' | 'calls' | 'inputs' | 'outputs' | 'forCompensation'>;

/** Returns what is particular to an activity: its work, its repetitions and its mappings. */
export function activityParts(element: Element, type: NodeType, report: Report): ActivityParts {
  const loop = loopOf(element, report);
  return {
    ...(element['isForCompensation'] === true ? { forCompensation: true } : {}),
    ...(loop === undefined ? {} : { loop }),
    ...mappings(element, report),
    ...(type === 'job' ? { job: jobOf(element, report) } : {}),
    ...(type === 'user' ? { user: userTask(element, report) } : {}),
    ...(type === 'call' ? { calls: called(element) } : {}),
  };
}

/** Returns the type of work of a task, or of an event that somebody outside causes. */
export function jobOf(element: Element, report: Report): Work {
  const decision = extensions(element, 'zeebe:CalledDecision')[0];
  if (decision !== undefined) return decided(decision, element.id!, report);
  const definition = extensions(element, 'zeebe:TaskDefinition')[0];
  const named = [definition?.['type'], element.$attrs['camunda:topic'], element.$attrs['kyc:type']];
  const implementation = String(element['implementation'] ?? '');
  // The default of the attribute names a kind of technology and no work.
  const type = String(named.find((one) => one !== undefined) ?? implementation.replace(/^##.*/, ''));
  const foreign = ['camunda:class', 'camunda:expression', 'camunda:delegateExpression'];
  if (foreign.some((name) => element.$attrs[name] !== undefined)) {
    report.add(error('unsupported_expression', element.id!, 'The service runs no code of a definition.'));
  } else if (type === '') report.add(error('missing_job_type', element.id!, 'The task names no type of work.'));
  const retries = Number(definition?.['retries'] ?? DEFAULT_RETRIES);
  const valid = Number.isInteger(retries) && retries >= 0 && retries <= MAX_RETRIES;
  return { type: type.slice(0, 100), retries: valid ? retries : DEFAULT_RETRIES };
}

/** Returns the work of a task that asks a decision table. */
function decided(decision: Element, elementId: string, report: Report): Work {
  const key = String(decision['decisionId'] ?? '').slice(0, 128);
  const result = variableName(String(decision['resultVariable'] ?? ''), elementId, report);
  const named = key === '' ? {} : { decision: { key, result } };
  return { type: 'decision.table', retries: 0, ...named };
}

function userTask(element: Element, report: Report): UserTask {
  const assignment = extensions(element, 'zeebe:AssignmentDefinition')[0];
  const due = extensions(element, 'zeebe:TaskSchedule')[0]?.['dueDate'] as string | undefined;
  const assignee = assignment?.['assignee'] as string | undefined;
  const groups = String(assignment?.['candidateGroups'] ?? element.$attrs['kyc:candidateRoles'] ?? '');
  const roles = groups
    .split(',')
    .map((role) => role.trim())
    .filter((role) => role !== '');
  const form = extensions(element, 'zeebe:FormDefinition')[0]?.['formId'] as string | undefined;
  const other = element.$attrs['kyc:notSameUserAs'];
  const whole = (name: string, most: number): number | undefined => {
    const value = Number(element.$attrs[name] ?? Number.NaN);
    return Number.isInteger(value) && value > 0 && value <= most ? value : undefined;
  };
  const dueBusinessDays = whole('kyc:dueBusinessDays', MOST_BUSINESS_DAYS);
  const dueHours = whole('kyc:dueHours', LONGEST_HOURS);
  return {
    ...(assignee === undefined ? {} : { assignee: valueOrFeel(assignee, element.id!, report) }),
    ...(roles.length === 0 ? {} : { candidateRoles: roles }),
    ...(due === undefined ? {} : { due: valueOrFeel(due, element.id!, report) }),
    ...(dueBusinessDays === undefined ? {} : { dueBusinessDays }),
    ...(dueHours === undefined ? {} : { dueHours }),
    ...(form === undefined ? {} : { form: form.slice(0, 100) }),
    ...(other === undefined ? {} : { notSameUserAs: other }),
  };
}

function called(element: Element): string {
  const extension = extensions(element, 'zeebe:CalledElement')[0]?.['processId'] as string | undefined;
  return String(extension ?? element['calledElement'] ?? '').slice(0, 128);
}

/** Returns the variables that are set when an activity or event begins and ends. */
export function mappings(element: Element, report: Report): Pick<Node, 'inputs' | 'outputs'> {
  const mapping = extensions(element, 'zeebe:IoMapping')[0];
  const read = (list: readonly Element[] | undefined): Mapping[] =>
    (list ?? []).map((one) => ({
      source: valueOrFeel(String(one['source'] ?? ''), element.id!, report),
      target: variableName(String(one['target'] ?? ''), element.id!, report),
    }));
  const [inputs, outputs] = [
    read(mapping?.['inputParameters'] as Element[] | undefined),
    read(mapping?.['outputParameters'] as Element[] | undefined),
  ];
  return { ...(inputs.length === 0 ? {} : { inputs }), ...(outputs.length === 0 ? {} : { outputs }) };
}

function variableName(name: string, elementId: string, report: Report): string {
  const valid = name.split('.').every(isVariableName);
  if (!valid)
    report.add(error('invalid_variable', elementId, 'A variable is named by letters, digits and underscores.'));
  return name;
}

function loopOf(element: Element, report: Report): Loop | undefined {
  const loop = element['loopCharacteristics'] as Element | undefined;
  if (loop === undefined) return undefined;
  const id = element.id!;
  if (loop.$type === 'bpmn:StandardLoopCharacteristics') return standardLoop(loop, id, report);
  const zeebe = extensions(loop, 'zeebe:LoopCharacteristics')[0];
  const count = textOf(loop['loopCardinality'] as Element | undefined);
  const items = zeebe?.['inputCollection'] as string | undefined;
  const done = textOf(loop['completionCondition'] as Element | undefined);
  const output = zeebe?.['outputElement'] as string | undefined;
  if (count === undefined && items === undefined) {
    report.add(error('missing_loop_count', id, 'The repetition names neither a number nor a list.'));
  }
  return {
    kind: loop['isSequential'] === true ? 'sequential' : 'parallel',
    ...(count === undefined ? {} : { count: condition(count, id, report) }),
    ...(items === undefined ? {} : { items: condition(items, id, report) }),
    ...(zeebe?.['inputElement'] === undefined ? {} : { item: variableName(zeebe['inputElement'], id, report) }),
    ...(zeebe?.['outputCollection'] === undefined
      ? {}
      : { collect: variableName(zeebe['outputCollection'], id, report) }),
    ...(output === undefined ? {} : { output: condition(output, id, report) }),
    ...(done === undefined ? {} : { condition: condition(done, id, report) }),
  };
}

function standardLoop(loop: Element, id: string, report: Report): Loop {
  const text = textOf(loop['loopCondition'] as Element | undefined);
  const maximum = Number(loop['loopMaximum'] ?? Number.NaN);
  if (text === undefined && !Number.isInteger(maximum)) {
    report.add(error('missing_loop_count', id, 'The loop has neither a condition nor a maximum.'));
  }
  return {
    kind: 'standard',
    ...(text === undefined ? {} : { condition: condition(text, id, report) }),
    testBefore: loop['testBefore'] === true,
    ...(Number.isInteger(maximum) ? { maximum } : {}),
  };
}
