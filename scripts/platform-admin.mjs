#!/usr/bin/env node
import { runOnProjectNode } from './project-node.mjs';

await runOnProjectNode(new URL('./platform-admin.ts', import.meta.url));
