/** Judges expressions in FEEL by their syntax, before anything is evaluated. */
import { parseExpression, parseUnaryTests } from 'feelin';
import { error, type Finding } from '../finding.ts';

/** Functions of FEEL that depend on nothing but their arguments and the time of the step. */
const FUNCTIONS: ReadonlySet<string> = new Set(
  `number,string,date,date and time,time,duration,years and months duration,now,today,not,substring,string length,
  upper case,lower case,substring before,substring after,replace,contains,matches,starts with,ends with,split,trim,
  string join,list contains,list replace,count,min,max,sum,product,mean,median,stddev,mode,all,any,sublist,append,
  concatenate,insert before,remove,reverse,index of,union,distinct values,flatten,sort,partition,is empty,decimal,
  floor,ceiling,round,round up,round down,round half up,round half down,abs,modulo,sqrt,log,exp,odd,even,is defined,
  get or else,get value,get entries,context,context put,context merge,before,after,meets,met by,overlaps,
  overlaps before,overlaps after,finishes,finished by,includes,during,starts,started by,coincides,day of year,
  day of week,month of year,week of year,last day of month,is,range`
    .split(',')
    .map((name) => name.trim()),
);
const LARGEST_RANGE = 10_000;

interface Part {
  readonly name: string;
  readonly text: string;
  readonly parts: Part[];
}

/** Checks an expression or the cell of a decision table without evaluating it. */
export function lintFeel(
  text: string,
  elementId: string | null,
  kind: 'expression' | 'test' = 'expression',
): Finding[] {
  const root: Part = { name: '', text, parts: [] };
  const stack = [root];
  let isValid = true;
  const tree = kind === 'test' ? parseUnaryTests(text, {}, undefined) : parseExpression(text, {}, undefined);
  tree.iterate({
    enter: ({ name, type, from, to }) => {
      if (type.isError) isValid = false;
      const part = { name, text: text.slice(from, to), parts: [] };
      stack.at(-1)!.parts.push(part);
      stack.push(part);
    },
    leave: () => void stack.pop(),
  });
  if (!isValid) return [error('invalid_expression', elementId, 'The expression is not valid FEEL.')];
  return walk(root).flatMap((part) => findingsOf(part, elementId));
}

const walk = (part: Part): Part[] => [part, ...part.parts.flatMap(walk)];

function findingsOf({ name, parts }: Part, elementId: string | null): Finding[] {
  const [first] = parts;
  if (name === 'FunctionInvocation' && first?.name === 'VariableName' && !FUNCTIONS.has(first.text)) {
    return [error('unknown_function', elementId, `FEEL has no function ${first.text.slice(0, 60)} here.`)];
  }
  if (name === 'FunctionInvocation' && first?.name !== 'VariableName' && first?.name !== 'FunctionDefinition') {
    return [error('unknown_function', elementId, 'A function is called by its name.')];
  }
  if (name === 'Interval' || name === 'IterationContext') return rangeFindings(parts, elementId);
  if (name !== 'Comparison') return [];
  const operator = parts.find((part) => part.name === 'CompareOp')?.text;
  const computed = parts.some((part) => part.name === 'ArithmeticExpression');
  if (!computed || (operator !== '=' && operator !== '!=')) return [];
  const message = 'Computed numbers are compared by < or >, because their last digits are not exact.';
  return [error('equality_of_computed_numbers', elementId, message)];
}

function rangeFindings(parts: readonly Part[], elementId: string | null): Finding[] {
  const bounds = parts.filter(({ name }) => name === 'NumericLiteral').map(({ text }) => Number(text));
  if (bounds.length !== 2 || Math.abs(bounds[1]! - bounds[0]!) <= LARGEST_RANGE) return [];
  return [error('range_too_large', elementId, `A range has more than ${LARGEST_RANGE} numbers.`)];
}
