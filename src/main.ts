#!/usr/bin/env node
import { collectWhenIdle, saveMemory } from './cli/process/memory.js';
import { runCommandLine } from './cli/run.js';

saveMemory();
collectWhenIdle();
const { env, stdout, stderr } = process;
process.exit(await runCommandLine(process.argv.slice(2), { env, stdout, stderr, envFile: '.env' }));
