import { dereference } from '../contract.ts';
import type { Contract } from '../contract.ts';
import type { Schema } from '../schema.ts';

/**
 * The members whose values a log may show, and into which it may look: wherever the contract declares a member of that
 * name it is an enumeration, a flag, or an object with declared members, and nowhere personal data. A member that the
 * contract does not know is not among them.
 */
export function shownFile(contract: Contract): string {
  const members = new Map<string, Schema[]>();
  for (const schema of Object.values(contract.components.schemas ?? {})) collect(schema, members);
  const names = [...members].filter(([, schemas]) => schemas.every((schema) => isHarmless(contract, schema))).map(([name]) => name).sort();
  return `/** Members without personal data: enumerations, flags, and objects made of declared members. */\n`
    + `export const SHOWN: ReadonlySet<string> = /* @__PURE__ */ new Set((\n${lines(names).map((line) => `  '${line}'`).join(' +\n')}\n).split(' '));\n`;
}

/** Every declared member by its name. */
function collect(schema: Schema, members: Map<string, Schema[]>): void {
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    members.set(name, [...(members.get(name) ?? []), member]);
    collect(member, members);
  }
  const inner = [schema.items, typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined, ...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
  for (const part of inner) if (part !== undefined) collect(part, members);
}

function isHarmless(contract: Contract, node: Schema): boolean {
  const schema = dereference(contract, node);
  if (node['x-pii'] || schema['x-pii']) return false;
  if (schema.enum !== undefined || schema.const !== undefined || schema.type === 'boolean' || schema.type === 'null') return true;
  const variants = schema.allOf ?? schema.oneOf ?? schema.anyOf;
  if (variants !== undefined) return variants.every((variant) => isHarmless(contract, variant));
  if (schema.items !== undefined) return isHarmless(contract, schema.items);
  return schema.properties !== undefined && typeof schema.additionalProperties !== 'object' && schema.additionalProperties !== true;
}

/** Lines of at most 120 characters, each but the last with a space at its end. */
function lines(names: readonly string[]): string[] {
  const rows: string[] = [];
  for (const name of names) {
    const row = rows.at(-1);
    if (row === undefined || row.length + name.length > 120) rows.push(name);
    else rows[rows.length - 1] = `${row} ${name}`;
  }
  return rows.map((row, index) => (index < rows.length - 1 ? `${row} ` : row));
}
