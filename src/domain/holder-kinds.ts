/** Kinds of records that an item can be a paper of. The database's enum has them in capitals. */
export const holderKinds = ['vehicle', 'contact', 'company', 'location'] as const;

/** Kind of a record that an item is a paper of. */
export type HolderKind = (typeof holderKinds)[number];
