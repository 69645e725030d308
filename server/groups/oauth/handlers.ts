import type { HandlersOf } from '../../contract/handlers.ts';
import type { Services } from '../../services.ts';
import { createToken } from './create-token.ts';

export const oauth = (services: Services) => ({
  createToken: async (ctx) => ctx.reply(200, await createToken(services, ctx)),
} satisfies HandlersOf<'oauth'>);
