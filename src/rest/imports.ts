/** The kinds of records that CSV files can have, as REST spells them. */
export const importListWords = ['items', 'contacts', 'vehicles', 'locations', 'companies', 'types'] as const;

/** The kinds of imports, as REST spells them. */
export const importKindWords = [...importListWords, 'workspace'] as const;
