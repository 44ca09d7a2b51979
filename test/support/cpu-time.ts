/**
 * Measures the processor milliseconds that work takes in this process. Other programs on the machine delay
 * the work, but do not add to this.
 */
export async function cpuTimeOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
