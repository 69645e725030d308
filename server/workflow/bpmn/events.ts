/** Compiles events: timers, messages, signals, errors, escalations, conditions, links and compensation. */
import { error } from '../finding.ts';
import type { EventDefinition, Node, NodeType } from '../program.ts';
import { condition, extensions, type Report, textOf, valueOrFeel } from './expressions.ts';
import type { Element } from './read.ts';

/** Elements at the root of a file, to which events refer. */
export interface Roots {
  readonly elements: readonly Element[];
}

type EventPart = Pick<Node, 'event' | 'host' | 'interrupting'>;

/** Returns what is particular to an event: what it waits for or causes, its host and whether it interrupts. */
export function eventPart(element: Element, type: NodeType, roots: Roots, report: Report): EventPart {
  const event = type === 'receive' ? receiving(element, report) : eventOf(element, roots, report);
  const host = element['attachedToRef']?.id as string | undefined;
  const interrupting =
    type === 'boundary' ? element['cancelActivity'] !== false : type === 'start' && element['isInterrupting'] !== false;
  return {
    ...(event === undefined ? {} : { event }),
    ...(host === undefined ? {} : { host }),
    ...(type === 'boundary' || type === 'start' ? { interrupting } : {}),
  };
}

function receiving(element: Element, report: Report): EventDefinition | undefined {
  return message(element['messageRef'] as Element | undefined, element.id!, report);
}

function eventOf(element: Element, roots: Roots, report: Report): EventDefinition | undefined {
  const definitions = (element['eventDefinitions'] ?? []) as Element[];
  const references = (element['eventDefinitionRef'] ?? []) as Element[];
  const all = [...definitions, ...references.map((one) => roots.elements.find(({ id }) => id === one.id) ?? one)];
  if (all.length === 0) return undefined;
  if (all.length > 1 || element['parallelMultiple'] === true) {
    report.add(error('unsupported_element', element.id!, 'An event waits for one thing or causes one thing.'));
    return undefined;
  }
  return definitionOf(all[0]!, element.id!, report);
}

function definitionOf(definition: Element, id: string, report: Report): EventDefinition | undefined {
  switch (definition.$type) {
    case 'bpmn:MessageEventDefinition':
      return message(definition['messageRef'] as Element | undefined, id, report);
    case 'bpmn:SignalEventDefinition':
      return { kind: 'signal', name: named(definition['signalRef'] as Element | undefined, id, report) };
    case 'bpmn:TimerEventDefinition':
      return timer(definition, id, report);
    case 'bpmn:ConditionalEventDefinition': {
      const text = textOf(definition['condition'] as Element | undefined);
      if (text !== undefined) return { kind: 'condition', when: condition(text, id, report) };
      report.add(error('missing_event', id, 'The event has no condition.'));
      return undefined;
    }
    case 'bpmn:ErrorEventDefinition':
      return coded('error', definition['errorRef']?.errorCode as string | undefined);
    case 'bpmn:EscalationEventDefinition':
      return coded('escalation', definition['escalationRef']?.escalationCode as string | undefined);
    case 'bpmn:CompensateEventDefinition': {
      const activity = definition['activityRef']?.id as string | undefined;
      return { kind: 'compensation', ...(activity === undefined ? {} : { activity }) };
    }
    case 'bpmn:LinkEventDefinition':
      return { kind: 'link', name: (definition.name ?? '').slice(0, 200) };
    case 'bpmn:TerminateEventDefinition':
      return { kind: 'terminate' };
    default: {
      const name = definition.$type.replace(/^bpmn:/, '').replace(/EventDefinition$/, '');
      report.add(error('unsupported_element', id, `The service does not execute events of type ${name}.`));
      return undefined;
    }
  }
}

const coded = (kind: 'error' | 'escalation', code: string | undefined): EventDefinition => ({
  kind,
  ...(code === undefined || code === '' ? {} : { code: code.slice(0, 100) }),
});

function message(reference: Element | undefined, id: string, report: Report): EventDefinition {
  const name = named(reference, id, report);
  const key = reference === undefined ? undefined : extensions(reference, 'zeebe:Subscription')[0]?.['correlationKey'];
  return { kind: 'message', name, ...(key === undefined ? {} : { key: condition(String(key), id, report) }) };
}

function named(reference: Element | undefined, id: string, report: Report): string {
  const name = reference?.name ?? reference?.id ?? '';
  if (name === '') report.add(error('missing_event', id, 'The event names no message or signal.'));
  return name.slice(0, 200);
}

function timer(definition: Element, id: string, report: Report): EventDefinition | undefined {
  for (const [member, by] of [
    ['timeDate', 'date'],
    ['timeDuration', 'duration'],
    ['timeCycle', 'cycle'],
  ] as const) {
    const text = textOf(definition[member] as Element | undefined);
    if (text !== undefined) return { kind: 'timer', by, time: valueOrFeel(text, id, report) };
  }
  report.add(error('invalid_timer', id, 'The timer has no time.'));
  return undefined;
}
