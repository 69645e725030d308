import type { components } from '../../contract/generated/types.ts';

/** An invented person or company of the sandbox; what comes out for it is known in advance. */
export type Persona = components['schemas']['SandboxPersona'];
