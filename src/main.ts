#!/usr/bin/env node
import { saveMemory } from './cli/memory.js';
import { run } from './cli/run.js';

saveMemory();
process.exit(await run(process.argv.slice(2), process));
