import { pythonSample } from '../code-samples/python.ts';
import type { ApiModel, OperationModel } from '../model.ts';
import type { Argument } from './arguments.ts';
import type { ProblemCodes } from './problem-codes.ts';
import { problemClass } from './problems-module.ts';

/** The docstring of a method: what it does, what it takes, what it raises, and a call that works. */
export function documentation(operation: OperationModel, args: readonly Argument[], model: ApiModel, codes: ProblemCodes): string {
  return [
    `${operation.summary.replace(/\.?$/, '.')}\n\n${operation.description.trim()}${operation.deprecated ? '\n\nDeprecated.' : ''}`,
    section('Args', args.filter(({ description }) => description !== '').map(({ name, description }) => `${name}: ${description.trim().replaceAll('\n', '\n        ')}`)),
    section('Raises', (codes.get(operation.operationId) ?? []).flatMap((code) => raised(code, model))),
    section('Example', example(operation, model)),
  ].filter((part) => part !== '').join('\n\n');
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${title}:\n${lines.map((line) => (line === '' ? '' : `    ${line}`)).join('\n')}`;
}

function raised(code: string, { problems }: ApiModel): string[] {
  const problem = problems.find((one) => one.code === code);
  return problem === undefined ? [] : [`errors.${problemClass(problem).name}: ${problem.status}, ${problem.title.charAt(0).toLowerCase()}${problem.title.slice(1)}.`];
}

/** The sample of the reference without its preamble, as the asynchronous client is called; the other one drops `await`. */
function example(operation: OperationModel, model: ApiModel): string[] {
  const lines = pythonSample(operation, model).split('\n');
  const use = lines.slice(lines.findIndex((line) => line.startsWith('client = ')) + 2);
  while (use.at(-1) === '') use.pop();
  return use.map((line) => line.replace(/^for /, 'async for ').replace(/(?<!in )\bclient\.|^download\./, (call) => `await ${call}`));
}
