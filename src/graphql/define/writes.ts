import type { InputFieldMap, ObjectRef } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import type { Session } from '../../db/connection/session.js';
import type { Identified } from '../../db/sql/conditions.js';
import type { Right } from '../../domain/caller.js';
import { badField } from '../../domain/errors.js';
import { entityNames } from '../../domain/models.js';
import { camelCase, pluralOf, withArticle } from '../../domain/text/names.js';
import { expectVersion, expectVersions } from '../../domain/versions.js';
import { restoreRecord } from '../../records/bin.js';
import { deleteRecord, deleteRecords, maxBulkRecords, updateRecords } from '../../records/delete.js';
import { createRecord, replaceRecord, updateRecord, type Written } from '../../records/record.js';
import type { Resource } from '../../records/resource.js';
import { builder, type InputFields } from '../builder.js';
import type { Context, Door } from '../context.js';
import { selectionForField } from '../execution/selection.js';
import { presentIn } from './coerce.js';
import { PatchOperationInput, patchAndRead, splitCleared } from './patch.js';

/**
 * Returns the argument that names a record's version.
 * @param what the record whose version it is, if that is not the one that the mutation names
 */
export const versionArgument = (what = 'the record') =>
  builder.args((t) => ({
    ifVersion: t.string({
      description: `The expected \`version\` of ${what}. If it has a different one, the request fails with \`PRECONDITION_FAILED\`.`,
    }),
  }));

/** Returns the argument that names the versions of many records. */
export const versionsArgument = () =>
  builder.args((t) => ({
    ifVersions: t.stringList({
      description:
        'The expected versions of the records, one for each id and in the same order. If one differs, the request fails with `PRECONDITION_FAILED`.',
    }),
  }));

/** Runs a change of one record, if its version matches the given one. */
export function onVersion<T>(
  session: Session,
  ifVersion: string | null | undefined,
  change: () => Promise<T>,
): Promise<T> {
  return ifVersion == null ? change() : session.onCondition(expectVersion(ifVersion), change);
}

/**
 * Runs a change of many records, if their versions match the given ones.
 * @throws GatewayError BAD_REQUEST unless there are as many versions as ids
 */
export async function onVersions<T>(
  session: Session,
  ids: readonly string[],
  ifVersions: readonly string[] | null | undefined,
  change: () => Promise<T>,
): Promise<T> {
  if (ifVersions == null) return change();
  if (ifVersions.length !== ids.length) {
    throw badField(['ifVersions'], 'must have as many versions as there are ids', 'entries');
  }
  return session.onCondition(expectVersions(ids, ifVersions), change);
}

type Types = (typeof builder)['$inferSchemaTypes'];

/** Definition of a resource's mutations. */
interface Writes {
  readonly type: ObjectRef<Types, Identified> & { readonly name: string };
  readonly resource: Resource;
  /**
   * Input fields of a record, in GraphQL's types.
   * @param whole true if the input describes a complete record, so that required fields are non-null
   */
  readonly inputFields: (t: InputFields, whole: boolean) => InputFieldMap;
  /** Additional right that creating and deleting require. */
  readonly ownership?: Right;
  /** Additional right that all writes require. */
  readonly writing?: Right;
  /** Lists the fields that updates through an API may omit but not clear. */
  readonly required?: (door: Door) => readonly string[];
  /** Converts an input with any part of the fields to values of the record. */
  toValues(input: object): object;
}

function answerWith<Row>({ row, changed }: Written<Row>, context: Context): Row {
  context.outcome.unchanged = !changed;
  return row;
}

/** Returns the capitalized plural of a resource, which is that of its table. */
function listNameOf({ table }: Resource): string {
  const plural = camelCase(table);
  return `${plural[0]?.toUpperCase()}${plural.slice(1)}`;
}

/** The guarantee of bulk mutations, as a part of their descriptions. */
export const atomic =
  'Either all records are processed or none is. The result has each record once, in the order of the ids.';

/** Returns the argument with the ids of many records. */
export const idsArgument = () =>
  builder.args((t) => ({
    ids: t.idList({ required: true, description: `The ids of the records, at most ${maxBulkRecords}.` }),
  }));

/**
 * Defines a resource's mutations and their input types. They are `create`, `update`, `replace`, `patch`,
 * `delete` and `restore`, and bulk versions of `update` and `delete`.
 */
