import type { ApiModel, ProblemModel } from '../model.ts';
import { pascalCase } from '../naming.ts';
import { docstring, header, str } from './text.ts';

/** Classes of `_status_errors.py`, by status. */
const STATUS_CLASSES: Readonly<Record<number, string>> = {
  400: 'BadRequestError', 401: 'AuthenticationError', 403: 'PermissionDeniedError', 404: 'NotFoundError', 405: 'MethodNotAllowedError',
  406: 'NotAcceptableError', 409: 'ConflictError', 410: 'GoneError', 412: 'PreconditionFailedError', 413: 'PayloadTooLargeError',
  415: 'UnsupportedMediaTypeError', 422: 'UnprocessableContentError', 423: 'LockedError', 428: 'PreconditionRequiredError', 429: 'RateLimitError',
};

/** The class of a problem code, and the class of its status. */
export function problemClass({ code, status }: ProblemModel): { readonly name: string; readonly base: string } {
  const base = STATUS_CLASSES[status] ?? (status >= 500 ? 'ServerError' : 'APIStatusError');
  return { name: `${pascalCase(code).replace(/Error$/, '')}Error`, base };
}

/** `errors.py`: one class per problem code. A code with the name of its status needs none of its own. */
export function problemsModule(model: ApiModel): string {
  const bases = new Set<string>();
  const classes: string[] = [];
  const entries: string[] = [];
  for (const problem of model.problems) {
    const { code, status, title, description } = problem;
    const { name, base } = problemClass(problem);
    bases.add(base);
    entries.push(`    ${str(code)}: ${name},\n`);
    if (name !== base) {
      classes.push(`class ${name}(${base}):\n${docstring(`${status} \`${code}\`: ${title}.\n\n${description}`, '    ')}\n    problem_code = ${str(code)}\n`);
    }
  }
  const own = model.problems.map((problem) => problemClass(problem).name).filter((name) => !bases.has(name));
  return `${header()}"""One error class per problem code of the contract."""\n\nfrom collections.abc import Mapping\nfrom typing import Final\n\n`
    + `from compliance_onboarding._errors import APIStatusError\nfrom compliance_onboarding._status_errors import ${[...bases].filter((name) => name !== 'APIStatusError').sort().join(', ')}\n\n`
    + `__all__ = [${[...own, 'PROBLEM_ERRORS'].sort().map(str).join(', ')}]\n\n`
    + `${classes.join('\n\n')}\n\nPROBLEM_ERRORS: Final[Mapping[str, type[APIStatusError]]] = {\n${entries.join('')}}\n`;
}
