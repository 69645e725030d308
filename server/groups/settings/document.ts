import type { components } from '../../contract/generated/types.ts';

type Wire = components['schemas']['TenantSettings'];

/** The sections of the settings, all of them. */
export type Settings = Required<Omit<Wire, 'version' | 'updatedAt' | 'updatedBy'>>;
export type Section = keyof Settings;
export type SettingsPatch = components['schemas']['TenantSettingsUpdate'];

/** A document with what makes it conditional. */
export interface VersionedSettings {
  readonly settings: Settings;
  readonly version: number;
  readonly updatedAt: string;
  readonly updatedBy: components['schemas']['Actor'] | null;
}

/** The whole document, or one section of it. */
export function toWire({ settings, version, updatedAt, updatedBy }: VersionedSettings, section?: Section): Wire {
  return { version, updatedAt, updatedBy, ...(section === undefined ? settings : { [section]: settings[section] }) };
}