export function defineWrites(writes: Writes): void {
  const { type, resource, inputFields, toValues, writing, ownership = writing, required = () => [] } = writes;
  const extensions = { checksInput: true };
  /** Runs a write with the values of an input. It rejects an input that clears required fields. */
  const withValues = async <T>(
    { session, door }: Context,
    input: object,
    write: (values: object) => Promise<T>,
  ): Promise<T> => {
    const { kept, violations } = splitCleared(input, required(door));
    if (violations.length === 0) return write(toValues(input));
    throw await session.refuse([...session.known, ...violations], () => write(toValues(kept)));
  };
  const guarded = ownership && { authScopes: { [ownership]: true } };
  const guardedChange = writing && { authScopes: { [writing]: true } };
  const { name } = type;
  const what = entityNames[resource.kind];
  const plural = listNameOf(resource);
  const define = (verb: string, description: string, fields: (t: InputFields) => InputFieldMap) =>
    builder.inputType(`${verb}${name}Input`, { description, fields, extensions: { rules: resource.rules } });
  const id = 'The id of the new record, a UUID. If omitted, the server generates one.';
  const create = define('Create', `The values of a new ${what}. Omitted fields get their defaults.`, (t) => ({
    id: t.id({ description: id }),
    ...inputFields(t, true),
  }));
  const update = define(
    'Update',
    `Changes to ${withArticle(what)}. Omitted fields keep their values, and null clears a field.`,
    (t) => inputFields(t, false),
  );
  const stays = resource.writable.includes('teamId') ? ', but the record stays in its workspace' : '';
  const replace = define(
    'Replace',
    `The complete new state of ${withArticle(what)}. Omitted fields return to their defaults${stays}.`,
    (t) => inputFields(t, true),
  );
  const shown = (info: GraphQLResolveInfo) => selectionForField(info, resource.rows.model);
  const idArgument = `The ${what}'s id.`;
  // Nullable, so that a failing mutation does not discard the results of earlier ones, which are committed.
  builder.mutationFields((t) => ({
    [`create${name}`]: t.field({
      extensions,
      ...guarded,
      type,
      nullable: true,
      description: `Creates ${withArticle(what)}.`,
      args: { input: t.arg({ type: create, required: true, description: 'The values of the new record.' }) },
      resolve: (_root, { input }, context, info) => {
        const { session } = context;
        const { id, ...given } = presentIn(input, context, `Create${name}Input`);
        const chosen = id as string | null | undefined;
        return withValues(context, given, (values) =>
          createRecord(session, resource, values, chosen, shown(info)),
        );
      },
    }),
    [`update${name}`]: t.field({
      extensions,
      ...guardedChange,
      type,
      nullable: true,
      description: `Updates some fields of ${withArticle(what)} and keeps the others.`,
      args: {
        id: t.arg.id({ required: true, description: idArgument }),
        input: t.arg({ type: update, required: true, description: 'The new values.' }),
        ...versionArgument(),
      },
      resolve: async (_root, { id, input, ifVersion }, context, info) => {
        const { session } = context;
        const given = presentIn(input, context, `Update${name}Input`);
        const change = (values: object) => updateRecord(session, resource, id, values, shown(info));
        const written = withValues(context, given, (values) =>
          onVersion(session, ifVersion, () => change(values)),
        );
        return answerWith(await written, context);
      },
    }),
    [`replace${name}`]: t.field({
      extensions,
      ...guardedChange,
      type,
      nullable: true,
      description: `Replaces all fields of ${withArticle(what)}.`,
      args: {
        id: t.arg.id({ required: true, description: idArgument }),
        input: t.arg({ type: replace, required: true, description: 'The complete new values.' }),
        ...versionArgument(),
      },
      resolve: async (_root, { id, input, ifVersion }, context, info) => {
        const { session } = context;
        const given = presentIn(input, context, `Replace${name}Input`);
        const change = (values: object) => replaceRecord(session, resource, id, values, shown(info));
        const written = withValues(context, given, (values) =>
          onVersion(session, ifVersion, () => change(values)),
        );
        return answerWith(await written, context);
      },
    }),
    [`patch${name}`]: t.field({
      ...guardedChange,
      type,
      nullable: true,
      description: `Applies a JSON Patch (RFC 6902) to ${withArticle(what)}. Either all operations apply or none does.`,
      args: {
        id: t.arg.id({ required: true, description: idArgument }),
        operations: t.arg({
          type: [PatchOperationInput],
          required: true,
          description: 'The operations to apply, at most 500.',
        }),
        ...versionArgument(),
      },
      resolve: async (_root, { id, operations, ifVersion }, context, info) => {
        const rules = { resource, name, required: required(context.door), toValues };
        const patch = { ...rules, id, operations, context, selection: shown(info) };
        return answerWith(await onVersion(context.session, ifVersion, () => patchAndRead(patch)), context);
      },
    }),
    [`delete${name}`]: t.field({
      ...guarded,
      type,
      nullable: true,
      description: `Deletes ${withArticle(what)} and returns it as it was. It stays in the bin for a while; \`restore${name}\` brings it back.`,
      args: { id: t.arg.id({ required: true, description: idArgument }), ...versionArgument() },
      resolve: (_root, { id, ifVersion }, { session }) =>
        onVersion(session, ifVersion, () => deleteRecord(session, resource, id)),
    }),
    [`update${plural}`]: t.field({
      extensions,
      ...guardedChange,
      type: [type],
      nullable: true,
      description: `Updates the same fields of several ${pluralOf(what)} and keeps the others. ${atomic}`,
      args: {
        ...idsArgument(),
        input: t.arg({ type: update, required: true, description: 'The new values.' }),
        ...versionsArgument(),
      },
      resolve: (_root, { ids, input, ifVersions }, context) => {
        const { session } = context;
        const given = presentIn(input, context, `Update${name}Input`);
        return withValues(context, given, (values) =>
          onVersions(session, ids, ifVersions, () => updateRecords(session, resource, ids, values)),
        );
      },
    }),
    [`delete${plural}`]: t.field({
      ...guarded,
      type: [type],
      nullable: true,
      description: `Deletes several ${pluralOf(what)} and returns them as they were. ${atomic}`,
      args: { ...idsArgument(), ...versionsArgument() },
      resolve: (_root, { ids, ifVersions }, { session }) =>
        onVersions(session, ids, ifVersions, () => deleteRecords(session, resource, ids)),
    }),
    [`restore${name}`]: t.field({
      ...guarded,
      type,
      nullable: true,
      description: `Restores a deleted ${what} from the bin, together with the records deleted with it.`,
      args: {
        id: t.arg.id({ required: true, description: idArgument }),
        ...versionArgument('its entry in the bin'),
      },
      resolve: (_root, { id, ifVersion }, { session }) =>
        onVersion(session, ifVersion, () => restoreRecord(session, resource, id)),
    }),
  }));
}
