/** Reads a decision table from a file of DMN, in the namespaces of its versions 1.1 to 1.5. */
import { SaxesParser, type SaxesTagNS } from 'saxes';
import { scan } from '../bpmn/scan.ts';
import { type DecisionTable, lintTable } from '../feel/decision-table.ts';
import { error, type Finding } from '../finding.ts';
import { isVariableName } from '../kernel/state.ts';

/** A decision with its table, as its file names it. */
export interface Decision {
  readonly id: string;
  readonly name?: string;
  readonly table: DecisionTable;
}

/** What was read, or null with the findings because of which it could not be. */
export interface DecisionReading {
  readonly decision: Decision | null;
  readonly findings: readonly Finding[];
}

const NAMESPACE = /^https?:\/\/www\.omg\.org\/spec\/DMN\/\d{8}\/(?:MODEL\/|dmn\.xsd)$/;
const MOST_RULES = 500;
const MOST_COLUMNS = 30;
const ID = /^[A-Za-z_][A-Za-z0-9_.-]{0,127}$/;
const POLICIES: Readonly<Record<string, DecisionTable['hitPolicy']>> = {
  UNIQUE: 'unique',
  FIRST: 'first',
  ANY: 'any',
  COLLECT: 'collect',
};

/** Whether the text is a file of DMN rather than one of BPMN. */
export const isDmn = (bytes: Uint8Array): boolean => {
  const scanned = scan(bytes);
  if ('refused' in scanned) return false;
  // A file of BPMN can name other namespaces of DMN, such as that of FEEL; what counts is that of its root.
  const [, prefix, attributes = ''] = /<(?:(\w+):)?definitions\b([^>]*)/.exec(scanned.text.slice(0, 4000)) ?? [];
  const declared = prefix === undefined ? 'xmlns' : `xmlns:${prefix}`;
  return new RegExp(`\\s${declared}\\s*=\\s*["'][^"']*/spec/DMN/`).test(attributes);
};

interface Rule {
  readonly when: string[];
  readonly then: string[];
}

/** The tables of a file while it is read, and where the next text belongs. */
interface Reader {
  readonly decisions: { id: string; name: string | undefined; hasTable: boolean }[];
  policy: string;
  aggregation: string | undefined;
  readonly inputs: { expression: string }[];
  readonly outputs: { name: string }[];
  readonly rules: Rule[];
  readonly path: string[];
}

/** Reads the first decision of a file. Each rule has a cell for each column, in FEEL. */
export function readDecision(bytes: Uint8Array): DecisionReading {
  const scanned = scan(bytes);
  if ('refused' in scanned) return { decision: null, findings: [scanned.refused] };
  const reader: Reader = {
    decisions: [],
    policy: 'UNIQUE',
    aggregation: undefined,
    inputs: [],
    outputs: [],
    rules: [],
    path: [],
  };
  try {
    parse(scanned.text, reader);
  } catch {
    return { decision: null, findings: [error('xml_malformed', null, 'The file is not well-formed XML.')] };
  }
  return judged(reader);
}

function parse(text: string, reader: Reader): void {
  const parser = new SaxesParser<{ xmlns: true }>({ xmlns: true });
  parser.on('error', (failure) => {
    throw failure;
  });
  parser.on('opentag', (tag) => open(tag, reader));
  parser.on('text', (content) => write(content, reader));
  parser.on('cdata', (content) => write(content, reader));
  parser.on('closetag', () => void reader.path.pop());
  parser.write(text).close();
}

const attribute = ({ attributes }: SaxesTagNS, name: string): string | undefined =>
  Object.values(attributes).find((one) => one.local === name && one.uri === '')?.value;

function open(tag: SaxesTagNS, reader: Reader): void {
  const { path, decisions, inputs, outputs, rules } = reader;
  const name = NAMESPACE.test(tag.uri) ? tag.local : '';
  path.push(name);
  switch (name) {
    case 'decision':
      return void decisions.push({ id: attribute(tag, 'id') ?? '', name: attribute(tag, 'name'), hasTable: false });
    case 'decisionTable':
      if (decisions.length > 0) decisions.at(-1)!.hasTable = true;
      if (decisions.length !== 1) return;
      reader.policy = attribute(tag, 'hitPolicy') ?? 'UNIQUE';
      reader.aggregation = attribute(tag, 'aggregation');
      return;
    default:
  }
  if (decisions.length !== 1 || !path.includes('decisionTable')) return;
  switch (name) {
    case 'input':
      return void inputs.push({ expression: '' });
    case 'output':
      return void outputs.push({ name: attribute(tag, 'name') ?? '' });
    case 'rule':
      return void rules.push({ when: [], then: [] });
    case 'inputEntry':
      return void rules.at(-1)?.when.push('');
    case 'outputEntry':
      return void rules.at(-1)?.then.push('');
    default:
  }
}

function write(content: string, { path, decisions, inputs, rules }: Reader): void {
  if (path.at(-1) !== 'text' || decisions.length !== 1) return;
  const [rule, place] = [rules.at(-1), path.at(-2)];
  if (place === 'inputExpression' && inputs.length > 0) inputs.at(-1)!.expression += content;
  if (place === 'inputEntry' && rule !== undefined) rule.when.push((rule.when.pop() ?? '') + content);
  if (place === 'outputEntry' && rule !== undefined) rule.then.push((rule.then.pop() ?? '') + content);
}

function judged({ decisions, policy, aggregation, inputs, outputs, rules }: Reader): DecisionReading {
  const refuse = (finding: Finding): DecisionReading => ({ decision: null, findings: [finding] });
  const [first] = decisions;
  if (first === undefined || !first.hasTable) {
    return refuse(error('no_process', null, 'The file has no decision with a decision table.'));
  }
  if (!ID.test(first.id)) return refuse(error('invalid_id', first.id, 'The decision has no id that can be its key.'));
  const hitPolicy = POLICIES[policy];
  const isTooLarge = rules.length > MOST_RULES || inputs.length + outputs.length > MOST_COLUMNS;
  const table: DecisionTable = {
    hitPolicy: hitPolicy ?? 'unique',
    inputs: inputs.map(({ expression }) => ({ expression: expression.trim() })),
    outputs,
    rules: rules.map(({ when, then }) => ({
      when: when.map((cell) => (cell.trim() === '' ? '-' : cell.trim())),
      then: then.map((cell) => (cell.trim() === '' ? 'null' : cell.trim())),
    })),
  };
  const findings = [
    ...(decisions.length > 1 ? [error('unsupported_element', decisions[1]!.id, 'A file has one decision.')] : []),
    ...(hitPolicy === undefined || aggregation !== undefined
      ? [error('unsupported_element', first.id, 'The hit policy is unique, first, any, or collect without a sum.')]
      : []),
    ...(isTooLarge
      ? [error('too_many_nodes', first.id, `A table has at most ${MOST_RULES} rules and ${MOST_COLUMNS} columns.`)]
      : []),
    ...(outputs.some(({ name }) => !isVariableName(name))
      ? [error('invalid_variable', first.id, 'An output is named by letters, digits and underscores.')]
      : []),
    ...(isTooLarge ? [] : lintTable(table)),
  ];
  const name = first.name?.slice(0, 200);
  return { decision: { id: first.id, ...(name === undefined ? {} : { name }), table }, findings };
}
