/**
 * The tenant of the platform's own staff: their memberships, sessions and audit chain live in it as those of any other
 * tenant do in theirs. Migration 0008 creates it; it is in no list of tenants and nobody can suspend it.
 */
export const PLATFORM_TENANT_ID = '00000000-0000-7000-8000-000000000001';
