/**
 * Address and credentials of the running service for the live tests. Used by `*.live.test.ts`. Without
 * `COMPLIANCE_LIVE` they cannot run.
 */
import { readFileSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';
import { ComplianceOnboarding, type ApplicationCreate, type ClientOptions } from '../../src/index.ts';

/**
 * How to reach a running service: the demo tenant's address and credentials. `COMPLIANCE_LIVE` is this as JSON,
 * or the path of its file.
 */
export interface Live {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly testKey: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly email: string;
  readonly password: string;
}

export const live = read(process.env['COMPLIANCE_LIVE'] ?? '');

function read(place: string): Live {
  return JSON.parse(place.startsWith('{') ? place : readFileSync(place, 'utf8')) as Live;
}

export function connect(options: ClientOptions): ComplianceOnboarding {
  return new ComplianceOnboarding({ baseUrl: live.baseUrl, ...options });
}

/** A person with everything that the service asks for, and a CPF that nobody else has. */
export function person(): ApplicationCreate {
  return {
    purpose: 'account_opening',
    level: 'standard',
    channel: 'api',
    productCodes: ['pix_account'],
    applicant: {
      fullName: 'Maria da Silva',
      dateOfBirth: '1990-04-12',
      nationality: 'BR',
      taxId: { type: 'cpf', value: cpf(), country: 'BR' },
      email: 'maria.silva@example.com',
      phone: '+5541999990000',
      address: {
        line1: 'Rua das Flores',
        number: '120',
        district: 'Centro',
        city: 'Curitiba',
        state: 'PR',
        postalCode: '80010000',
        country: 'BR',
      },
      monthlyIncome: { amount: 850_000, currency: 'BRL' },
      sourceOfFunds: ['salary'],
    },
  };
}

/** Nine random digits and their two check digits (modulo 11). */
function cpf(): string {
  const digits = Array.from({ length: 9 }, () => Math.floor(Math.random() * 10));
  for (const length of [9, 10]) {
    const sum = digits.reduce((total, digit, index) => total + digit * (length + 1 - index), 0);
    digits.push(((sum * 10) % 11) % 10);
  }
  return digits.join('');
}

/** A real PNG of 640 × 480 pixels in one random colour, so that no two are the same file. */
export function png(): Uint8Array<ArrayBuffer> {
  const [width, height] = [640, 480];
  const colour = Buffer.from(Array.from({ length: 3 }, () => Math.floor(Math.random() * 256)));
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, colour)]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8); // 8 bits per channel, RGB
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return new Uint8Array(
    Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]),
  );
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
