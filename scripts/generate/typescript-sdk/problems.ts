import * as errors from '../../../sdks/typescript/src/core/errors.ts';
import type { ApiModel, ProblemModel } from '../model.ts';
import { pascalCase } from '../naming.ts';
import { comment, oneLine } from './comment.ts';

/** A class of errors for each problem code. A code that is called like its status needs none of its own. */
export function problemsFile(model: ApiModel): string {
  const problems = model.problems.filter((problem) => problemClassName(problem.code) !== baseName(problem));
  const taken = problems.find(({ code }) => problemClassName(code) in errors);
  if (taken !== undefined) throw new Error(`the class of the problem ${taken.code} would be called like one of the runtime`);
  const bases = [...new Set(problems.map(baseName))].sort();
  return `import { ${bases.join(', ')} } from '../../core/errors.ts';\nimport { problemClass } from '../../core/problem-class.ts';\n\n${problems.map(declaration).join('\n')}`;
}

/** `InvalidCursorError` for `invalid_cursor`. */
function problemClassName(code: string): string {
  return `${pascalCase(code).replace(/Error$/, '')}Error`;
}

function baseName({ status }: ProblemModel): string {
  return errors.classForStatus(status).name;
}

function declaration(problem: ProblemModel): string {
  const { code, status, title, description } = problem;
  const name = problemClassName(code);
  return comment([`${status} \`${code}\`: ${oneLine(title).replace(/\.$/, '')}. ${oneLine(description)}`], '')
    + `export const ${name} = /* @__PURE__ */ problemClass('${code}', ${baseName(problem)});\nexport type ${name} = InstanceType<typeof ${name}>;\n`;
}
