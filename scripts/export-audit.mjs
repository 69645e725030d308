#!/usr/bin/env node
import { runOnProjectNode } from './project-node.mjs';

await runOnProjectNode(new URL('./export-audit.ts', import.meta.url));
