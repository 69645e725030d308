/** Parses a file by bpmn-moddle, after the scan has let it through. */
import { createRequire } from 'node:module';
import { BpmnModdle } from 'bpmn-moddle';
import { error, type Finding, warning } from '../finding.ts';
import { scan } from './scan.ts';

/** An element as the parser returns it: attributes and children under the names of the BPMN metamodel. */
export interface Element {
  readonly $type: string;
  readonly $attrs: Readonly<Record<string, string>>;
  readonly $parent?: Element;
  readonly id?: string;
  readonly name?: string;
  // The metamodel has hundreds of members; the compiler reads some thirty of them.
  readonly [member: string]: any;
}

/** A model that was read, or the findings because of which it could not be. */
export interface Reading {
  readonly root: Element | null;
  readonly findings: readonly Finding[];
}

const zeebe = createRequire(import.meta.url)('zeebe-bpmn-moddle/resources/zeebe.json') as object;
const moddle = new BpmnModdle({ zeebe });

/** Reads a file of BPMN 2.0. The text of a file that exceeds the limits never reaches the parser. */
export async function read(bytes: Uint8Array): Promise<Reading> {
  const scanned = scan(bytes);
  if ('refused' in scanned) return { root: null, findings: [scanned.refused] };
  try {
    const { rootElement, warnings } = await moddle.fromXML(scanned.text);
    return { root: rootElement as unknown as Element, findings: warnings.map(findingOf) };
  } catch (failure) {
    const refused = failure as Error & { warnings?: { message: string }[] };
    return { root: null, findings: [error('xml_malformed', null, firstLine(refused.message))] };
  }
}

function findingOf({ message, ...at }: { message: string; element?: object; value?: string }): Finding {
  const elementId = (at.element as Element | undefined)?.id ?? null;
  if (/duplicate ID/i.test(message)) return error('duplicate_id', elementId, firstLine(message));
  if (/unresolved reference/i.test(message)) return warning('unresolved_reference', elementId, firstLine(message));
  if (/unparsable|unrecognized element|unexpected/i.test(message)) {
    return error('xml_malformed', elementId, firstLine(message));
  }
  return warning('xml_unknown_element', elementId, firstLine(message));
}

const firstLine = (text: string): string => text.split('\n')[0]!.slice(0, 200);
