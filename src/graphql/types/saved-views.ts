import { createView, deleteView, listViews, type ShownView, updateView } from '../../access/saved-views.js';
import { builder, type InputFields, versionField } from '../builder.js';
import { linkTo } from '../define/records.js';
import { onVersion, versionArgument } from '../define/writes.js';
import { Me } from './organization.js';

const texts = {
  name: "The view's name.",
  list: 'The list that it is a view of: lower-case letters, such as `items`.',
  columns: "The names of the columns that are shown, in order. Empty for the list's own.",
  filters: 'The filters that are set.',
  sort: "The name of the column that the list is ordered by, with `-` before it if descending. Null for the list's own order.",
  isShared: 'True if others see the view, too.',
} as const;

interface SavedFilter {
  readonly name: string;
  readonly value: string;
}

const SavedFilterType = builder.objectRef<SavedFilter>('SavedFilter').implement({
  description: 'A filter of a view.',
  fields: (t) => ({
    name: t.exposeString('name', { description: "The filter's name." }),
    value: t.exposeString('value', { description: 'Its value.' }),
  }),
});

const SavedViewType = builder.objectRef<ShownView>('SavedView').implement({
  description:
    'A list as somebody has chosen its columns, filters and order, under a name. Names of lists, columns and filters are those of the program that shows them, such as the console.',
  fields: (t) => ({
    id: t.exposeID('id', { description: "The view's id." }),
    version: t.string(versionField),
    name: t.exposeString('name', { description: texts.name }),
    list: t.exposeString('list', { description: texts.list }),
    columns: t.stringList({ description: texts.columns, resolve: ({ columns }) => [...columns] }),
    filters: t.field({
      type: [SavedFilterType],
      description: texts.filters,
      // The rules let nothing else into it.
      resolve: ({ filters }) => filters as unknown as SavedFilter[],
    }),
    sort: t.exposeString('sort', { nullable: true, description: texts.sort }),
    isShared: t.exposeBoolean('isShared', { description: texts.isShared }),
    team: t.field(
      linkTo('team', 'teamId', 'The workspace that it is shared with. Null for the whole organization.'),
    ),
    user: t.field(linkTo('user', 'userId', 'The user whose view it is.')),
    isOwn: t.exposeBoolean('isOwn', { description: "True if it is the caller's own." }),
    mayChange: t.exposeBoolean('mayChange', {
      description: 'True if the caller may change it: one of their own, or as an administrator a shared one.',
    }),
    created: t.expose('created', { type: 'DateTime', description: 'When it was created.' }),
    modified: t.expose('modified', { type: 'DateTime', description: 'When it was last changed.' }),
  }),
});

builder.objectField(Me, 'savedViews', (t) =>
  t.field({
    type: [SavedViewType],
    description:
      'The views of a list that the caller sees, by name and at most 500: their own, and those that are shared with them.',
    args: { list: t.arg.string({ required: true, description: 'The list, such as `items`.' }) },
    resolve: (_me, { list }, { session }) => listViews(session, list),
  }),
);

const SavedFilterInput = builder.inputType('SavedFilterInput', {
  description: 'A filter of a view.',
  fields: (t) => ({
    name: t.string({ required: true, description: "The filter's name." }),
    value: t.string({ required: true, description: 'Its value.' }),
  }),
});

const chosen = (t: InputFields) => ({
  columns: t.stringList({ description: texts.columns }),
  filters: t.field({
    type: [SavedFilterInput],
    description: `${texts.filters} At most 50, each at most once.`,
  }),
  sort: t.string({ description: texts.sort }),
  isShared: t.boolean({ description: `${texts.isShared} Viewers cannot share. Default: false.` }),
  teamId: t.id({
    description: 'The workspace that it is shared with. Default: the whole organization.',
  }),
});

const CreateSavedViewInput = builder.inputType('CreateSavedViewInput', {
  description: 'A new view.',
  fields: (t) => ({
    name: t.string({ required: true, description: texts.name }),
    list: t.string({ required: true, description: texts.list }),
    ...chosen(t),
  }),
});

const UpdateSavedViewInput = builder.inputType('UpdateSavedViewInput', {
  description: 'Changes of a view. Missing values are kept.',
  fields: (t) => ({ name: t.string({ description: texts.name }), ...chosen(t) }),
});

/** Options of mutations that all people may use for themselves. */
const forOneself = { skipTypeScopes: true, authScopes: { read: true } } as const;

builder.mutationFields((t) => {
  const id = t.arg.id({ required: true, description: "The view's id." });
  const one = { id, ...versionArgument() };
  return {
    createSavedView: t.field({
      type: SavedViewType,
      nullable: true,
      description: "Creates a view of the caller's.",
      ...forOneself,
      args: { input: t.arg({ type: CreateSavedViewInput, required: true, description: 'The view.' }) },
      resolve: (_root, { input }, { session }) => createView(session, input),
    }),
    updateSavedView: t.field({
      type: SavedViewType,
      nullable: true,
      description: "Changes one of the caller's views, or as an administrator a shared one.",
      ...forOneself,
      args: {
        ...one,
        input: t.arg({ type: UpdateSavedViewInput, required: true, description: 'The changes.' }),
      },
      resolve: (_root, { id: of, ifVersion, input }, { session }) =>
        onVersion(session, ifVersion, () => updateView(session, of, input)),
    }),
    deleteSavedView: t.field({
      type: SavedViewType,
      nullable: true,
      description:
        "Deletes one of the caller's views, or as an administrator a shared one, and returns it as it was.",
      ...forOneself,
      args: one,
      resolve: (_root, { id: of, ifVersion }, { session }) =>
        onVersion(session, ifVersion, () => deleteView(session, of)),
    }),
  };
});
