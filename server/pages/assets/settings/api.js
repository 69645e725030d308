/** @import { Session } from '../app/session.js' */
/** @import { Schemas } from '../app/types.d.ts' */
/** @import { Member } from './members.js' */
/** @import { Section } from './sections.js' */

/** @typedef {Schemas['TenantSettings']} TenantSettings */

/** The operations of the settings page, by their names in the contract. */
export class Api {
  /** @type {Session} */ #session;

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
  }

  async getSettings() {
    return /** @type {TenantSettings} */ (await this.#session.call('GET', '/v1/settings'));
  }

  /**
   * @param {number} version that was shown
   * @param {Readonly<Record<string, unknown>>} patch
   */
  async updateSettings(version, patch) {
    return /** @type {TenantSettings} */ (await this.#session.call('PATCH', '/v1/settings', { body: patch, version }));
  }
}

/** @typedef {{ [name: string]: unknown }} Branch */

/** JSON Pointer of a member of the settings. @param {Section} section @param {Member} member */
export function pointerOf({ key }, { path }) {
  return path === '' ? `/${key}` : `/${key}/${path}`;
}

/**
 * What a section says, member by member, as its controls give it back: so that only what somebody has changed differs.
 * @param {Section} section
 * @param {TenantSettings} settings
 */
export function valuesOf(section, settings) {
  return section.members.map((member) => {
    const pointer = pointerOf(section, member);
    return member.control(pointer, read(settings, stepsOf(pointer))).value();
  });
}

/**
 * A merge patch (RFC 7396) with what differs. Where nothing does, it still names the section: saving it says that it was
 * looked at.
 * @param {Section} section
 * @param {readonly unknown[]} before
 * @param {readonly unknown[]} after
 */
export function patchOf(section, before, after) {
  /** @type {Branch} */
  const patch = { [section.key]: {} };
  section.members.forEach((member, index) => {
    if (member.path === '' || !same(before[index], after[index])) write(patch, stepsOf(pointerOf(section, member)), after[index]);
  });
  return patch;
}

/** @param {unknown} one @param {unknown} other */
export function same(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** @param {string} pointer */
function stepsOf(pointer) {
  return pointer.split('/').slice(1);
}

/** @param {unknown} value @param {readonly string[]} steps */
function read(value, steps) {
  return steps.reduce((place, step) => (place instanceof Object ? /** @type {Branch} */ (place)[step] : undefined), value);
}

/** @param {Branch} place @param {string[]} steps @param {unknown} value */
function write(place, [step = '', ...rest], value) {
  if (rest.length === 0) place[step] = value;
  else write(/** @type {Branch} */ (place[step] ??= {}), rest, value);
}
