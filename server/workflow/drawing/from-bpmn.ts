/** Takes the drawing of a process from its file: the places of its elements, as its modeler has stored them. */
import type { Element } from '../bpmn/read.ts';
import { type Drawing, EMPTY, type Figure, type Line, LONGEST_LABEL, type Shape } from './drawing.ts';

/** Shapes and lines that are drawn at most, and the farthest place. */
const MOST = 3000;
const FARTHEST = 100_000;

const GATEWAYS: Readonly<Record<string, string>> = {
  'bpmn:ExclusiveGateway': '×',
  'bpmn:ParallelGateway': '+',
  'bpmn:InclusiveGateway': '○',
  'bpmn:EventBasedGateway': '◇',
  'bpmn:ComplexGateway': '✳',
};

const EVENTS: Readonly<Record<string, string>> = {
  'bpmn:TimerEventDefinition': 'T',
  'bpmn:MessageEventDefinition': 'M',
  'bpmn:SignalEventDefinition': 'S',
  'bpmn:ErrorEventDefinition': 'E',
  'bpmn:EscalationEventDefinition': 'A',
  'bpmn:ConditionalEventDefinition': 'C',
  'bpmn:CompensateEventDefinition': 'K',
  'bpmn:LinkEventDefinition': 'L',
  'bpmn:CancelEventDefinition': 'X',
  'bpmn:TerminateEventDefinition': '●',
};

/** Returns the drawing of the first diagram of a file, or an empty one if the file has none. */
export function drawingOfFile(root: Element): Drawing {
  const diagrams = (root['diagrams'] ?? []) as Element[];
  const elements = (diagrams[0]?.['plane']?.['planeElement'] ?? []) as Element[];
  if (elements.length === 0) return EMPTY;
  const drawn = elements.slice(0, MOST).filter((one) => (one['bpmnElement'] as Element | undefined)?.id !== undefined);
  return {
    shapes: drawn.flatMap((one) => (one.$type === 'bpmndi:BPMNShape' ? shapesOf(one) : [])),
    lines: drawn.flatMap((one) => (one.$type === 'bpmndi:BPMNEdge' ? linesOf(one) : [])),
  };
}

const isPlace = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= FARTHEST;

function shapesOf(shape: Element): Shape[] {
  const element = shape['bpmnElement'] as Element;
  const { x, y, width, height } = (shape['bounds'] ?? {}) as Record<string, unknown>;
  if (!isPlace(x) || !isPlace(y) || !isPlace(width) || !isPlace(height)) return [];
  const sign = signOf(element);
  const isOpen = element['cancelActivity'] === false || element['isInterrupting'] === false;
  const place = {
    x,
    y,
    width,
    height,
  };
  return [
    {
      id: element.id!,
      figure: figureOf(element, shape),
      ...place,
      ...labelled(element.name ?? (element['text'] as string | undefined)),
      ...(sign === undefined ? {} : { sign }),
      ...(isOpen ? { dashed: true } : {}),
    },
  ];
}

function figureOf({ $type: type }: Element, shape: Element): Figure {
  if (type === 'bpmn:Participant' || type === 'bpmn:Lane') return 'pool';
  if (type === 'bpmn:StartEvent') return 'event';
  if (type === 'bpmn:EndEvent') return 'thick_event';
  if (type.endsWith('Event')) return 'double_event';
  if (type.endsWith('Gateway')) return 'gateway';
  const isScope = type === 'bpmn:SubProcess' || type === 'bpmn:AdHocSubProcess' || type === 'bpmn:Transaction';
  if (isScope && shape['isExpanded'] === true) return 'scope';
  return /Annotation|Data|Group/.test(type) ? 'note' : 'activity';
}

function signOf(element: Element): string | undefined {
  const definition = ((element['eventDefinitions'] ?? []) as Element[])[0];
  return GATEWAYS[element.$type] ?? (definition === undefined ? undefined : EVENTS[definition.$type]);
}

function linesOf(edge: Element): Line[] {
  const element = edge['bpmnElement'] as Element;
  const points = ((edge['waypoint'] ?? []) as Element[]).flatMap(({ x, y }) =>
    isPlace(x) && isPlace(y) ? [[x, y] as const] : [],
  );
  if (points.length < 2) return [];
  const isFlow = element.$type === 'bpmn:SequenceFlow';
  return [
    {
      id: element.id!,
      points,
      ...labelled(element.name),
      ...(isFlow ? {} : { dashed: true }),
    },
  ];
}

const labelled = (text: string | undefined): { readonly label?: string } =>
  text === undefined || text.trim() === '' ? {} : { label: text.slice(0, LONGEST_LABEL) };
