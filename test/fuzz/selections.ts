import {
  doTypesOverlap,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isObjectType,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
} from 'graphql';
import { argumentsOf } from './arguments.js';
import { printed } from './documents.js';
import type { Draft } from './draft.js';

type Field = GraphQLField<unknown, unknown>;

/** Levels of selections. Beyond, only leaves are asked for. */
const deepest = 4;

/** Names that a careless program would find in every object, or take for something else. */
const oddNames = ['__proto__', 'constructor', 'toString', 'then', 'length', 'hasOwnProperty', 'toJSON', 'id'];

/** Returns a name for a field in the answer: mostly its own, and one that no other field has. */
function keyFor(draft: Draft, name: string, signature: string): string {
  const isOwn = !draft.oneIn(signature === name ? 6 : 2);
  const wanted = isOwn ? name : draft.pick([...oddNames, draft.name('a'), draft.name('a')]);
  const known = draft.keys.get(wanted) ?? (wanted === 'id' ? 'id' : signature);
  const key = known === signature ? wanted : draft.name('a');
  draft.keys.set(key, signature);
  return key === name ? '' : `${key}: `;
}

/** Returns a field as it is asked for, without what is asked for below it. */
function headOf(draft: Draft, field: Field): string {
  const signature = field.name + argumentsOf(draft, field);
  return keyFor(draft, field.name, signature) + signature;
}

const isComposite = (field: Field) => isCompositeType(getNamedType(field.type));

/** Fields that are measured anew each time, so that no two answers are the same. */
const measured = new Set(['DatabaseHealth.latencyMs', 'DatabaseHealth.size', 'DiskSpace.free']);

/** Fields of a type that may be asked for at a depth; those of the schema itself at the root alone. */
function fieldsOf(draft: Draft, type: GraphQLCompositeType, depth: number): Field[] {
  const all = 'getFields' in type ? Object.values(type.getFields()) : [];
  const fields = all.filter(({ name }) => !measured.has(`${type.name}.${name}`));
  // Each level of what tells the schema has many more rows than a level of records.
  const most = type.name.startsWith('__') ? deepest - 1 : deepest;
  const open = depth < most ? fields : fields.filter((field) => !isComposite(field));
  const isRoot = type === printed.getQueryType();
  return isRoot && draft.oneIn(8)
    ? [draft.pick([SchemaMetaFieldDef, TypeMetaFieldDef, TypeMetaFieldDef])]
    : open;
}

/** Returns the types that a fragment in a selection of a type may be on. */
function conditionsFor(draft: Draft, type: GraphQLCompositeType): readonly GraphQLCompositeType[] {
  const possible = isAbstractType(type) ? draft.pick(printed.getPossibleTypes(type)) : type;
  const around = Object.values(printed.getTypeMap()).filter(
    (one) => isAbstractType(one) && printed.isSubType(one, possible),
  ) as GraphQLCompositeType[];
  return [type, possible, possible, ...around];
}

/**
 * Returns a fragment in a selection: with or without a condition, there or elsewhere, new or spread before.
 */
function fragment(draft: Draft, type: GraphQLCompositeType, depth: number): string {
  const known = draft.fragments.filter(({ on }) =>
    doTypesOverlap(printed, printed.getType(on) as GraphQLCompositeType, type),
  );
  if (known.length > 0 && draft.oneIn(3)) return `...${draft.pick(known).name}${draft.condition()}`;
  if (draft.oneIn(5)) return `...${draft.condition()} ${selection(draft, type, depth)}`;
  const on = draft.pick(conditionsFor(draft, type));
  if (draft.oneIn(2)) return `... on ${on.name}${draft.condition()} ${selection(draft, on, depth)}`;
  const text = selection(draft, on, depth);
  const name = draft.name('F');
  draft.fragments.push({ name, on: on.name, text: `fragment ${name} on ${on.name} ${text}` });
  return `...${name}${draft.condition()}`;
}

/**
 * Returns a part of a selection that asks for fields; `heads` are those it has already, which may be asked
 * for again.
 */
function part(draft: Draft, type: GraphQLCompositeType, depth: number, heads: Map<string, Field>): string {
  const again = heads.size > 0 && draft.oneIn(8) ? draft.pick([...heads]) : undefined;
  const fields = again ? [] : fieldsOf(draft, type, depth);
  if (!again && (fields.length === 0 || draft.oneIn(10))) {
    return `${keyFor(draft, '__typename', '__typename')}__typename${draft.condition()}`;
  }
  const field = again ? again[1] : draft.pick(fields);
  const head = again ? again[0] : headOf(draft, field);
  heads.set(head, field);
  const below = getNamedType(field.type);
  const whole = head + draft.condition();
  return isCompositeType(below) ? `${whole} ${selection(draft, below, depth + 1)}` : whole;
}

/** Fields of which one waits where there is a record, and the other is refused: in a row without one, at once. */
function refusedBeside(draft: Draft, type: GraphQLCompositeType): string[] {
  const fields = isObjectType(type) ? Object.values(type.getFields()) : [];
  const links = fields.filter((field) => isObjectType(field.type) && 'id' in field.type.getFields());
  const lists = fields.filter(({ args }) => args.some(({ name }) => name === 'first'));
  if (links.length === 0 || lists.length === 0 || !draft.oneIn(4)) return [];
  const wrong = draft.pick(['first: 501', 'last: -1', 'after: "x"']);
  return [
    `${draft.name('a')}: ${draft.pick(links).name} { id }`,
    `${draft.name('a')}: ${draft.pick(lists).name}(${wrong})${draft.condition()} { totalCount }`,
  ];
}

/** Draws a selection of a type, with aliases, fragments, conditions and merged fields, down to a depth. */
export function selection(draft: Draft, type: GraphQLCompositeType, depth = 0): string {
  const heads = new Map<string, Field>();
  const rich = isAbstractType(type) && depth < deepest;
  const parts = Array.from({ length: 1 + draft.below(depth === 0 ? 2 : 3) }, () =>
    depth < deepest + 2 && draft.oneIn(rich ? 2 : 6)
      ? fragment(draft, type, depth + (isObjectType(type) ? 0 : 1))
      : part(draft, type, depth, heads),
  );
  const refused = depth === 2 || depth === 3 ? refusedBeside(draft, type) : [];
  return `{ ${[...parts, ...refused].join(' ')} }`;
}

/** Draws a selection of one field of a type, as a subscription has one of its root. */
export function oneField(draft: Draft, type: GraphQLObjectType): string {
  const field = draft.pick(Object.values(type.getFields()));
  const below = getNamedType(field.type);
  const inner = isCompositeType(below) ? ` ${selection(draft, below, 1)}` : '';
  return `{ ${headOf(draft, field)}${inner} }`;
}
