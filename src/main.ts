#!/usr/bin/env node
import { collectWhenIdle, saveMemory } from './cli/memory.js';
import { run } from './cli/run.js';

saveMemory();
collectWhenIdle();
process.exit(await run(process.argv.slice(2), process));
