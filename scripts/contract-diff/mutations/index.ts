import { behaviour } from './behaviour.ts';
import type { Mutation } from './kit.ts';
import { components, messages } from './messages.ts';
import { operations } from './operations.ts';
import { parameters } from './parameters.ts';
import { rights } from './rights.ts';
import { keywords, members } from './schema-edits.ts';

export const mutations: readonly Mutation[] = [...operations, ...rights, ...behaviour, ...parameters, ...messages, ...components, ...members, ...keywords];
