/** Which answer the caller wants to see. */
export interface Preference {
  readonly status: number | null;
  readonly example: string | null;
}

/** `Prefer: code=422, example=validationFailed` (the form of RFC 7240; the two preferences are those that other mock servers know). */
export function readPreference(field: string | undefined): Preference {
  const given = new Map((field ?? '').split(',').map((part) => {
    const [name = '', value = ''] = part.trim().split('=', 2);
    return [name.toLowerCase(), value.replace(/^"(.*)"$/, '$1')] as const;
  }));
  const status = Number(given.get('code'));
  return { status: Number.isInteger(status) && status > 0 ? status : null, example: given.get('example') ?? null };
}
