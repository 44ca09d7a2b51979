/**
 * Measures the processor time that work takes in this process, in milliseconds. What other programs do on the machine
 * makes work last longer, but takes no processor time of this process.
 */
export async function cpuTimeOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
