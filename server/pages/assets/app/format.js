/** This module writes times and roles in words for people. */
import { el } from '../dom.js';

const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });
const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const PRECISE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const RELATIVE = new Intl.RelativeTimeFormat('en-GB', { numeric: 'auto' });

/** @type {readonly (readonly [Intl.RelativeTimeFormatUnit, number])[]} */
const UNITS = [['day', 86_400_000], ['hour', 3_600_000], ['minute', 60_000]];

/** `3 hours ago`, with the exact moment at hand. @param {string} timestamp */
export function relativeTime(timestamp) {
  const difference = Date.parse(timestamp) - Date.now();
  const [unit, length] = UNITS.find(([, milliseconds]) => Math.abs(difference) >= milliseconds) ?? ['minute', 60_000];
  const words = Math.abs(difference) < 60_000 ? 'just now' : RELATIVE.format(Math.round(difference / length), unit);
  return el('time', { datetime: timestamp, title: MOMENT.format(new Date(timestamp)) }, words);
}

/** @param {string} timestamp */
export function calendarDate(timestamp) {
  return el('time', { datetime: timestamp, title: MOMENT.format(new Date(timestamp)) }, DATE.format(new Date(timestamp)));
}

/** @param {string} timestamp */
export function moment(timestamp) {
  return el('time', { datetime: timestamp }, MOMENT.format(new Date(timestamp)));
}

/** @param {string} timestamp */
export function preciseMoment(timestamp) {
  return el('time', { datetime: timestamp, title: timestamp }, PRECISE.format(new Date(timestamp)));
}

/** What each role is for, in the order of their reach. @type {readonly (readonly [string, string, string])[]} */
export const ROLES = [
  ['owner', 'Owner', 'Everything, including other owners and going live'],
  ['admin', 'Admin', 'Team, settings and API keys'],
  ['compliance_officer', 'Compliance officer', 'Policies, cases and the audit log'],
  ['analyst', 'Analyst', 'Applications and cases'],
  ['developer', 'Developer', 'API keys and the sandbox'],
  ['auditor', 'Auditor', 'Reads applications, people, settings and the audit log'],
  ['viewer', 'Viewer', 'Reads applications'],
];

/** In running text. @param {string} role */
export function roleName(role) {
  return role === 'platform_admin' ? 'platform administrator' : role.replaceAll('_', ' ');
}

/** As a label. @param {string} role */
export function roleTitle(role) {
  const name = roleName(role);
  return name.charAt(0).toUpperCase() + name.slice(1);
}
