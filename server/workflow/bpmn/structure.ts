/** Checks a compiled program as a whole, where no single element can tell that something is wrong. */
import { readInstant } from '../../base/time.ts';
import { type Finding, error, warning } from '../finding.ts';
import { ACTIVITIES, type Node, type Program } from '../program.ts';
import { readCycle, readDuration } from '../durations.ts';
import type { Report } from './expressions.ts';

/** Kinds of events that can wait at each place. */
const CATCHING = {
  catch: ['message', 'signal', 'timer', 'condition', 'link'],
  boundary: ['message', 'signal', 'timer', 'condition', 'error', 'escalation', 'compensation'],
  eventSubProcess: ['message', 'signal', 'timer', 'condition', 'error', 'escalation'],
  start: ['message', 'signal', 'timer'],
  throw: ['message', 'signal', 'escalation', 'compensation', 'link'],
  end: ['message', 'signal', 'escalation', 'compensation', 'error', 'terminate'],
} as const;

/** Checks rules that concern several elements: starts and ends, hosts, links, gateways and their conditions. */
export function checkStructure(program: Program, report: Report): void {
  const nodes = new Map(program.nodes.map((node) => [node.id, node]));
  const context: Context = {
    program,
    nodes,
    conditional: new Set(program.flows.filter(({ condition }) => condition !== undefined).map(({ id }) => id)),
    report,
  };
  for (const { id } of program.processes) checkScope(id, context);
  for (const flow of program.flows) {
    const [from, to] = [nodes.get(flow.from), nodes.get(flow.to)];
    if (from !== undefined && to !== undefined && from.scope !== to.scope) {
      report.add(error('flow_between_scopes', flow.id, 'A flow connects elements of the same process.'));
    }
  }
  for (const node of program.nodes) checkNode(node, context);
}

interface Context {
  readonly program: Program;
  readonly nodes: ReadonlyMap<string, Node>;
  readonly conditional: ReadonlySet<string>;
  readonly report: Report;
}

function checkScope(scope: string, context: Context): void {
  const { program, report } = context;
  const inside = program.nodes.filter((node) => node.scope === scope);
  const starts = inside.filter(({ type }) => type === 'start');
  if (starts.length === 0) report.add(error('no_start', scope, 'Nothing starts here: there is no start event.'));
  if (!inside.some(({ type }) => type === 'end')) report.add(warning('no_end', scope, 'There is no end event.'));
  for (const { id, type } of inside) {
    if (type === 'sub_process' || type === 'event_sub_process') checkScope(id, context);
  }
}

function checkNode(node: Node, context: Context): void {
  const { report } = context;
  for (const finding of findingsOf(node, context)) report.add(finding);
}

function findingsOf(node: Node, context: Context): readonly Finding[] {
  const findings = [...eventFindings(node, context), ...timerFindings(node)];
  if (isSplit(node)) findings.push(...splitFindings(node, context));
  if (node.type === 'boundary') findings.push(...boundaryFindings(node, context));
  if (node.type === 'event_based') findings.push(...targetFindings(node, context));
  const other = node.user?.notSameUserAs;
  const named = other === undefined ? undefined : context.nodes.get(other);
  const isBeside = named?.type === 'user' && processOf(named, context) === processOf(node, context);
  if (other !== undefined && !isBeside) {
    findings.push(error('unknown_activity', node.id, 'The rule of four eyes names no user task of the process.'));
  }
  return [...findings, ...reachFindings(node)];
}

/** Returns the id of the process that contains a node, in whichever sub-process. */
function processOf({ scope }: Node, context: Context): string {
  const around = context.nodes.get(scope);
  return around === undefined ? scope : processOf(around, context);
}

function reachFindings(node: Node): readonly Finding[] {
  const linked = node.event?.kind === 'link' && node.type === 'catch';
  const begins = node.type === 'start' || node.type === 'boundary' || node.type === 'event_sub_process' || linked;
  if (begins || node.in.length > 0 || node.forCompensation === true) return [];
  return [error('unreachable', node.id, 'No flow leads to the element.')];
}

