import type { ComponentChildren, ComponentType } from 'preact';
import { addressOf, type KindWithScreen, recordKinds } from '../app/addresses';
import { navigate, place } from '../app/router';
import type { ScreenProps } from '../app/screen';
import { may } from '../app/session';
import type { Operation } from '../data/client';
import { faultOf } from '../data/fault';
import type { Page } from '../data/pages';
import { imports, resources } from '../generated/resources';
import { t } from '../i18n/i18n';
import { shownName } from '../i18n/names';
import type { Column, Conditions, Identified, ListSpec, ListVariables, Order } from '../list/declare';
import { ListScreen, type Slots } from '../list/list';
import { Button, LinkButton } from '../ui/button';
import { Card, PageHead } from '../ui/page';
import { FaultNote } from '../ui/state';
import { Badge } from '../ui/status';
import { columnsOf, type DeclaredKind, type FieldName, fieldsOf, filtersByRecords } from './declared';
import { Facts } from './facts';
import { RecordForm } from './form/form';
import { RecordPage, removeRecord } from './page';
import type { DeclaredField, FieldSpec, Stored, WritingDocuments } from './record-type';

/** A kind of records that has screens, and that the gateway declares. */
type ScreenKind = Exclude<KindWithScreen & DeclaredKind, 'EXPIRATION_ITEM' | 'DOCUMENT_REQUEST'>;

/** The documents of a kind, as `generated/operations` has them. */
interface RecordDocuments<Row, Listed, Condition, Field extends string> extends WritingDocuments {
  readonly record: Operation<{ readonly record: Row | null }, { id: string }>;
  readonly list: Operation<{ readonly list: Page<Listed> }, ListVariables<Condition, Field>>;
}

/** The declaration of a kind of records: its fields, its list and its page. */
interface RecordScreen<Kind extends ScreenKind, Row, Listed, Condition, Field extends string> extends Slots {
  readonly kind: Kind;
  readonly documents: RecordDocuments<Row, Listed, Condition, Field>;
  /** Further names of a record without a name. */
  readonly names?: (row: Row) => readonly (string | null | undefined)[];
  /** Fields of the form, the page, and the columns to choose from. */
  readonly fields: readonly DeclaredField<Row, FieldName<Kind>>[];
  /** Columns of the list until people choose others. The first has the names. */
  readonly columns: readonly (FieldName<Kind> | Column<Listed, Field>)[];
  /** Returns whether the caller may change a record, besides the right to write. */
  readonly canChange?: (row: Row) => boolean;
  readonly canDelete?: (row: Row) => boolean;
  /** Rendered beside the name. */
  readonly beside?: (row: Row) => ComponentChildren;
  /** Cards below the fields, and beside them. The history follows. */
  readonly below?: (row: Row) => ComponentChildren;
  readonly aside?: (row: Row) => ComponentChildren;
  /** Rendered below the list. */
  readonly belowList?: () => ComponentChildren;
}

/** Returns the key of one of the texts that each kind has. */
function textOf<Name extends 'title' | 'add' | 'empty' | 'empty_text'>(kind: ScreenKind, name: Name) {
  const { folder } = recordKinds[kind];
  type Texts = typeof folder extends infer Folder ? (Folder extends `/${infer Of}` ? Of : never) : never;
  return `${folder.slice(1) as Texts}.${name}` as const;
}

/** Returns what marks a record that is out of use; undefined if none is. */
function retiredOf(kind: ScreenKind): readonly [field: string, when: boolean] | undefined {
  const facts = resources[kind];
  return 'retired' in facts ? Object.entries(facts.retired)[0] : undefined;
}

/** Returns whether files have records of a kind. */
const isImported = (kind: ScreenKind): boolean => Object.values(imports).some(({ of }) => of === kind);

/** Declares the list of a kind. What is out of use is left out, unless it is asked for. */
function listOf<
  Row,
  Listed extends Identified,
  Condition extends Conditions<Condition>,
  Field extends string,
>(
  kind: ScreenKind,
  operation: RecordDocuments<Row, Listed, Condition, Field>['list'],
  columns: readonly Column<Listed, Field>[],
): ListSpec<Listed, Condition, Field> {
  const retired = retiredOf(kind);
  // The names are those of the kind's own filter and order.
  const inUse = retired && ({ [retired[0]]: !retired[1] } as unknown as Condition);
  return {
    name: recordKinds[kind].folder.slice(1),
    title: textOf(kind, 'title'),
    ...{ operation, columns },
    order: [{ field: 'NAME', direction: 'ASC' } as unknown as Order<Field>],
    hrefOf: ({ id }) => addressOf(kind, id),
    add: { label: textOf(kind, 'add'), href: addressOf(kind, 'new'), isAllowed: () => may('WRITE') },
    empty: { icon: recordKinds[kind].icon, title: textOf(kind, 'empty'), text: textOf(kind, 'empty_text') },
    filters: [
      ...(inUse
        ? [
            {
              type: 'check',
              name: 'all',
              label: 'list.with_archived',
              where: (all: string) => (all ? ({} as Condition) : inUse),
            } as const,
          ]
        : []),
      ...filtersByRecords<Condition>(kind),
      ...(isImported(kind)
        ? [
            {
              type: 'linked',
              name: 'import',
              label: 'imports.of_import',
              where: (id: string) => (id ? { importId: id } : {}) as unknown as Condition,
            } as const,
          ]
        : []),
    ],
  };
}

