import { isUtf8 } from 'node:buffer';
import { Problem, type FieldError } from './problem.ts';

/** Reads application/x-www-form-urlencoded (URL standard §5.1). A name that stands twice is refused (RFC 6749 §3.2). */
export function readForm(bytes: Buffer): Record<string, string> {
  if (!isUtf8(bytes)) throw invalid({ pointer: '', code: 'encoding', message: 'the form is not UTF-8' });
  const form: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of new URLSearchParams(bytes.toString('utf8'))) {
    if (Object.hasOwn(form, name)) throw invalid({ pointer: `/${pointerToken(name)}`, code: 'repeated', message: 'must be given once' });
    if (name.includes('\0') || value.includes('\0')) throw invalid({ pointer: `/${pointerToken(name)}`, code: 'pattern', message: 'must not contain NUL' });
    form[name] = value;
  }
  return form;
}

function pointerToken(name: string): string {
  return name.slice(0, 100).replaceAll('\0', '').replaceAll('~', '~0').replaceAll('/', '~1');
}

function invalid(error: FieldError): Problem {
  return new Problem('validation_failed', { errors: [error] });
}
