import type { Request } from 'express';

const AUTHORITY = /^(?:[\w.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

/**
 * Where the caller reached us, for documents that name their own server. Empty, which makes such addresses relative,
 * when the Host header is not one that can be repeated.
 */
export function originOf(request: Request, publicUrl: string | null): string {
  if (publicUrl !== null) return publicUrl.replace(/\/+$/, '');
  const host = request.host as string | undefined;
  return host !== undefined && AUTHORITY.test(host) ? `${request.protocol}://${host}` : '';
}
