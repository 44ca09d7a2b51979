import { type RunnerTask, TestRunner } from 'vitest';

/**
 * Runs each test as often as `BUSY_TIMES` says, including the hooks; it fails if it fails once (busy.mjs).
 */
export default class RepeatingRunner extends TestRunner {
  override async onBeforeRunTask(task: RunnerTask): Promise<void> {
    if (task.type === 'test') task.repeats = Number(process.env.BUSY_TIMES ?? 1) - 1;
    await super.onBeforeRunTask(task);
  }
}
