/** Words for the owner of a vehicle, with the numbers of `ownership_id`. Any other number is kept as sent. */
export const ownerships = { OWNED: 1, LEASED: 2, RENTED: 3, CUSTOMER: 4 } as const;

/**
 * Words for the unit of a vehicle's meter, with the numbers of `primary_meter_type_id`. Any other is kept as
 * sent.
 */
export const meterTypes = { KM: 1, MI: 2, HR: 3 } as const;

/** Returns a number that a word stands for; null for any other number. */
export function numberWithWord(
  words: Readonly<Record<string, number>>,
  number: number | null | undefined,
): number | null {
  return number != null && Object.values(words).includes(number) ? number : null;
}
