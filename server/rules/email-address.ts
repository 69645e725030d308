/**
 * The form in which e-mail addresses are stored and compared. Used by every module about people. Without it one mailbox
 * could belong to two accounts.
 */
import { domainToASCII } from 'node:url';

/**
 * Returns the form in which an address is stored and looked up: lower case, NFC, and the domain as ASCII (RFC 5891), so
 * that one mailbox never belongs to two users.
 */
export function normalEmail(address: string): string {
  const text = address.normalize('NFC').toLowerCase();
  const at = text.lastIndexOf('@');
  const domain = text.slice(at + 1);
  return `${text.slice(0, at)}@${domainToASCII(domain) || domain}`;
}
