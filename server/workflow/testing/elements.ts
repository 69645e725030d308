/** Writes the elements of small models in tests, and plays what happens to their instances. */
import { compiled, flows, Instance, processXml } from './driver.ts';
import type { Variables } from '../kernel/state.ts';

export const ENDS = '<startEvent id="s"/><endEvent id="e"/>';

/** Messages, signals, errors and escalations to which elements refer. */
export const ROOTS = `<message id="m" name="go"/><message id="n" name="stop"/><signal id="sig" name="alarm"/>
  <error id="hit" errorCode="HIT"/><error id="other" errorCode="OTHER"/>
  <escalation id="late" escalationCode="LATE"/>`;

export const MESSAGE = '<messageEventDefinition messageRef="m"/>';
export const SIGNAL = '<signalEventDefinition signalRef="sig"/>';
export const HIT = '<errorEventDefinition errorRef="hit"/>';
export const LATE = '<escalationEventDefinition escalationRef="late"/>';
export const COMPENSATE = '<compensateEventDefinition/>';

export const after = (duration: string): string =>
  `<timerEventDefinition><timeDuration>${duration}</timeDuration></timerEventDefinition>`;
export const every = (cycle: string): string =>
  `<timerEventDefinition><timeCycle>${cycle}</timeCycle></timerEventDefinition>`;
export const when = (condition: string): string =>
  `<conditionalEventDefinition><condition>=${condition}</condition></conditionalEventDefinition>`;
export const link = (name: string): string => `<linkEventDefinition name="${name}"/>`;

export const user = (...ids: string[]): string => ids.map((id) => `<userTask id="${id}"/>`).join('');
export const call = (id: string, inner = ''): string =>
  `<callActivity id="${id}" calledElement="other">${inner}</callActivity>`;
export const end = (id: string, event = ''): string => `<endEvent id="${id}">${event}</endEvent>`;
export const thrown = (id: string, event: string): string =>
  `<intermediateThrowEvent id="${id}">${event}</intermediateThrowEvent>`;
export const caught = (id: string, event: string): string =>
  `<intermediateCatchEvent id="${id}">${event}</intermediateCatchEvent>`;
export const gateway = (kind: 'parallel' | 'inclusive' | 'exclusive' | 'eventBased', ...ids: string[]): string =>
  ids.map((id) => `<${kind}Gateway id="${id}"/>`).join('');

/** An event at the boundary of an activity. */
export const boundary = (id: string, host: string, event: string, how: 'interrupts' | 'accompanies' = 'interrupts') =>
  `<boundaryEvent id="${id}" attachedToRef="${host}" cancelActivity="${how === 'interrupts'}">${event}</boundaryEvent>`;

/** A sub-process whose start event has its id and `_s`. */
export const sub = (id: string, pairs: string, inner: string): string =>
  `<subProcess id="${id}"><startEvent id="${id}_s"/>${inner}${flows(pairs)}</subProcess>`;

/** An event sub-process with one task, which has its id and `_w`. */
export const handler = (id: string, event: string, how: 'interrupts' | 'accompanies'): string =>
  `<subProcess id="${id}" triggeredByEvent="true"><startEvent id="${id}_s" isInterrupting="${how === 'interrupts'}"
    >${event}</startEvent>${user(`${id}_w`)}${end(`${id}_e`)}${flows(`${id}_s-${id}_w ${id}_w-${id}_e`)}</subProcess>`;

interface Repeated {
  readonly of?: string;
  readonly count?: number;
  readonly until?: string;
  readonly collects?: string;
}

/** Repetitions, for each item of a list if one is named. */
export const repeats = (
  how: 'at once' | 'in turn',
  { of, count, until, collects }: Repeated,
): string => `<multiInstanceLoopCharacteristics isSequential="${how === 'in turn'}"><extensionElements>
    <zeebe:loopCharacteristics ${of === undefined ? '' : `inputCollection="=${of}" inputElement="item"`}
    ${collects === undefined ? '' : `outputCollection="${collects}" outputElement="=result"`}/></extensionElements>
    ${count === undefined ? '' : `<loopCardinality>${count}</loopCardinality>`}
    ${until === undefined ? '' : `<completionCondition>=${until}</completionCondition>`}
  </multiInstanceLoopCharacteristics>`;

/** Starts an instance of a process without errors. */
export async function begun(elements: string, variables: Variables = {}): Promise<Instance> {
  const { graph, findings } = await compiled(processXml(elements, ROOTS));
  const faults = findings.filter(({ severity }) => severity === 'error');
  if (faults.length > 0) throw new Error(JSON.stringify(faults));
  return new Instance(graph, variables);
}

/**
 * Does one thing to an instance: `a` completes a task, `@b` lets an event happen, `a!CODE` makes an activity fail with
 * an error, `~alarm` is a signal from outside, and `x=1` sets a variable.
 */
function happens(instance: Instance, what: string): Instance {
  const [failing, code] = what.split('!');
  if (code !== undefined) return instance.error(failing!, code);
  if (what.startsWith('@')) return instance.fire(what.slice(1));
  if (what.startsWith('~')) return instance.do({ do: 'signal', name: what.slice(1), variables: {} });
  const [name, value] = what.split('=');
  if (value === undefined) return instance.complete(what);
  return instance.do({ do: 'set_variables', variables: { [name!]: JSON.parse(value) as number } });
}

/** Returns what an instance waits for at first and after each thing that happens, and where it has ended or stopped. */
export async function played(elements: string, happening: string, variables: Variables = {}): Promise<string[]> {
  const instance = await begun(elements, variables);
  const seen = [instance.waiting];
  for (const what of happening === '' ? [] : happening.split(' ')) seen.push(happens(instance, what).waiting);
  const { status, endEvent = 'no end event' } = instance.state;
  if (instance.incidents !== '') seen.push(instance.incidents);
  return status === 'ended' ? [...seen, `ended at ${endEvent}`] : seen;
}