interface PageProps<Row> {
  readonly declared: Omit<
    RecordScreen<ScreenKind, Row, never, never, never>,
    'fields' | 'columns' | keyof Slots
  >;
  readonly fields: readonly FieldSpec<Row>[];
}

/** Renders the form for a new record. */
function NewRecord<Row extends Stored>({ declared: { kind, documents }, fields }: PageProps<Row>) {
  const { folder } = recordKinds[kind];
  return (
    <>
      <PageHead title={t(textOf(kind, 'add'))} above={{ href: folder, label: t(textOf(kind, 'title')) }} />
      <div class="card narrow">
        <RecordForm
          kind={kind}
          fields={fields}
          documents={documents}
          onDone={(id) => navigate(addressOf(kind, id), { replace: true })}
          onCancel={() => navigate(folder)}
        />
      </div>
    </>
  );
}

function StoredRecord<Row extends Stored>({ id, declared, fields }: PageProps<Row> & ScreenProps) {
  const { kind, documents, names, canChange, canDelete, beside, below, aside } = declared;
  const address = addressOf(kind, id);
  const [mark = '', retired] = retiredOf(kind) ?? [];
  const isRetired = (row: Row) => mark !== '' && (row as Readonly<Record<string, unknown>>)[mark] === retired;
  const canWrite = (row: Row) => may('WRITE') && (canChange?.(row) ?? true);
  const isEdited = (row: Row) => canWrite(row) && place.value.search.has('edit');
  return (
    <RecordPage
      {...{ kind, id }}
      list={t(textOf(kind, 'title'))}
      document={documents.record}
      history="aside"
      {...(names && { names })}
      beside={(row) => (
        <>
          {isRetired(row) && <Badge>{t('records.archived')}</Badge>}
          {beside?.(row)}
        </>
      )}
      actions={(row, reload) =>
        canWrite(row) &&
        !isEdited(row) && (
          <>
            {(canDelete?.(row) ?? true) && (
              <Button
                icon="trash"
                weight="bad"
                onClick={async () => {
                  const name = shownName(row.name, ...(names?.(row) ?? []));
                  if (!(await removeRecord(kind, documents, row, name))) await reload();
                }}
              >
                {t('common.delete')}
              </Button>
            )}
            <LinkButton icon="edit" weight="first" href={`${address}?edit=1`}>
              {t('common.edit')}
            </LinkButton>
          </>
        )
      }
      main={(row, reload) => (
        <>
          <Card title={t('records.facts')}>
            {isEdited(row) ? (
              <RecordForm
                kind={kind}
                fields={fields}
                documents={documents}
                row={row}
                onDone={() => {
                  navigate(address, { replace: true });
                  void reload();
                }}
                onCancel={() => navigate(address, { replace: true })}
                onOutdated={reload}
              />
            ) : (
              <Facts kind={kind} fields={fields} row={row} />
            )}
          </Card>
          {below?.(row)}
        </>
      )}
      {...(aside && { aside })}
    />
  );
}

/** Declares the screens of a kind of records. They are its list, one record with its cards, and the form for a new one. */
export function recordScreen<
  Kind extends ScreenKind,
  Row extends Stored,
  Listed extends Identified,
  Condition extends Conditions<Condition>,
  Field extends string,
>(declared: RecordScreen<Kind, Row, Listed, Condition, Field>): ComponentType<ScreenProps> {
  const { kind, head, above, instead, belowList } = declared;
  const fields = fieldsOf(kind, recordKinds[kind].folder.slice(1), declared.fields);
  const list = listOf<Row, Listed, Condition, Field>(
    kind,
    declared.documents.list,
    columnsOf(kind, fields as readonly FieldSpec<never>[], declared.columns),
  );
  const page = { declared, fields } as unknown as PageProps<Row>;
  const slots = { ...(head && { head }), ...(above && { above }), ...(instead && { instead }) };
  return ({ id }) => {
    if (id && id !== 'new') return <StoredRecord {...page} id={id} />;
    if (id && may('WRITE')) return <NewRecord {...page} />;
    if (id) {
      return (
        <>
          <PageHead title={t(textOf(kind, 'title'))} />
          <FaultNote fault={faultOf('forbidden')} />
        </>
      );
    }
    return (
      <>
        <ListScreen list={list} {...slots} />
        {belowList?.()}
      </>
    );
  };
}
