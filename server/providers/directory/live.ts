import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { DirectoryClient } from './client.ts';
import { readParticipants, type Participant } from './participants.ts';

/** Where the production directory is and what is believed of it; all of it is the operator's. */
export interface DirectoryConfig {
  readonly url: string;
  /** Files. */
  readonly authorities: string;
  readonly signer: string;
  readonly participants: string;
}

export interface LiveDirectory {
  readonly directory: DirectoryClient;
  readonly participants: readonly Participant[];
}

/** Reads every file at once, so that what is missing or broken stops the start and not the first poll. */
export async function openLiveDirectory(config: DirectoryConfig): Promise<LiveDirectory> {
  const [authorities, signer, participants] = await Promise.all([
    readFile(config.authorities, 'utf8'), readFile(config.signer, 'utf8'), readParticipants(config.participants),
  ]);
  certificatesIn(authorities, config.authorities);
  const identities = new Map(participants.map(({ ispb, identity }) => [ispb, identity]));
  const directory = new DirectoryClient({
    url: config.url,
    authorities,
    signers: certificatesIn(signer, config.signer).map((certificate) => checkSigner(certificate, config.signer)),
    identify: async (ispb) => {
      const identity = identities.get(ispb);
      if (identity == null) throw new RangeError('This participant is not configured');
      return identity;
    },
  });
  return { directory, participants };
}

function certificatesIn(pem: string, file: string): readonly X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) throw new Error(`${file} holds no PEM certificate`);
  return blocks.map((block) => new X509Certificate(block));
}

function checkSigner(certificate: X509Certificate, file: string): X509Certificate {
  const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey;
  if (asymmetricKeyType !== 'rsa' || (asymmetricKeyDetails?.modulusLength ?? 0) < 2048) throw new Error(`${file}: the directory signs with RSA keys of 2048 bits and more`);
  return certificate;
}
