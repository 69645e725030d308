/** Finds every expression in a compiled program, so that mistakes show at the upload and not a year later. */
import { lintFeel } from '../feel/lint.ts';
import type { Finding } from '../finding.ts';
import type { EventDefinition, Expression, Flow, Node, Program } from '../program.ts';

/** Checks every expression of a program, and reports the element that it belongs to. */
export function lintExpressions({ nodes, flows }: Program): readonly Finding[] {
  return [...nodes, ...flows].flatMap((element) => {
    const used = 'from' in element ? ofFlow(element) : ofNode(element);
    return used.flatMap((one) => (one !== undefined && 'feel' in one ? lintFeel(one.feel, element.id) : []));
  });
}

const ofFlow = ({ condition }: Flow): readonly (Expression | undefined)[] => [condition];

function ofNode({ event, loop, user, inputs = [], outputs = [] }: Node): readonly (Expression | undefined)[] {
  return [
    expressionOf(event),
    loop?.count,
    loop?.items,
    loop?.condition,
    loop?.output,
    user?.assignee,
    user?.due,
    ...[...inputs, ...outputs].map(({ source }) => source),
  ];
}

function expressionOf(event: EventDefinition | undefined): Expression | undefined {
  if (event?.kind === 'message') return event.key;
  if (event?.kind === 'timer') return event.time;
  return event?.kind === 'condition' ? event.when : undefined;
}
