export function dateInFileName(_name: string): string | null {
  return null;
}
export function nameOfFile(name: string): string {
  return name;
}
