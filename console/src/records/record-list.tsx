import { useMemo } from 'preact/hooks';
import { may } from '../app/session';
import type { Operation } from '../data/operation';
import type { Page } from '../data/pages';
import { resources } from '../generated/resources';
import type { Column, Conditions, Identified, ListSpec, ListVariables, Order } from '../list/declare';
import { ListScreen, type Slots } from '../list/list';
import { filtersByRecords, ordered } from './declared-lists';
import { type ListType, recordAddress } from './record-type';
import './records.css';

interface RecordListProps<Row, Condition, Field extends string> extends Slots {
  readonly type: ListType;
  readonly operation: Operation<{ readonly list: Page<Row> }, ListVariables<Condition, Field>>;
  readonly columns: readonly Column<Row, Field>[];
  /** The field of the names, by which the list is ordered at first. */
  readonly by: Field;
}

/** Returns the condition that leaves out what is retired. */
function inUseOf<Condition>({ kind }: ListType): Condition | undefined {
  const facts = resources[kind];
  if (!('retired' in facts)) return undefined;
  // The names are those of the kind's own filter.
  return Object.fromEntries(
    Object.entries(facts.retired).map(([field, when]) => [field, !when]),
  ) as Condition;
}

/** Renders a list of records, as their kind declares it. */
export function RecordList<
  Row extends Identified,
  Condition extends Conditions<Condition>,
  Field extends string,
>(props: RecordListProps<Row, Condition, Field>) {
  const { type, operation, columns, by, ...slots } = props;
  const inUse = inUseOf<Condition>(type);
  const list = useMemo(
    (): ListSpec<Row, Condition, Field> => ({
      name: type.folder.slice(1),
      title: type.title,
      operation,
      columns: ordered(type.kind, columns),
      order: [{ field: by, direction: 'ASC' } satisfies Order<Field>],
      hrefOf: ({ id }) => recordAddress(type, id),
      add: { label: type.add, href: recordAddress(type, 'new'), isAllowed: () => may('WRITE') },
      empty: { icon: type.icon, title: type.empty, text: type.emptyText },
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
        ...filtersByRecords<Condition>(type.kind),
      ],
    }),
    [type, columns],
  );
  return <ListScreen list={list} {...slots} />;
}
