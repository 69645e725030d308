#!/usr/bin/env node
import { runOnProjectNode } from './project-node.mjs';

await runOnProjectNode(new URL('./backup.ts', import.meta.url));
