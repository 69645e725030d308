/** Writes the page of environment variables from their schema. Used by the pipeline. */
import { allowedValues, VARIABLES, type VariableName } from '../../server/base/config-variables.ts';
import { generatedBy } from './source-text.ts';

/** Returns `docs/guides/environment-variables.md`: the schema of server/base/config-variables.ts for operators. */
export function variablesPage(): string {
  return [
    `<!-- ${generatedBy('scripts/generate.ts').replace('openapi.yaml', 'server/base/config-variables.ts')} -->`,
    '# Environment variables',
    '',
    'The service reads its configuration from these variables when it starts. An empty variable counts as absent.',
    'If a value is wrong, the start ends with a message that names every wrong variable and repeats no value, because',
    'it may be a password. [The guide for operators](operators.md) explains when to set them.',
    '',
    '| Variable | Meaning | Value | Default |',
    '|---|---|---|---|',
    ...(Object.keys(VARIABLES) as VariableName[]).map(row),
    '',
  ].join('\n');
}

function row(name: VariableName): string {
  const schema = VARIABLES[name];
  // Markdown would take a placeholder in angle brackets for an element.
  const meaning = schema.description.replaceAll('<', '\\<');
  const fallback = 'default' in schema ? `\`${schema.default}\`` : '';
  return `| \`${name}\` | ${meaning} | ${allowedValues(name)} | ${fallback} |`;
}
