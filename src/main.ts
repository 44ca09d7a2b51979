#!/usr/bin/env node
import { collectWhenIdle, saveMemory } from './cli/process/memory.js';
import { run } from './cli/run.js';

saveMemory();
collectWhenIdle();
const { env, stdout, stderr } = process;
process.exit(await run(process.argv.slice(2), { env, stdout, stderr, envFile: '.env' }));
