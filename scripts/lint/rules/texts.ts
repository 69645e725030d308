/**
 * Lint rules about texts that people write, and about personal data. Used by the list of rules. A personal value that
 * is not marked would appear in logs and to masked readers.
 */
import { isTextFormat } from '../../../server/contract/text-formats.ts';
import { type Schema, schemaName, schemaTypes } from '../../contract/contract.ts';
import { schemaSites, schemasReached } from '../../contract/walk.ts';
import type { Rule } from '../rule.ts';

/**
 * Values that clients send back unchanged, and those of RFC 6749, which has its own rules about characters (appendix
 * A).
 */
const OPAQUE = new Set(['cursor', 'refreshToken']);
const FORM = 'TokenRequest';

/** One character of each kind that the shared patterns exclude. */
const HIDDEN = [
  '\0',
  '\t',
  '\r',
  '\x1b',
  '\x85',
  '\xad',
  '\u061c',
  '\u200b',
  '\u200d',
  '\u200e',
  '\u2028',
  '\u2029',
  '\u202e',
  '\u2060',
  '\u2066',
  '\u3164',
  '\ufeff',
];

/**
 * Text that one person writes and another reads contains no hidden characters. Free text is every string of a request
 * body whose pattern, if it has one, lists the forbidden characters and not the allowed ones.
 */
const textFormats: Rule = (contract, report) => {
  for (const { schema, pointer } of schemasReached(contract, 'request')) {
    if (!schemaTypes(schema).includes('string') || pointer.includes(FORM) || OPAQUE.has(String(pointer.at(-1))))
      continue;
    const { format } = schema;
    if (format === 'single-line' || format === 'multi-line') {
      const shown = shows(schema);
      const hidden = format === 'single-line' ? [...HIDDEN, '\n'] : HIDDEN;
      if (hidden.some(shown)) report(pointer, `Give this text the pattern of its format too: \`pattern: *${format}\`.`);
    } else if (format === undefined && isFree(schema)) {
      report(pointer, 'Give this text `format: single-line` and `pattern: *single-line`, or both `multi-line`.');
    }
  }
};

function isFree({ enum: values, const: value, pattern }: Schema): boolean {
  return values === undefined && value === undefined && (pattern === undefined || pattern.includes('[^'));
}

/** Returns whether the pattern allows a character. */
function shows({ pattern }: Schema): (character: string) => boolean {
  const regex = new RegExp(pattern ?? '', 'u');
  return (character) => regex.test(`ab${character}cd`);
}

/**
 * A text with a pattern explains the pattern in words, because the author of a refused text cannot be expected to read
 * regular expressions.
 */
const patternWords: Rule = (contract, report) => {
  const known = new Map<string, string>();
  for (const { schema, pointer } of schemaSites(contract)) {
    const { pattern, format, 'x-must-be': words } = schema;
    if (pattern === undefined) {
      if (words !== undefined)
        report([...pointer, 'x-must-be'], '`x-must-be` says in words what a `pattern` says; there is none.');
    } else if (words === undefined) {
      if (!isTextFormat(format))
        report(pointer, 'Say in words what the pattern allows: `x-must-be`, completing "must be …".');
    } else if ((known.get(pattern) ?? words) !== words) {
      report([...pointer, 'x-must-be'], 'The same pattern is put into other words elsewhere.');
    } else known.set(pattern, words);
  }
};

/** Members whose name alone indicates that they identify a person. */
const PERSONAL =
  /^(fullName|firstName|lastName|middleName|socialName|motherName|birthDate|dateOfBirth|email|phone|phoneNumber|taxId|documentNumber|passportNumber|street|postalCode)$/;

/** Logs redact values marked `x-pii`, directly or within an object, so every personal value must be marked. */
const personalData: Rule = (contract, report) => {
  const schemas = contract.components.schemas ?? {};
  for (const [owner, schema] of Object.entries(schemas)) {
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      const marked = [member, ...(member.oneOf ?? [])].some((candidate) =>
        isMarked(schemas[schemaName(candidate) ?? ''] ?? candidate),
      );
      if (PERSONAL.test(name) && !marked && member['x-pii'] !== true)
        report(['components', 'schemas', owner, 'properties', name], `Mark \`${name}\` with \`x-pii: true\`.`);
    }
  }
};

function isMarked(schema: Schema): boolean {
  return schema['x-pii'] === true || Object.values(schema.properties ?? {}).some((member) => member['x-pii'] === true);
}

/**
 * A record that declares `x-masked` has no unmasked personal data, in itself or in nested objects, for callers who see
 * persons masked.
 */
const maskedData: Rule = (contract, report) => {
  const schemas = contract.components.schemas ?? {};
  const reached = new Set(
    Object.keys(schemas).filter((name) => schemas[name]?.properties?.['personalDataMasked'] !== undefined),
  );
  for (const owner of reached) {
    for (const [name, member] of Object.entries(schemas[owner]?.properties ?? {})) {
      if (member['x-masked'] !== undefined) continue;
      const named = [member, member.items, ...(member.oneOf ?? [])].flatMap((node) =>
        node === undefined ? [] : (schemaName(node) ?? []),
      );
      if ([member, ...named.map((one) => schemas[one])].some((node) => node?.['x-pii'] === true))
        report(['components', 'schemas', owner, 'properties', name], `State how \`${name}\` is masked: \`x-masked\`.`);
      for (const one of named) if (schemas[one]?.properties !== undefined) reached.add(one);
    }
  }
};

export const texts: Readonly<Record<string, Rule>> = {
  'pattern-words': patternWords,
  'personal-data': personalData,
  'masked-data': maskedData,
  'text-formats': textFormats,
};
