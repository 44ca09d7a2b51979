import { snakeCase } from '../../domain/text/names.js';
import { builder } from '../builder.js';
import type { Context } from '../context.js';
import { readsProperty } from '../execution/plan.js';

/** Keywords of JSON Schema. */
type JsonSchema = Readonly<Record<string, unknown>>;

declare module 'graphql' {
  interface GraphQLFieldExtensions<_TSource, _TContext, _TArgs> {
    /** Its name in REST, if it is a member of a value that REST shows. */
    readonly restMember?: string;
    /** Keywords of JSON Schema that limit it. */
    readonly limits?: JsonSchema;
    /** The JSON Schema of what is stored, which REST shows as it is. */
    readonly stored?: JsonSchema;
  }
  interface GraphQLInputFieldExtensions {
    /** An example, if the field is a query parameter in REST (`TakeRoute`). */
    readonly example?: unknown;
    /** Its place among the parameters. Pothos sorts fields by name. */
    readonly position?: number;
  }
  interface GraphQLEnumTypeExtensions {
    /** Its values in the order of the reference. Pothos sorts them by name. */
    readonly order?: readonly string[];
  }
  interface GraphQLObjectTypeExtensions<_TSource, _TContext> {
    /** Set for the type of a value. */
    readonly value?: ValueModel;
  }
}

/** The form of a value in REST. */
interface ValueModel {
  /** The name of its model. Null if it is described where it is shown. */
  readonly model?: string | null;
  /** Its first members in answers, where their order is not that of the reference. */
  readonly order?: readonly string[];
  /** All of its members, in the order of the reference. Pothos sorts fields by name. */
  readonly members?: readonly string[];
}

/** The form of a value's member, where that is not as usual. */
interface MemberOptions<Row> {
  /** Its name in GraphQL. REST has that of the property. */
  readonly name?: string;
  readonly nullable?: true;
  readonly resolve?: (row: Row, context: Context) => unknown;
  readonly graphqlOnly?: true;
  readonly limits?: JsonSchema;
  readonly stored?: JsonSchema;
  readonly formerName?: string;
  readonly deprecationReason?: string;
}

/** A member of a value: type, description, and options. The type of a list is in a list. */
type Member<Row> = readonly [type: unknown, description: string, options?: MemberOptions<Row>];

/**
 * Defines the type of a value that is no record, for GraphQL and REST. Every property needs a member, so that
 * the compiler names the one that is missing.
 */
export function defineValue<Row extends object, Hidden extends keyof Row = never>(
  name: string,
  description: string,
  members: Readonly<Record<Exclude<keyof Row & string, Hidden>, Member<Row>> & Record<string, Member<Row>>>,
  value: ValueModel = {},
) {
  const fieldOf = ([property, [type, about, options = {}]]: [string, Member<Row>]) => {
    const { name = property, resolve, nullable = false, deprecationReason } = options;
    const { graphqlOnly, limits, stored, formerName } = options;
    const read = (row: Row) => (row as Readonly<Record<string, unknown>>)[property];
    const extensions = {
      ...(!resolve && readsProperty(property)),
      ...(!graphqlOnly && !deprecationReason && { restMember: snakeCase(property) }),
      ...{ limits, stored, formerName },
    };
    const field = { type, nullable, description: about, deprecationReason, extensions };
    const get = (row: Row, _args: unknown, context: Context) => (resolve ?? read)(row, context);
    return [name, { ...field, resolve: get }] as const;
  };
  return builder.objectRef<Row>(name).implement({
    description,
    extensions: { value: { ...value, members: Object.keys(members) } },
    // Pothos cannot infer the types of fields from a table.
    fields: (t) =>
      Object.fromEntries(
        Object.entries(members).map((member) => {
          const [name, field] = fieldOf(member);
          return [name, t.field(field as never)];
        }),
      ),
  });
}

/** Defines an enum with a sentence for each of its values. */
export const words = (name: string, description: string, values: Readonly<Record<string, string>>) =>
  builder.enumType(name, {
    description,
    extensions: { order: Object.keys(values) },
    values: Object.fromEntries(
      Object.entries(values).map(([value, about]) => [value, { description: about, value }]),
    ),
  });

let positions = 0;

/** Lets REST take a field of an input as a query parameter. The reference has the example. */
export const shownAs = (example: unknown, extensions: object = {}) => ({
  extensions: { ...extensions, example, position: positions++ },
});
