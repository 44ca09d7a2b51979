/** Forms of values by which columns are guessed, and new vehicles described. */
export const forms = {
  email: /^[^\s@;]+@[^\s@;]+\.[a-z]{2,}$/i,
  vin: /^(?=.*\d)(?=.*[A-HJ-NPR-Z])[A-HJ-NPR-Z0-9]{17}$/i,
  plate:
    /^(?:[A-ZÄÖÜ]{1,3}[- ][A-Z]{1,2}[- ]?\d{1,4}[EH]?|[A-Z]{2}[- ]?\d{3}[- ]?[A-Z]{2}|\d{4}[- ]?[BCDFGHJKLMNPRSTVWXYZ]{3}|(?=(?:.*\d){1,5})(?=.*[A-Z])[A-Z0-9]{1,3}-[A-Z0-9]{2,3}-[A-Z0-9]{1,2})$/i,
  amount: /^(?:[€$£]|EUR|CHF|USD)?\s*-?\d{1,3}(?:[.,'’ ]?\d{3})*[.,]\d{2}\s*(?:[€$£]|EUR|CHF|USD)?$/i,
} as const;
