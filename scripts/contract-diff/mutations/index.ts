import { behaviour, components, messages } from './messages.ts';
import type { Mutation } from './kit.ts';
import { operations, parameters, rights } from './operations.ts';
import { keywords, members } from './schema-edits.ts';

export const mutations: readonly Mutation[] = [...operations, ...rights, ...behaviour, ...parameters, ...messages, ...components, ...members, ...keywords];
