/** Files and expressions of somebody who means harm. Used by a test of the engine and by the benchmark. */
import { flow, flows, processXml } from './driver.ts';

/** The ends of a process, between which a test puts what is wrong. */
export const ENDS = '<startEvent id="s"/><endEvent id="e"/>';
const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

const laughs = (depth: number): string =>
  `<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a0 "ha">${numbers(depth)
    .map((one) => `<!ENTITY a${one} "${`&a${one - 1};`.repeat(10)}">`)
    .join('')}]><l>&a${depth};</l>`;
const external = (address: string): string =>
  `<?xml version="1.0"?><!DOCTYPE d [<!ENTITY x SYSTEM "${address}">]><d>&x;</d>`;
const nested = (depth: number): string => '<a>'.repeat(depth) + '</a>'.repeat(depth);
const repeated = (count: number): string => processXml(`${ENDS}${'<task id="same"/>'.repeat(count)}`);
const named = (id: string): string => processXml(`${ENDS}<task id="${id}"/>${flows('s-e')}`);
const wide = (branches: number): string =>
  processXml(
    `${ENDS}<inclusiveGateway id="g"/><inclusiveGateway id="j"/>${numbers(branches)
      .map((one) => `<userTask id="t${one}"/>${flow(`c${one}`, 'g', `t${one}`, `x${one}`)}${flows(`t${one}-j`)}`)
      .join('')}${flows('s-g j-e')}`,
  );
const attribute = (length: number): string => `<definitions name="${'x'.repeat(length)}"/>`;

/** Files, by what is wrong with them. */
export const FILES: readonly (readonly [string, string])[] = [
  ...numbers(20).map((one) => [`${one} levels of laughs`, laughs(one)] as const),
  ...['file:///etc/passwd', 'http://127.0.0.1/', 'http://169.254.169.254/', 'ftp://x/', 'php://input', 'data:,x'].map(
    (address) => [`the entity ${address}`, external(address)] as const,
  ),
  ...numbers(12).map((one) => [`a depth of ${4 ** one}`, nested(Math.min(4 ** one, 60_000))] as const),
  ...numbers(15).map((one) => [`${one * 1400} equal ids`, repeated(one * 1400)] as const),
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'].map(
    (id) => [`the id ${id}`, named(id)] as const,
  ),
  ...numbers(20).map((one) => [`${one * 4} branches that may all be taken`, wide(one * 4)] as const),
  ...numbers(8).map(
    (one) => [`an attribute of ${10 ** one} characters`, attribute(Math.min(10 ** one, 400_000))] as const,
  ),
  ...[
    '<',
    '<a',
    '<a b',
    '<a b="',
    '<!--',
    '<![CDATA[',
    '<?x',
    '&',
    '\u0000',
    '<a/><b/>',
    '</a>',
    '',
    '<definitions/>',
    '{}',
    'PK\u0003\u0004',
  ].map((text, index) => [`a torn file ${index}`, text] as const),
  ...['script', 'complexGateway', 'adHocSubProcess', 'transaction', 'globalTask'].map(
    (type) => [`the element ${type}`, processXml(`${ENDS}<${type} id="a"/>${flows('s-e')}`)] as const,
  ),
];

/** Expressions that run away or reach for what is not theirs. */
export const EXPRESSIONS: readonly string[] = [
  ...['(a+)+$', '^(a|a)*$', '(a*)*b', '^(([a-z])+.)+[A-Z]([a-z])+$', '(.*)*x', '(a|aa)+$', '^([a-zA-Z]+)*$'].map(
    (pattern) => `matches("${'a'.repeat(60)}!", "${pattern}")`,
  ),
  ...numbers(5).map((one) => `count(for i in 1..${10 ** (one + 4)} return i) = 1`),
  ...numbers(5).map((one) => `string length(string join(for i in 1..${10 ** (one + 2)} return "xxxxxxxxxxxx")) = 1`),
  ...numbers(4).map(
    (one) =>
      `count(for ${numbers(one)
        .map((i) => `i${i} in 1..9000`)
        .join(', ')} return i1) = 1`,
  ),
  '{ f: function(g) g(g), r: f(f) }.r',
  '{ f: function(n) f(n + 1), r: f(1) }.r',
  ...[
    'a.constructor',
    'a.__proto__',
    'process',
    'globalThis',
    'require("fs")',
    'import("fs")',
    'this',
    'a.toString',
  ].map((reach) => `${reach} != null`),
  ...[
    'constructor.constructor("return process")()',
    'eval("1")',
    'Function("return 1")()',
    'fetch("http://127.0.0.1")',
  ],
  `${'('.repeat(300)}1${')'.repeat(300)} = 2`,
  `${'not('.repeat(201)}true${')'.repeat(201)}`,
  `${numbers(300).join(' + ')} < 0`,
  `some i in 1..9000 satisfies some j in 1..9000 satisfies i * j < 0`,
  `every i in 1..9000 satisfies every j in 1..9000 satisfies i * j > 0`,
  'replace(string join(for i in 1..9000 return "a"), "a", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa") = ""',
  'count(split(string join(for i in 1..9000 return "a,"), ",")) = 0',
];
