import { type GraphQLResolveInfo, isObjectType, TypeNameMetaFieldDef } from 'graphql';
import { modelFields } from '../../db/sql/conditions.js';
import { modelName } from '../../db/sql/models.js';
import type { Join, Selection } from '../../db/sql/tree.js';
import { WeakCache } from '../../domain/collections.js';
import type { ModelName } from '../../domain/models.js';
import { type FieldPlan, planForNodes, type ResponseShape } from './plan.js';

/** Columns and joins that a field's resolver reads. */
interface FieldDependencies {
  /** Fields of the row, as the model names them. */
  readonly fields?: readonly string[];
  /** The record that this field returns. Its selected part is read together with the row. */
  readonly shows?: Join;
  /** Records to read together with the row, and which of their fields. */
  readonly joins?: readonly (readonly [Join, readonly string[]])[];
}

/**
 * Declares a field's dependencies, so that lists read only what they need. If a field neither declares them
 * nor shows a column, the whole row is read.
 */
export const needs = (needs: FieldDependencies) => ({ extensions: { needs } });

/**
 * Declares the dependency of an interface's field. It is the first of some columns that the record's type
 * has.
 */
export const needsFirst = (...fields: readonly string[]) => ({ extensions: { needsFirst: fields } });

/** Dependencies of a field, declared or not. */
interface FieldReads extends FieldDependencies {
  /** True if the answer has the fields as they are, and no code reads them. */
  readonly isShown?: true;
}

const findReads = ({ definition }: FieldPlan, columns: readonly string[]): FieldReads | undefined => {
  const { needs, needsFirst, pothosExposedField: shown } = definition.extensions as Record<string, unknown>;
  if (needs) return needs as FieldDependencies;
  if (needsFirst) {
    const first = (needsFirst as readonly string[]).find((field) => columns.includes(field));
    return first === undefined ? undefined : { fields: [first] };
  }
  if (definition === TypeNameMetaFieldDef) return {};
  return columns.includes(shown as string) ? { fields: [shown as string], isShown: true } : undefined;
};

/**
 * The most joins of one statement, because planning time grows with them. Further records are loaded
 * separately.
 */
const maxJoins = 20;

/** Returns the fields selected from an object, or from each object in a list. */
function selectedFields({ shape: given, definition }: FieldPlan): readonly FieldPlan[] {
  let shape: ResponseShape = given;
  while (shape.kind === 'list') shape = shape.item;
  if (shape.kind === 'object' && isObjectType(shape.type)) return shape.objectOf(shape.type).fields;
  // The records' types are known only after they have been read.
  throw new Error(`What ${definition.name} asks for cannot be read with a row: its type is no object type.`);
}

/** Marks a field of a connection that shows its records, besides Relay's `nodes` and `edges`. */
export const showsNodes = { extensions: { showsNodes: true } };

/** Lists the fields that are selected below a connection's nodes. */
function nodesBelow(members: readonly FieldPlan[]): FieldPlan[] {
  return members.flatMap((member) => {
    const { name, extensions } = member.definition;
    if (name === 'edges')
      return selectedFields(member)
        .filter(({ definition }) => definition.name === 'node')
        .flatMap(selectedFields);
    return name === 'nodes' || extensions.showsNodes ? selectedFields(member) : [];
  });
}

/** Returns the fields selected from the records of a field, which may be a connection. */
function recordFields(plan: FieldPlan): readonly FieldPlan[] {
  const fields = selectedFields(plan);
  const isConnection = fields.some(({ parent }) => 'pageInfo' in parent.getFields());
  return isConnection ? nodesBelow(fields) : fields;
}

/** Lists the fields that joined records are ordered by, which cursors contain. */
const orderOf = (join: Join) => ('owner' in join ? join.orderBy.flatMap(Object.keys) : []);

/** The selected fields of the records of one join. */
interface Joined {
  readonly join: Join;
  readonly fields: string[];
  readonly plans: FieldPlan[];
}

/** Finds the columns and joins that fields read. If a field does not declare them, whole rows are read. */
function selectionFor(
  model: ModelName,
  plans: readonly FieldPlan[],
  also: readonly string[],
  left: { joins: number },
): Selection | undefined {
  const columns = modelFields(model);
  const fields = new Set(['id', ...also]);
  const shown = new Set<string>();
  const joined = new Map<string, Joined>();
  const read = (join: Join, plans: readonly FieldPlan[], wanted: readonly string[]) => {
    if ('field' in join) fields.add(join.field);
    const known = joined.get(join.name) ?? { join, fields: [], plans: [] };
    known.fields.push(...wanted);
    known.plans.push(...plans);
    joined.set(join.name, known);
  };
  for (const plan of plans) {
    const needs = findReads(plan, columns);
    if (!needs) return undefined;
    for (const field of needs.fields ?? []) (needs.isShown ? shown : fields).add(field);
    if (needs.shows) read(needs.shows, recordFields(plan), orderOf(needs.shows));
    for (const [join, wanted] of needs.joins ?? []) read(join, [], wanted);
  }
  const joins = [...joined.values()].flatMap(({ join, fields, plans }) => {
    if (left.joins-- <= 0) return [];
    const selection = selectionFor(modelName(join.kind), plans, fields, left);
    return selection ? [[join, selection] as const] : [];
  });
  for (const field of fields) shown.delete(field);
  return { fields: [...fields, ...shown], shown, joins };
}

const selections = new WeakCache<FieldPlan, Map<string, Selection | undefined>>();

function remembered(plan: FieldPlan, key: string, make: () => Selection | undefined): Selection | undefined {
  const known = selections.ensure(plan, () => new Map());
  if (!known.has(key)) known.set(key, make());
  return known.get(key);
}

/** Finds the columns and joins of the record that a field returns. It is undefined under another executor. */
export function selectionForField(info: GraphQLResolveInfo, model: ModelName): Selection | undefined {
  const plan = planForNodes(info.fieldNodes);
  if (!plan) return undefined;
  return remembered(plan, '', () => selectionFor(model, selectedFields(plan), [], { joins: maxJoins }));
}

/**
 * Finds the columns and joins of a connection's records; undefined without a plan.
 * @param order the columns that the list is ordered by, which cursors contain
 */
export function selectionOfNodes(
  info: GraphQLResolveInfo,
  model: ModelName,
  order: readonly string[],
): Selection | undefined {
  const plan = planForNodes(info.fieldNodes);
  if (!plan) return undefined;
  return remembered(plan, order.join(' '), () =>
    selectionFor(model, nodesBelow(selectedFields(plan)), order, { joins: maxJoins }),
  );
}
