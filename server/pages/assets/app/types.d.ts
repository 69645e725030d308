/** The wire types of the contract, so that the pages stop type-checking when the contract moves on. */
import type { components } from '../../../contract/generated/types.ts';

export type Schemas = components['schemas'];

export type ApiKey = Schemas['ApiKey'];
export type ApiKeyCreate = Schemas['ApiKeyCreate'];
export type ApiKeyIssued = Schemas['ApiKeyIssued'];
export type ApiKeyList = Schemas['ApiKeyList'];
/** A merge patch: what it leaves out stays. */
export type ApiKeyUpdate = Partial<Schemas['ApiKeyUpdate']>;
export type PersonalDataView = Schemas['PersonalDataView'];
export type CurrentUser = Schemas['CurrentUser'];
export type LoginRequest = Schemas['LoginRequest'];
export type Problem = Schemas['Problem'];
export type Scope = ApiKeyCreate['scopes'][number];
export type TenantChoice = Schemas['TenantChoice'];
export type TokenPair = Schemas['TokenPair'];
