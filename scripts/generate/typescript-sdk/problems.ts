/**
 * Writes the error classes of the TypeScript SDK. Used by index.ts and method.ts. A name of the runtime is an error.
 */
import * as errors from '../../../sdks/typescript/src/core/errors.ts';
import type { ApiModel, OperationModel, ProblemModel } from '../model.ts';
import { pascalCase } from '../naming.ts';
import type { ProblemCodes } from '../problem-codes.ts';
import { comment, oneLine } from './text.ts';

/** Returns a class of errors for each problem code. A code with the name of its status needs no class of its own. */
export function problemsFile(model: ApiModel): string {
  const problems = model.problems.filter((problem) => problemClassName(problem.code) !== baseName(problem));
  const taken = problems.find(({ code }) => problemClassName(code) in errors);
  if (taken !== undefined)
    throw new Error(`the class of the problem ${taken.code} would be called like one of the runtime`);
  const bases = [...new Set(problems.map(baseName))].sort();
  return (
    `import { ${bases.join(', ')} } from '../../core/errors.ts';\n` +
    "import { problemClass } from '../../core/problem-class.ts';\n\n" +
    `${problems.map(declaration).join('\n')}`
  );
}

/** Returns `InvalidCursorError` for `invalid_cursor`. */
export function problemClassName(code: string): string {
  return `${pascalCase(code).replace(/Error$/, '')}Error`;
}

export function baseName({ status }: ProblemModel): string {
  return errors.classForStatus(status).name;
}

function declaration(problem: ProblemModel): string {
  const { code, status, title, description, members } = problem;
  const name = problemClassName(code);
  const types =
    members.length === 0
      ? ''
      : `<'${code}', ${baseName(problem)}, ${members.map((member) => `'${member.name}'`).join(' | ')}>`;
  return (
    comment(
      [
        `${status} \`${code}\`: ${oneLine(title).replace(/\.$/, '')}. ${oneLine(description)}`,
        ...members.map((member) => `\`problem.${member.name}\`: ${oneLine(member.description)}`),
      ],
      '',
    ) +
    `export const ${name} = /* @__PURE__ */ problemClass${types}('${code}', ${baseName(problem)});\n` +
    `export type ${name} = InstanceType<typeof ${name}>;\n`
  );
}

/** Returns the problems that are specific to an operation, with their classes. */
function problemsOf({ operationId }: OperationModel, model: ApiModel, codes: ProblemCodes): ProblemModel[] {
  return (codes.get(operationId) ?? []).flatMap(
    (code) => model.problems.find((problem) => problem.code === code) ?? [],
  );
}

/**
 * Returns the documentation of a method's errors: `@throws {DuplicateExternalIdError} 409: … With
 * \`problem.existingId\`.`
 */
export function throwsOf(operation: OperationModel, model: ApiModel, codes: ProblemCodes): string[] {
  return problemsOf(operation, model, codes).map((problem) => {
    const members = problem.members.map(({ name }) => `\`problem.${name}\``).join(', ');
    const title = oneLine(problem.title).replace(/\.$/, '');
    const beside = members === '' ? '' : ` With ${members}.`;
    return `@throws {${problemClassName(problem.code)}} ${problem.status}: ${title}.${beside}`;
  });
}

/** Returns for each operation the union of its specific errors, which a `switch` over `code` narrows. */
export function operationErrorsFile(model: ApiModel, codes: ProblemCodes): string {
  const unions = model.operations
    .map((operation) => ({ operation, problems: problemsOf(operation, model, codes) }))
    .filter(({ problems }) => problems.length > 0);
  const named = unions.flatMap(({ problems }) => problems);
  const isPlain = (problem: ProblemModel): boolean => problemClassName(problem.code) === baseName(problem);
  const imported = (problems: readonly ProblemModel[], file: string): string => {
    const names = [...new Set(problems.map(({ code }) => problemClassName(code)))].sort();
    return names.length === 0 ? '' : `import type { ${names.join(', ')} } from '${file}';\n`;
  };
  // The class of a status has no code, so the code is added here.
  const member = (problem: ProblemModel): string =>
    isPlain(problem)
      ? `(${problemClassName(problem.code)} & { readonly code: '${problem.code}' })`
      : problemClassName(problem.code);
  return (
    imported(named.filter(isPlain), '../../core/errors.ts') +
    imported(
      named.filter((problem) => !isPlain(problem)),
      './problems.ts',
    ) +
    unions
      .map(
        ({ operation: { operationId, sdk }, problems }) =>
          '\n' +
          `/** What \`client.${sdk.typescript}\` may be refused with, beside what any operation may. A \`switch\` ` +
          'over its `code` narrows it. */\n' +
          `export type ${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Error = ` +
          `${problems.map(member).join(' | ')};\n`,
      )
      .join('')
  );
}