const isSplit = ({ type, out }: Node): boolean => (type === 'exclusive' || type === 'inclusive') && out.length > 1;

function splitFindings(node: Node, { conditional }: Context): readonly Finding[] {
  const without = node.out.filter((flow) => flow !== node.default && !conditional.has(flow));
  if (without.length > 0) {
    return without.map((flow) =>
      error('missing_condition', flow, `A flow of the gateway ${node.id} has no condition.`),
    );
  }
  if (node.default !== undefined) return [];
  return [error('missing_default', node.id, 'The gateway has no default flow, so no flow may be taken.')];
}

function boundaryFindings(node: Node, { nodes }: Context): readonly Finding[] {
  const host = node.host === undefined ? undefined : nodes.get(node.host);
  if (host === undefined || !ACTIVITIES.includes(host.type) || host.scope !== node.scope) {
    return [error('missing_host', node.id, 'The event is attached to no activity.')];
  }
  if (node.event?.kind !== 'compensation') return [];
  const handler = node.handler === undefined ? undefined : nodes.get(node.handler);
  if (handler?.forCompensation === true && ACTIVITIES.includes(handler.type)) return [];
  return [error('unknown_activity', node.id, 'The event is connected to no activity for compensation.')];
}

function targetFindings(node: Node, { program, nodes }: Context): readonly Finding[] {
  const targets = program.flows.filter(({ from }) => from === node.id).map(({ to }) => nodes.get(to));
  const invalid = targets.filter((target) => {
    const waits = target?.type === 'receive' || (target?.type === 'catch' && target.event?.kind !== 'link');
    return !waits || target.event === undefined;
  });
  if (targets.length === 0) return [error('invalid_event_target', node.id, 'No event follows the gateway.')];
  return invalid.map(() => error('invalid_event_target', node.id, 'What follows the gateway is no waiting event.'));
}

function placeOf(node: Node, nodes: ReadonlyMap<string, Node>): keyof typeof CATCHING | null {
  if (node.type === 'start') return nodes.get(node.scope)?.type === 'event_sub_process' ? 'eventSubProcess' : 'start';
  return node.type === 'catch' || node.type === 'boundary' || node.type === 'throw' || node.type === 'end'
    ? node.type
    : null;
}

function eventFindings(node: Node, { program, nodes }: Context): readonly Finding[] {
  const place = placeOf(node, nodes);
  if (place === null) return [];
  const { event } = node;
  if (event === undefined) {
    const needed = place === 'catch' || place === 'boundary' || place === 'eventSubProcess';
    return needed ? [error('missing_event', node.id, 'The event waits for nothing.')] : [];
  }
  if (!(CATCHING[place] as readonly string[]).includes(event.kind)) {
    return [error('unsupported_element', node.id, `An event of kind ${event.kind} has no effect here.`)];
  }
  if (
    event.kind === 'message' &&
    event.key === undefined &&
    place !== 'start' &&
    place !== 'throw' &&
    place !== 'end'
  ) {
    return [warning('missing_correlation_key', node.id, 'The message is correlated by the business key alone.')];
  }
  if (event.kind !== 'link' || node.type !== 'throw') return [];
  const target = program.nodes.some(
    ({ type, scope, event: other }) =>
      type === 'catch' && scope === node.scope && other?.kind === 'link' && other.name === event.name,
  );
  return target ? [] : [error('missing_link', node.id, 'No link event of this name follows.')];
}

function timerFindings(node: Node): readonly Finding[] {
  const { event } = node;
  if (event?.kind !== 'timer' || !('value' in event.time)) return [];
  const text = String(event.time.value);
  return isTime(event.by, text)
    ? []
    : [error('invalid_timer', node.id, 'The timer has no time of ISO 8601 from a second to ten years.')];
}

function isTime(by: 'date' | 'duration' | 'cycle', text: string): boolean {
  if (by === 'date') return readInstant(text) !== null;
  return (by === 'duration' ? readDuration(text) : readCycle(text)) !== null;
}
