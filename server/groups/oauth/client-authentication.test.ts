import { describe, expect, it } from 'vitest';
import { clientCredentials, type ClientForm } from './client-authentication.ts';

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;
const form = (members: ClientForm = {}): ClientForm => members;

describe('client credentials', () => {
  it('come by HTTP Basic', () => {
    expect(clientCredentials(basic('id:secret'), form())).toEqual({ id: 'id', secret: 'secret' });
    expect(clientCredentials(basic('id:secret').replace('Basic', 'bASIC'), form())).toEqual({ id: 'id', secret: 'secret' });
  });

  it('are form-encoded before they are base64-encoded', () => {
    expect(clientCredentials(basic('a%3Ab:c+d%25'), form())).toEqual({ id: 'a:b', secret: 'c d%' });
  });

  it('keep colons of the secret', () => {
    expect(clientCredentials(basic('id:a:b'), form())).toEqual({ id: 'id', secret: 'a:b' });
  });

  it('come in the form', () => {
    expect(clientCredentials(undefined, form({ client_id: 'id', client_secret: 'secret' }))).toEqual({ id: 'id', secret: 'secret' });
  });

  it('may repeat the same client_id beside HTTP Basic, and no other', () => {
    expect(clientCredentials(basic('id:secret'), form({ client_id: 'id' }))).toEqual({ id: 'id', secret: 'secret' });
    expect(() => clientCredentials(basic('id:secret'), form({ client_id: 'other' }))).toThrow('invalid_request');
  });

  it('come from one place only', () => {
    expect(() => clientCredentials(basic('id:secret'), form({ client_id: 'id', client_secret: 'secret' }))).toThrow('invalid_request');
    expect(() => clientCredentials(basic('id:secret'), form({ client_secret: 'secret' }))).toThrow('invalid_request');
  });

  it.each(['Basic', 'Basic ', 'Basic !!!', 'Basic aWQ', 'Basic aWQ6c2VjcmV0 extra', 'Basic aWQ6c2V=cmV0', basic(':secret'), basic('no colon'), basic('id:%zz')])(
    'cannot be read from %j', (authorization) => {
      expect(() => clientCredentials(authorization, form())).toThrow('invalid_request');
    },
  );

  it.each(['Bearer abc', 'Digest username=x', ''])('of another scheme (%j) are no client authentication', (authorization) => {
    expect(() => clientCredentials(authorization, form())).toThrow('invalid_client');
  });

  it('that are missing altogether are no client authentication; a missing half is a missing parameter', () => {
    expect(() => clientCredentials(undefined, form())).toThrow('invalid_client');
    expect(() => clientCredentials(undefined, form({ client_id: '', client_secret: '' }))).toThrow('invalid_client');
    expect(() => clientCredentials(undefined, form({ client_id: 'id' }))).toThrow('invalid_request');
    expect(() => clientCredentials(undefined, form({ client_secret: 'secret' }))).toThrow('invalid_request');
  });
});
