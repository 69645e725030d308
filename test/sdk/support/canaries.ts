/**
 * Values that must never leave requests and answers. Used by canaries.test.ts, which looks for them in everything that
 * an SDK logs or prints.
 */
import { isIPv4 } from 'node:net';
import { dereference } from '../../../scripts/contract/contract.ts';
import type { Contract, Schema } from '../../../scripts/contract/contract.ts';

/** Names of members that are secrets although they do not describe a person. */
const SECRET =
  /^(password|currentPassword|newPassword|secret|client_secret|access_token|accessToken|refreshToken|token|recoveryCodes|otpauthUri|uri)$/;
/** Minimum length: shorter values occur in every log by chance, as do the address of this machine and rows of zeros. */
const SHORTEST = 8;
const EVERYWHERE = /^(127\.0\.0\.1|0+)$/;
/** Durations to the last binary digit, which now and then contain a postcode such as 80010000 by chance. */
const MEASURED = /\d+\.\d{9,}/g;

/** Whether a value stands within personal data, and the name of its member. */
interface Place {
  readonly personal: boolean;
  readonly name: string;
}

/** Values that must never occur outside of requests and answers. */
export class Canaries {
  readonly #contract: Contract;
  readonly #random: () => number;
  readonly values = new Set<string>();

  constructor(contract: Contract, random: () => number) {
    this.#contract = contract;
    this.#random = random;
  }

  add(value: string): void {
    if (value.length >= SHORTEST && !EVERYWHERE.test(value)) this.values.add(value);
  }

  /** Records every personal value and every secret in a body. */
  collect(node: Schema | undefined, value: unknown): void {
    this.#map(node, value, { personal: false, name: '' }, (text) => (this.add(text), text));
  }

  /** Returns a body of the same form with personal values that occur nowhere else. */
  disguise(node: Schema | undefined, value: unknown): unknown {
    return this.#map(node, value, { personal: false, name: '' }, (text, name) =>
      SECRET.test(name) ? text : this.another(text),
    );
  }

  /**
   * Replaces letters by letters and digits by digits, so that the text is still a name, an address or a telephone
   * number.
   */
  another(text: string): string {
    const pick = (characters: string): string => characters[Math.floor(this.#random() * characters.length)]!;
    if (/^\d{4}-\d\d-\d\d$/.test(text))
      return `19${pick('1234')}${pick('123456789')}-0${pick('123456789')}-1${pick('123456789')}`;
    if (isIPv4(text)) return Array.from({ length: 4 }, () => `1${pick('123456789')}${pick('123456789')}`).join('.');
    return text
      .replace(/[a-z]/g, () => pick('bcdfghjklmnpqrstvwxyz'))
      .replace(/[A-Z]/g, () => pick('BCDFGHJKLMNPQRSTVWXYZ'))
      .replace(/\d/g, () => pick('123456789'));
  }

  #map(
    node: Schema | undefined,
    value: unknown,
    { personal, name }: Place,
    each: (text: string, name: string) => string,
  ): unknown {
    const schema = node === undefined ? undefined : dereference(this.#contract, node);
    const parts = [
      schema,
      ...[...(schema?.allOf ?? []), ...(schema?.oneOf ?? []), ...(schema?.anyOf ?? [])].map((part) =>
        dereference(this.#contract, part),
      ),
    ];
    const marked = personal || SECRET.test(name) || [node, ...parts].some((part) => part?.['x-pii'] === true);
    if (typeof value === 'string')
      return marked && schema?.enum === undefined && schema?.const === undefined ? each(value, name) : value;
    if (Array.isArray(value)) {
      const items = parts.find((part) => part?.items !== undefined)?.items;
      return value.map((item) => this.#map(items, item, { personal: marked, name }, each));
    }
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => {
        const property = parts.find((part) => part?.properties?.[key] !== undefined)?.properties?.[key];
        return [key, this.#map(property, member, { personal: marked && property === undefined, name: key }, each)];
      }),
    );
  }

  /** Returns the values in a text, each with the text around it. */
  in(written: string): string[] {
    const text = written.replaceAll(MEASURED, 'some time');
    return [...this.values].flatMap((value) => {
      const at = text.indexOf(value);
      return at < 0 ? [] : [`${value} in …${text.slice(Math.max(0, at - 150), at + value.length + 50)}…`];
    });
  }
}
