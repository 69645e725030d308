import type { Contract } from '../contract.ts';
import { header, str } from './text.ts';

/** `contract.py`: facts of the contract that the runtime needs. */
export function contractModule(contract: Contract): string {
  const server = contract.servers?.[0];
  const address = (server?.url ?? '').replace(/\{([^}]+)\}/g, (_, name: string) => server?.variables?.[name]?.default ?? '');
  const token = contract.components.securitySchemes?.['oauth2']?.flows?.['clientCredentials']?.tokenUrl;
  if (token === undefined) throw new Error('the contract has no OAuth 2.0 client-credentials flow');
  return `${header()}"""Facts of the contract."""\n\nfrom typing import Final\n\n`
    + `API_VERSION: Final = ${str(contract.info.version)}\nDEFAULT_BASE_URL: Final = ${str(address)}\nTOKEN_PATH: Final = ${str(token)}\n`;
}
