/**
 * The format `email` of the contract. Used by the validators. It is stricter than the RFC on purpose; a looser one
 * would accept addresses that mail programs misread.
 */
import { domainToASCII } from 'node:url';

/**
 * A dot-string of RFC 5321 §4.1.2. Quoted local parts are refused, because hardly any mailbox has one and many programs
 * misread them.
 */
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
const INTERNATIONAL = /^[\p{L}\p{M}\p{Nd}.-]+$/u;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Length limits of RFC 5321 §4.5.3.1. */
const LONGEST_LOCAL_PART = 64;
const LONGEST_DOMAIN = 253;
const LONGEST_ADDRESS = 254;

/** `format: email`: an address whose domain may be international (RFC 5890); the limits apply to its ASCII form. */
export const emailFormat = {
  type: 'string',
  validate: isEmailAddress,
  message:
    `must be an e-mail address such as ana@example.com, with at most ${LONGEST_LOCAL_PART} unquoted ASCII ` +
    'characters before the @',
} as const;

function isEmailAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  const [local, domain] = [text.slice(0, Math.max(0, at)), text.slice(at + 1)];
  if (local.length > LONGEST_LOCAL_PART || !LOCAL_PART.test(local) || !INTERNATIONAL.test(domain)) return false;
  const ascii = domainToASCII(domain);
  const labels = ascii.split('.');
  return (
    ascii.length <= LONGEST_DOMAIN &&
    local.length + 1 + ascii.length <= LONGEST_ADDRESS &&
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label)) &&
    !/^\d+$/.test(labels.at(-1)!)
  );
}
