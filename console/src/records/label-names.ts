/**
 * Lists the names that the label of a field may have, the first one first. Inputs, events and imported columns name a
 * field: `assignedToContactId`, `license_plate`. An id and its record have one label; a kind may have its own.
 */
export function labelNames(kind: string | undefined, field: string): readonly string[] {
  const name = field.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  const names = [name, name.replace(/(Id|Name|Email)$/, '')];
  return [...names.map((one) => `${kind}_${one}`), ...names];
}
