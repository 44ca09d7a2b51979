/** The kinds of records that files can have, as REST spells them. */
export const importKindWords = ['items', 'contacts', 'vehicles', 'locations', 'companies', 'types'] as const;
