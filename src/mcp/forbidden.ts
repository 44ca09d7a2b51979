import {
  type DocumentNode,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/** Mutations that delete records or take something away from them. */
const deleting = /^(delete|purge|remove)[A-Z]/;

/** Types with what people and programs sign in with. Their owners may read them without a further right. */
const credentialTypes: ReadonlySet<string> = new Set(['AccessToken', 'CalendarFeed', 'Passkey', 'Session']);

/** Returns the rights that a field demands besides those of its root type. */
function furtherRights({ extensions }: GraphQLField<unknown, unknown>): string[] {
  const { authScopes = {} } = (extensions.pothosOptions ?? {}) as { authScopes?: object };
  return Object.keys(authScopes);
}

/**
 * Returns why an operation cannot be a tool; undefined if it can. Tools delete nothing, and have nothing to do
 * with what administrators do or with the means of signing in.
 */
export function forbiddenIn(document: DocumentNode, schema: GraphQLSchema): string | undefined {
  const types = new TypeInfo(schema);
  let problem: string | undefined;
  const enter = () => {
    const field = types.getFieldDef();
    const parent = types.getParentType();
    if (!field || !parent || problem !== undefined) return;
    const isMutation = parent === schema.getMutationType();
    if (isMutation && deleting.test(field.name)) {
      problem = `${field.name} deletes, which no tool may do`;
    } else if (
      credentialTypes.has(getNamedType(field.type).name) ||
      credentialTypes.has(parent.name) ||
      furtherRights(field).some((right) => right !== (isMutation ? 'upload' : 'read'))
    ) {
      problem = `${parent.name}.${field.name} belongs to tokens or settings, which no tool may reach`;
    }
  };
  visit(document, visitWithTypeInfo(types, { Field: { enter } }));
  return problem;
}
